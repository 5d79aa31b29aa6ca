package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// findLines are common lines of find, without the first word. For each, ldx prints a line that
// finds the same.
var findLines = []string{
	`.`,
	`-name '*.ts'`,
	`. -name '*.ts'`,
	`. -iname 'readme*'`,
	`. -type f`,
	`. -type d -name node_modules`,
	`. -type f -name '*.ts' -mtime -7`,
	`. -name '*.ts' -o -name '*.js'`,
	`. -type f \( -name '*.ts' -o -name '*.js' \)`,
	`. ! -name '*.ts'`,
	`. -type f -not -path '*/node_modules/*'`,
	`. -type f -not -path './.git/*' -name '*.js'`,
	`. -path ./node_modules -prune -o -type f -print`,
	`. -name node_modules -prune -o -name '*.js' -print`,
	`. -type d \( -name .git -o -name node_modules \) -prune -o -type f -print`,
	`. -maxdepth 1 -type f`,
	`. -mindepth 2 -maxdepth 3 -name '*.ts'`,
	`. -empty`,
	`. -type f -empty`,
	`. -type d -empty`,
	`. -type f -size +10k`,
	`. -type f -size -2k`,
	`. -type f -size 2k`,
	`. -type f -size 1`,
	`. -type f -size 0`,
	`. -type f -size +2000c`,
	`. -mtime +30`,
	`. -type f -mtime 3`,
	`. -mtime 0`,
	`. -mmin -60`,
	`. -type f -mmin +120`,
	`. -newer 'with space.ts'`,
	`. -type f -newermt 2024-01-01 ! -newermt 2025-06-01`,
	`. -perm 755`,
	`. -type f -perm -u+x`,
	`. -type f -perm /111`,
	`. -type f ! -perm 644`,
	`. -user "$(id -un)" -type d`,
	`. -type l`,
	`. -xtype l`,
	`. -type f -anewer a.ts`,
	`. -cnewer a.ts`,
	`. -nouser`,
	`. -nogroup`,
	`. -fstype tmpfs`,
	`. -type f,l -name 'link*'`,
	`. -links +1 -type f`,
	`. -samefile twin`,
	`src -name '*.ts'`,
	`src docs -type f`,
	`. -path '*/src/*.ts'`,
	`src -path '*/src/*'`,
	`src -path 'src/lib/*'`,
	`. -path './src/*' -name '*.ts'`,
	`. -regex '.*\.\(ts\|js\)'`,
	`. -regex './src/.*[0-9]+\.ts'`,
	`. -iregex '.*/READ.*'`,
	`. -name '*[0-9].ts'`,
	`. -name '.*'`,
	`. -name '*.{ts}'`,
	`. -name '-dash*'`,
	`. -name "*'*"`,
	`. -type f -executable`,
	`. -xdev -type f -name '*.js'`,
	`. -type f -name '*.ts' -print`,
	`. -name '*.ts' -not -name 'a*'`,
	`. \! \( -name '*.ts' -o -name '*.js' \) -type f`,
	`"$PWD/src" -name '*.ts'`,
}

// findCommands are lines of find that write or run something. In both trees the same must be
// left, and they must print the same lines.
var findCommands = []string{
	`. -name '*.log' -delete`,
	`. -type f -name '*.js' -exec rm {} \;`,
	`. -type f -name '*.js' -exec rm -f {} +`,
	`. -type f -name '*.ts' -exec grep -l word {} +`,
	`. -type f -name '*.ts' -exec sh -c 'echo "${1#./}" {x}' _ {} \;`,
	`. -type f -name '*.ts' -exec chmod 600 {} \; -exec touch -d @0 {} \;`,
	`. -mindepth 2 -type f -execdir sh -c 'echo "${PWD##*/} $1 {x}"' _ {} \;`,
	`. -mindepth 2 -type d -execdir sh -c 'echo "${PWD##*/}" "$1"' _ {} \; -execdir chmod 700 {} \;`,
	`. -type f -name '*.js' -execdir rm {} \;`,
	`. -name '*.ts' -print0 | xargs -0 rm`,
	`. -type f -printf '%f %s\n'`,
	`. -type d -empty -delete`,
	`. -type f -name only.md -print -quit`,
}

// findTree makes a tree with hidden and ignored files, links, and names with spaces.
func findTree(t *testing.T) string {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "a.ts", "B.ts", "with space.ts", ".hidden.ts", "README.md", "docs/readme.txt", "docs/only.md", "src/x.ts",
		"src/lib/y1.ts",
		"src/lib/deep/z22.ts", "src/lib/deep/er/e.js", "node_modules/m/index.js", "src/node_modules/n.js", "build/out.js", "build/src/gen.ts",
		"app.log",
		"logs/old.log", ".git/HEAD", ".git/config.ts", "empty/", "docs/src/void/", "link -> src", "link.ts -> a.ts", "broken -> nowhere",
		"x.{ts}", "-dash.ts", "it's.ts", "src/src/s.ts")
	write := func(name string, size int) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), bytes.Repeat([]byte("word\n"), size/5), 0o644))
	}
	for i, name := range []string{"a.ts", "src/x.ts", "build/out.js", "app.log", "README.md", ".hidden.ts", "src/lib/y1.ts"} {
		write(name, []int{500, 1000, 1025, 2000, 2050, 10_240, 10_245}[i])
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("node_modules/\nbuild\n*.log\n"), 0o644))
	require.NoError(t, os.Chmod(filepath.Join(dir, "src/x.ts"), 0o755))
	require.NoError(t, os.Link(filepath.Join(dir, "a.ts"), filepath.Join(dir, "twin")))
	now := time.Now()
	for i, name := range []string{"a.ts", "src/x.ts", "docs", "build/out.js", "src/lib/y1.ts", "README.md", "with space.ts", "empty"} {
		minutes := []time.Duration{30, 90, 74 * 60, 6 * 24 * 60, 8 * 24 * 60, 31 * 24 * 60, 5 * 60, 30*24*60 + 60}[i]
		then := now.Add(-minutes * time.Minute)
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), then, then))
	}
	return dir
}

// gnuFind skips the test if find is not GNU's.
func gnuFind(t *testing.T) {
	t.Helper()
	peer(t, "find")
	if out, _ := exec.Command("find", "--version").Output(); !bytes.Contains(out, []byte("GNU")) {
		t.Skip("this needs GNU find")
	}
}

// runLine runs a line and returns its lines of output, sorted, with paths as ldx prints them.
func runLine(t *testing.T, dir, line string) []string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s", line, &stderr)
	lines := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
	for i, path := range lines {
		path = strings.TrimPrefix(path, "./")
		lines[i] = strings.TrimSuffix(path, "/")
	}
	slices.Sort(lines)
	return lines
}

// inLdx returns what ldx says that a line of find's is.
func inLdx(t *testing.T, dir, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", "ldx "+line)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	exit, ok := errors.AsType[*exec.ExitError](err)
	require.True(t, ok, "%s: %s", line, out)
	require.Equal(t, 2, exit.ExitCode(), "%s: %s", line, &stderr)
	require.Empty(t, string(out), line)
	first, _, _ := strings.Cut(stderr.String(), "\n")
	_, answer, ok := strings.Cut(first, " is: ")
	require.True(t, ok, "%s: %s", line, &stderr)
	return answer
}

// TestFindLines types lines of find with ldx for find. Nothing is run, and the line that ldx
// answers with finds what GNU find does, but for the given paths themselves.
func TestFindLines(t *testing.T) {
	gnuFind(t)
	dir := findTree(t)
	for _, line := range findLines {
		t.Run(line, func(t *testing.T) {
			want := runLine(t, dir, "find "+line)
			if line == "." {
				line = ". -true"
			}
			answer := inLdx(t, dir, line)
			want = slices.DeleteFunc(want, func(path string) bool {
				return slices.Contains([]string{".", "src", "docs"}, path) && isRoot(line, path)
			})
			assert.Equal(t, want, runLine(t, dir, answer), "%s", answer)
			t.Log(answer)
		})
	}
}

// isRoot reports whether a line of find searches a path.
func isRoot(line, path string) bool {
	for word := range strings.FieldsSeq(line) {
		if strings.HasPrefix(word, "-") || word == `\!` || word == `\(` {
			return false
		}
		if word == path {
			return true
		}
	}
	return false
}

// TestFindCommands does the same for lines that run commands, each in a tree of its own.
func TestFindCommands(t *testing.T) {
	gnuFind(t)
	for _, line := range findCommands {
		t.Run(line, func(t *testing.T) {
			theirs, ours := findTree(t), findTree(t)
			printed := runLine(t, theirs, "find "+line)
			find, rest, piped := strings.Cut(line, " | ")
			answer := strings.Replace(inLdx(t, ours, find), "--delete", "--delete --yes", 1)
			if piped {
				answer += " | " + rest
			}
			if strings.Contains(line, "-delete") && strings.Contains(line, "-type d") { // the note says so
				answer += " && " + answer
			}
			assert.Equal(t, printed, runLine(t, ours, answer), "%s", answer)
			const list = `find . -printf '%p %s %m\n'`
			assert.Equal(t, runLine(t, theirs, list), runLine(t, ours, list), "%s", answer)
			t.Log(answer)
		})
	}
}

// TestFindWordsWithoutCounterpart checks that the word is named that keeps a line of find's from
// being answered.
func TestFindWordsWithoutCounterpart(t *testing.T) {
	gnuFind(t)
	dir := findTree(t)
	for line, want := range map[string]string{
		`. -used 3`:                              "find's -used has no counterpart",
		`. -name x -execdir ls {} +`:             `find's -execdir with + has no counterpart in ldx; end it with \;`,
		`. -exec ls {} \; -execdir ls {} \;`:     "find's -execdir after -exec has no counterpart",
		`. -exec rm other \;`:                    "find's -exec without {} has no counterpart",
		`. -ok ls {} \; -okdir date \;`:          "find's -okdir after -ok has no counterpart",
		`. -ok ls {} \; -ok date \;`:             "find's -ok without {} has no counterpart",
		`. -exec echo {{}} \;`:                   "find's {} before a } has no counterpart",
		`. -printf '{%f}\n'`:                     "%f before a } of find's -printf has no counterpart",
		`. -ok ls {} \; -exec ls {} \;`:          "find's -exec after -ok has no counterpart",
		`. -name '*.ts' -iname 'a*'`:             "find's -iname has no counterpart",
		`. -type f -o -name x`:                   "find's -o ",
		`. -name x -exec grep -q y {} \; -print`: "find's -print after -exec",
		`. -name x -print -o -name y`:            "find's -o ",
		`. -maxdepth 0`:                          "find's -maxdepth 0",
		`. -newermt yesterday`:                   "find's -newermt yesterday",
		`. -name x -printf '%T@\n'`:              "%T of find's -printf",
		`. -type q`:                              "find's -type q",
		`. -name`:                                "find's -name needs a value",
		`. -name x -exec`:                        "find's -exec needs a command",
		`. \( -name x`:                           "find's ( is not closed",
		`. -name x \)`:                           "find's ')' has no ( before it",
		`. -name x !`:                            "find's ! needs a test",
		`main -name x`:                           "main is a pattern already; give that or find's -name",
		`. -regex '.*\(a\)\1'`:                   `\1 of find's -regex`,
		`. -size +1x`:                            "find's -size +1x",
		`. -name x , -name y`:                    "find's , has no counterpart",
		`. -mtime abc`:                           "find's -mtime abc",
		`. -name x -fprint out`:                  "redirect the output",
	} {
		cmd := exec.Command("sh", "-c", "ldx "+line)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		exit, ok := errors.AsType[*exec.ExitError](err)
		require.True(t, ok, line)
		assert.Equal(t, 2, exit.ExitCode(), line)
		assert.Contains(t, string(out), want, line)
		assert.Equal(t, 1, strings.Count(string(out), "\n"), line)
	}
}

// TestFindGlobs compares random globs of -name, -path and -regex with GNU find.
func TestFindGlobs(t *testing.T) {
	gnuFind(t)
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "-/a", "-/b", "-/ab", "a.b", ".a", "{a,b}", "{", "}", "a]", "[a", "a-b", "a!", "a/b", "ab/a.b/ab",
		"b/.b/a", "ab/{a,b}", "b/-", "abx/a", "-a/x")
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 19))
	parts := strings.Fields(`a b a b . - * * ? [ab] [!a] [^b] [a-b] { } , ] ! / \{ [.]`)
	answered := 0
	for range 60 {
		glob := ""
		for range 1 + r.IntN(4) {
			glob += parts[r.IntN(len(parts))]
		}
		word := []string{"-name", "-path", "-regex"}[r.IntN(3)]
		switch word {
		case "-name":
			glob = strings.ReplaceAll(glob, "/", "")
		case "-path":
			glob = []string{"*/", "./", "*", ""}[r.IntN(4)] + glob
		case "-regex":
			glob = []string{".*/", "./", ".*"}[r.IntN(3)] + strings.NewReplacer("[!a]", "x?", ",", `\(a\|b\)`).Replace(glob)
		}
		line := ". " + word + " '" + glob + "'"
		out, err := exec.Command("sh", "-c", "cd "+dir+" && ldx "+line+" 2>&1").Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 || strings.Contains(string(out), "has no counterpart") ||
			strings.Contains(string(out), "-regex: ") {
			require.NotContains(t, string(out), "goroutine")
			continue
		}
		answered++
		want := slices.DeleteFunc(runLine(t, dir, "find "+line+" 2>/dev/null || true"), func(path string) bool { return path == "." })
		answer := inLdx(t, dir, line)
		require.Equal(t, want, runLine(t, dir, answer), "seed %d: %s: %s", seed, line, answer)
	}
	assert.Greater(t, answered, 20)
}
