package dirtest

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Repository makes a minimal git repository in dir, with the given lines in its
// configuration.
func Repository(t testing.TB, dir string, config ...string) {
	t.Helper()
	for _, name := range []string{"objects", "refs", "info"} {
		check(t, os.MkdirAll(filepath.Join(dir, ".git", name), 0o755))
	}
	check(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	text := "[core]\n\trepositoryformatversion = 0\n" + strings.Join(config, "\n") + "\n"
	check(t, os.WriteFile(filepath.Join(dir, ".git", "config"), []byte(text), 0o644))
}

// RandomRepository makes a repository from a seed in dir: a tree with few
// distinct names, and rule files of all kinds that use these.
func RandomRepository(t testing.TB, dir string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	config := []string{"\tignorecase = " + []string{"false", "false", "true"}[r.IntN(3)]}
	if r.IntN(3) == 0 {
		config = append(config, "\texcludesFile = .git/excludes")
	}
	Repository(t, dir, config...)
	dirs := []string{dir}
	for range 5 + r.IntN(40) {
		path := filepath.Join(dirs[r.IntN(len(dirs))], ruleNames[r.IntN(len(ruleNames))])
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		switch r.IntN(5) {
		case 0, 1:
			check(t, os.Mkdir(path, 0o755))
			dirs = append(dirs, path)
		case 2:
			if r.IntN(4) == 0 {
				check(t, os.Symlink(dirs[r.IntN(len(dirs))], path))
				continue
			}
			fallthrough
		default:
			check(t, os.WriteFile(path, nil, 0o644))
		}
	}
	for i, d := range dirs {
		if i == 0 || r.IntN(3) == 0 {
			check(t, os.WriteFile(filepath.Join(d, ".gitignore"), randomRules(r), 0o644))
		}
	}
	for _, name := range []string{"info/exclude", "excludes"} {
		if r.IntN(3) == 0 {
			check(t, os.WriteFile(filepath.Join(dir, ".git", name), randomRules(r), fs.FileMode(0o644)))
		}
	}
}

var ruleNames = []string{
	"a", "b", "c", "ab", "abc", "A", "B", "aB", "foo", "foo.o", "Foo.O", "x.o", "foobar", "bar.tar.gz", ".hid", ".a",
	"a b", "a ", "#c", "!a", "[a]", "a]", "{a,b}", "*", "a*b", `a\b`, `\`, "é", "\xff", "-a", "a1", "a-b", "?", "a\rb", "a\r",
}

// randomRules returns a random rule file.
func randomRules(r *rand.Rand) []byte {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	element := func() (s string) {
		for range 1 + r.IntN(2)*r.IntN(3) {
			switch r.IntN(4) {
			case 0:
				s += pick("*", "*", "?", "**", "***", "[ab]", "[!a]", "[^b]", "[a-c]", "[A-Z]", "[[:alpha:]]", "[[:upper:]]",
					"[]a]", "[a-]", "[]-a]", `[\]]`, `[a\-c]`, "[", "[a", "[!", "[[:foo:]]", "[[:]a]", "[--0]", "[é]", "[b-a]",
					"[^\x00-\x7f]", "[[:space:]]", "[[:punct:]]", "[/]", "[a/b]")
			case 1:
				s += pick(`\a`, `\*`, `\!`, `\#`, `\\`, `\ `, `\[`, `\A`, `\/`, "{a,b}", `\`, ".o", ".*", "a", "b")
			default:
				s += ruleNames[r.IntN(len(ruleNames))]
			}
		}
		return s
	}
	rules := pick("", "", "", "\ufeff")
	for range r.IntN(8) {
		line := pick("", "", "", "!", "!", "/", "/", "!/", "**/", "#", " ", "!!")
		for n := pick("", "", "/", "//"); ; n = n[1:] {
			line += element()
			if n == "" {
				break
			}
			line += pick("/", "/", "/**/", "/*/", "//")
		}
		line += pick("", "", "", "", "/", "/", "/**", "/*", " ", "  ", `\ `, "\t", `\`, "\x00b")
		rules += line + pick("\n", "\n", "\n", "\r\n", "\n\n")
	}
	if r.IntN(4) == 0 {
		rules += pick("a", "b\r", "!", "/", "*", "!a/")
	}
	return []byte(rules)
}
