// Package dirtest makes trees of files for tests.
package dirtest

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TempDir returns a new directory that all users may enter, and removes it
// after the test, with directories that lack permissions. (T.TempDir's
// directories are for their owner only, and Wine 8 does not support
// os.RemoveAll.)
func TempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ldx-test-")
	check(t, err)
	check(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { removeTree(t, dir) })
	// With a link on the way, as on macOS, absolute paths would differ.
	dir, err = filepath.EvalSymlinks(dir)
	check(t, err)
	return dir
}

func removeTree(t testing.TB, dir string) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		if err == nil {
			paths = append(paths, path)
		}
		return nil
	})
	for _, path := range slices.Backward(paths) {
		if removeErr := os.Remove(path); err == nil {
			err = removeErr
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// Make makes a tree below dir from descriptions of entries: "a/b/" is a
// directory, "a/b" a file that contains its own path, "empty =" an empty file,
// "l -> target" a symbolic link. Missing parents are made.
func Make(t testing.TB, dir string, entries ...string) {
	t.Helper()
	for _, entry := range entries {
		name, target, isLink := strings.Cut(entry, " -> ")
		name, isEmpty := strings.CutSuffix(name, " =")
		path := filepath.Join(dir, filepath.FromSlash(name))
		parent := path
		if !strings.HasSuffix(name, "/") {
			parent = filepath.Dir(path)
		}
		check(t, os.MkdirAll(parent, 0o755))
		switch {
		case isLink:
			err := os.Symlink(target, path)
			if _, missing := os.Lstat(path); missing != nil && runtime.GOOS == "windows" {
				t.Skip("this system makes no symbolic links", err) // not every user may make them; Wine claims to and does not
			}
			check(t, err)
		case isEmpty:
			check(t, os.WriteFile(path, nil, 0o644))
		case !strings.HasSuffix(name, "/"):
			check(t, os.WriteFile(path, []byte(name), 0o644))
		}
	}
}

// Trees are small trees shared by tests, by name.
var Trees = map[string][]string{
	"basic": {
		"a.txt", "b.TXT", "README.md", "empty.txt =",
		"src/main.go", "src/Makefile", "src/lib/lib.go", "src/lib/deep/er/leaf.go",
		"void/", ".hidden", ".config/settings", "src/.cache/x", "-dash",
	},
	"links": {
		"file", "dir/inner", "dir/sub/below",
		"to-file -> file", "to-dir -> dir", "broken -> nowhere", "self -> self",
		"a/to-sub -> ../dir/sub", "z/chain -> ../to-dir",
	},
	"loops": {
		"one/two/three/leaf", "one/up -> ..", "one/two/top -> ../..", "one/two/here -> .",
		"x/to-y -> ../y", "y/to-x -> ../x", "y/leaf",
	},
}

// Tree makes one of Trees in a temporary directory and returns its path.
func Tree(t testing.TB, name string) string {
	t.Helper()
	entries, ok := Trees[name]
	if !ok {
		t.Fatalf("dirtest: there is no tree %q", name)
	}
	dir := TempDir(t)
	Make(t, dir, entries...)
	return dir
}

// Setting returns the number in an environment variable, or the default: a seed
// to repeat a run, or a count to extend it.
func Setting(t testing.TB, name string, fallback uint64) uint64 {
	t.Helper()
	given := os.Getenv(name)
	if given == "" {
		return fallback
	}
	n, err := strconv.ParseUint(given, 10, 64)
	check(t, err)
	return n
}

// WeirdNames returns names that Unix allows and careless code does not expect.
func WeirdNames() []string {
	return []string{
		"new\nline", "tab\there", "\x1b[31mred\x1b[0m", "bad\xffutf8\xc3", "\xc3\x28", "ünï", "u\u0308", "日本",
		" lead", "trail ", "-rf", "--help", "*", "?", "[a]", "{b}", "\\", "'", `"`, "$HOME", "`id`", "a;b", "~", "...",
		"\x01", "\x7f", strings.Repeat("n", 255), strings.Repeat("\xff", 255),
	}
}

// Random makes a tree from a seed below dir: some hundred entries at up to six
// levels, with hidden ones, links and empty directories.
func Random(t testing.TB, dir string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	dirs := []string{dir}
	for i := range 40 + r.IntN(400) {
		parent := dirs[r.IntN(len(dirs))]
		path := filepath.Join(parent, randomName(r, i))
		switch kind := r.IntN(10); {
		case kind < 3 && strings.Count(path[len(dir):], string(filepath.Separator)) < 6:
			check(t, os.Mkdir(path, 0o755))
			dirs = append(dirs, path)
		case kind == 3:
			target, err := filepath.Rel(parent, dirs[r.IntN(len(dirs))])
			check(t, err)
			check(t, os.Symlink(target, path))
		default:
			check(t, os.WriteFile(path, make([]byte, r.IntN(3)*r.IntN(2000)), fs.FileMode(0o644|r.IntN(2)*0o111)))
		}
	}
}

func randomName(r *rand.Rand, i int) string {
	stems := []string{"a", "B", "readme", "Main", ".dot", "lib", "x y", "é", "-n", "z"}
	ends := []string{"", ".go", ".TXT", ".md", ".tar.gz"}
	return fmt.Sprintf("%s%d%s", stems[r.IntN(len(stems))], i, ends[r.IntN(len(ends))])
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
