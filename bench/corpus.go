package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// corpus returns the directory of a tree to search, and makes it if need be.
func corpus(tree, dir string, seed uint64, entries int) (string, error) {
	switch tree {
	case "usr":
		return once(filepath.Join(dir, "usr"), copiesOfUsr)
	case "made":
		name := fmt.Sprintf("made-%d-%d", seed, entries)
		return once(filepath.Join(dir, name), func(path string) error { return madeTree(path, seed, entries) })
	case "repositories":
		name := fmt.Sprintf("repositories-%d-%d", seed, entries)
		return once(filepath.Join(dir, name), func(path string) error { return madeRepositories(path, seed, entries) })
	}
	_, err := os.Stat(tree)
	return tree, err
}

// once has make make a tree, unless it was made before. What a failure leaves is
// removed.
func once(path string, make func(path string) error) (string, error) {
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
	if err := make(unfinished); err != nil {
		return "", err
	}
	return path, os.Rename(unfinished, path)
}

// copiesOfUsr makes a tree of about a million entries in seconds: the names and
// shapes are real, and the files take no room, since they are hard links.
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

// madeTree makes a tree from a seed: on average nine entries a directory and one
// of them a directory, as in a real one.
func madeTree(path string, seed uint64, entries int) error {
	r := rand.New(rand.NewPCG(seed, seed))
	dirs := []string{path}
	for i := range entries {
		parent := dirs[r.IntN(len(dirs))]
		if i%9 == 0 {
			// The newer, the likelier to get children: deep and bushy parts.
			parent = dirs[max(r.IntN(len(dirs)), r.IntN(len(dirs)))]
			name := filepath.Join(parent, word(r)+fmt.Sprint(i))
			if err := os.Mkdir(name, 0o755); err != nil {
				return err
			}
			dirs = append(dirs, name)
			continue
		}
		f, err := os.Create(filepath.Join(parent, word(r)+fmt.Sprint(i)+extension(r)))
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// madeRepositories makes a folder of repositories, with rules at the top of each
// and in one directory of ten.
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
		if err := madeTree(top, r.Uint64(), each); err != nil {
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

func word(r *rand.Rand) string {
	var b strings.Builder
	for range 3 + r.IntN(12) {
		b.WriteByte('a' + byte(r.IntN(26)))
	}
	return b.String()
}

func extension(r *rand.Rand) string {
	all := []string{".go", ".c", ".h", ".so", ".md", ".txt", ".png", ".js", ".py", ""}
	return all[r.IntN(len(all))]
}
