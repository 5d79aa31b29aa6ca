package main

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ldx/internal/measure"
)

// trees makes the trees to search, each once, and keeps them.
type trees struct {
	main, dir string
	seed      uint64
	entries   int
	made      map[string]string // paths by name
}

// path returns the path of a tree:
//
//	main          as -tree says
//	one           one copy of /usr, if main is seven copies of it
//	repositories  git repositories with ignore files
//	links         links to directories
//	small         2,000 files
//	empty         nothing
//	huge          one directory of -entries files
//	deep          twenty chains of 1,500 directories, just within PATH_MAX
//	chain         one chain of 5,000 directories, beyond it
func (t *trees) path(name string) (path string, err error) {
	if path, ok := t.made[name]; ok {
		return path, nil
	}
	if t.dir, err = filepath.Abs(t.dir); err != nil {
		return "", err
	}
	in := func(kind string, build func(path string) error) (string, error) {
		return once(filepath.Join(t.dir, kind), build)
	}
	sized := func(kind string) string { return fmt.Sprintf("%s-%d-%d", kind, t.seed, t.entries) }
	switch name {
	case "main", "one":
		switch t.main {
		case "usr":
			path, err = in("usr", copiesOfUsr)
			if name == "one" {
				path = filepath.Join(path, "u1")
			}
		case "made":
			path, err = in(sized("made"), func(path string) error { return made(path, t.seed, t.entries) })
		default:
			path, err = filepath.Abs(t.main)
		}
	case "repositories":
		path, err = in(sized(name), func(path string) error { return madeRepositories(path, t.seed, max(1, t.entries/5)) })
	case "links":
		path, err = in(sized(name), func(path string) error { return madeLinks(path, t.seed, max(100, t.entries/10)) })
		path = filepath.Join(path, "links")
	case "small":
		path, err = in(name, func(path string) error { return flat(path, 2000) })
	case "empty":
		path, err = in(name, func(string) error { return nil })
	case "huge":
		path, err = in(sized(name), func(path string) error { return flat(path, t.entries) })
	case "deep":
		path, err = in(name, func(path string) error { return chains(path, 20, 1500) })
	case "chain":
		path, err = in(name, func(path string) error { return chains(path, 1, 5000) })
	}
	if err != nil {
		return "", err
	}
	if t.made == nil {
		t.made = map[string]string{}
	}
	t.made[name] = path
	return path, nil
}

// once builds the tree with build unless it already exists. A failure leaves no
// tree.
func once(path string, build func(path string) error) (string, error) {
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	fmt.Fprintln(os.Stderr, "bench: making", path)
	unfinished := path + ".unfinished"
	if err := os.RemoveAll(unfinished); err != nil {
		return "", err
	}
	if err := os.MkdirAll(unfinished, 0o755); err != nil {
		return "", err
	}
	if err := build(unfinished); err != nil {
		return "", err
	}
	return path, os.Rename(unfinished, path)
}

// copiesOfUsr makes a tree of about a million entries in seconds: the names and
// shapes are real, and the files take no space, since they are hard links.
func copiesOfUsr(path string) error {
	const copies = 7
	for i := range copies {
		cmd := exec.Command("cp", "-al", "/usr", filepath.Join(path, fmt.Sprint("u", i+1)))
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("cp -al /usr: %w (-dir must be on the file system of /usr; -tree made needs none)", err)
		}
	}
	return nil
}

// made makes a tree from a seed.
func made(path string, seed uint64, entries int) error {
	_, err := measure.MakeTree(context.Background(), path, seed, entries)
	return err
}

// flat makes a directory of empty files.
func flat(path string, files int) error {
	for i := range files {
		if err := os.WriteFile(filepath.Join(path, fmt.Sprintf("file-%07d.txt", i)), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// chains makes chains of directories step by step: their paths may be too long
// for a system call.
func chains(path string, n, depth int) error {
	for i := range n {
		at, err := os.OpenRoot(path)
		if err != nil {
			return err
		}
		for d := range depth {
			name := "d"
			if d == 0 {
				name = fmt.Sprint("c", i)
			}
			err := at.Mkdir(name, 0o755)
			var below *os.Root
			if err == nil {
				below, err = at.OpenRoot(name)
			}
			_ = at.Close()
			if err != nil {
				return err
			}
			at = below
		}
		_ = at.Close()
	}
	return nil
}

// madeLinks makes a tree, and a directory of links to the directories at its
// top.
func madeLinks(path string, seed uint64, entries int) error {
	links := filepath.Join(path, "links")
	if err := os.Mkdir(links, 0o755); err != nil {
		return err
	}
	for i := range uint64(20) {
		name := fmt.Sprint("tree-", i)
		tree := filepath.Join(path, name)
		if err := os.Mkdir(tree, 0o755); err != nil {
			return err
		}
		if err := made(tree, seed+i, entries/20); err != nil {
			return err
		}
		if err := os.Symlink(filepath.Join("..", name), filepath.Join(links, name)); err != nil {
			return err
		}
	}
	return nil
}

// madeRepositories makes a folder of repositories, with ignore rules at the top
// of each and in one directory of ten.
func madeRepositories(path string, seed uint64, entries int) error {
	const each = 2000
	rules := []string{
		"*.o", "*.tmp", "/build/", "node_modules/", "*~", ".DS_Store", "target", "!keep", "*.[ao]", "docs/*.html", "**/gen/*.go", "a*.md",
	}
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range max(1, entries/each) {
		top := filepath.Join(path, fmt.Sprint("r", i))
		for _, name := range []string{"info", "objects", "refs"} {
			if err := os.MkdirAll(filepath.Join(top, ".git", name), 0o755); err != nil {
				return err
			}
		}
		if err := made(top, r.Uint64(), each); err != nil {
			return err
		}
		for name, text := range map[string]string{
			"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = false\n", "info/exclude": "# none\n",
		} {
			if err := os.WriteFile(filepath.Join(top, ".git", name), []byte(text), 0o644); err != nil {
				return err
			}
		}
		err := filepath.WalkDir(top, func(dir string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() || dir != top && r.IntN(10) != 0 {
				return err
			}
			r.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
			text := strings.Join(rules[:2+r.IntN(8)], "\n") + "\n"
			return os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(text), 0o644)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
