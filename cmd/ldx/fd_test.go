package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// fdTrees are the trees of testdata/fd that dirtest does not have.
var fdTrees = map[string]func(t *testing.T, dir string){
	"project": func(t *testing.T, dir string) {
		dirtest.Make(t, dir, "a.txt", "b.TXT", "C.md", "one.tar.gz", "UPPER", "src/main.rs", "src/lib/mod.rs", "src/lib/deep/x.rs",
			"src/lib/deep/y.txt",
			"target/out.o", "target/dep/z.o", ".hidden/in.txt",
			".dot", ".git/HEAD", "docs/read me.md", "docs/é.md", "docs/été/x", "empty =", "void/",
			"build.log", "keep.log", "link -> src/main.rs",
			"dirlink -> src", "broken -> nowhere", "a-b/c", "a/c", "a.b/c", "no_ext", "x.", ".rc.bak")
		for name, text := range map[string]string{
			".gitignore": "target/\n*.log\n!keep.log\n", ".ignore": "docs/été\n",
			".fdignore": "C.md\n", "rules": "*.rs\n", "src/.gitignore": "y.txt\n",
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		require.NoError(t, os.Chmod(filepath.Join(dir, "no_ext"), 0o755))
	},
	"attributes": func(t *testing.T, dir string) {
		for i, size := range []int64{0, 1, 9, 10, 999, 1000, 1023, 1024, 1025, 10_000, 1 << 20, 1_000_000, 5 << 20} {
			name := filepath.Join(dir, fmt.Sprintf("s%02d_%d", i, size))
			require.NoError(t, os.WriteFile(name, nil, 0o644))
			require.NoError(t, os.Truncate(name, size))
		}
		dirtest.Make(t, dir, "sub/", "old/x", ".to-s -> s05_1000", "gone -> nothing")
		for name, age := range map[string]time.Duration{
			"s00_0": 0, "s01_1": 30 * time.Minute, "s02_9": 5 * time.Hour,
			"s03_10": 30 * time.Hour, "s04_999": 8 * 24 * time.Hour, "s05_1000": 40 * 24 * time.Hour,
			"s06_1023": 400 * 24 * time.Hour, "old": 2000 * 24 * time.Hour, "old/x": 3 * time.Second,
			"sub": 100 * 24 * time.Hour, "s07_1024": -time.Hour,
		} {
			then := time.Now().Add(-age)
			require.NoError(t, os.Chtimes(filepath.Join(dir, name), then, then))
		}
		at := time.Date(2020, 2, 29, 12, 30, 0, 0, time.UTC)
		require.NoError(t, os.Chtimes(filepath.Join(dir, "s08_1025"), at, at))
		for name, mode := range map[string]os.FileMode{
			"s09_10000": 0o755, "s10_1048576": 0o600, "sub": 0o777 | os.ModeSticky,
			"s11_1000000": 0o4755 | os.ModeSetuid,
		} {
			require.NoError(t, os.Chmod(filepath.Join(dir, name), mode))
		}
		require.NoError(t, os.Link(filepath.Join(dir, "s01_1"), filepath.Join(dir, "twin")))
		if os.Geteuid() == 0 {
			require.NoError(t, os.Chown(filepath.Join(dir, "s03_10"), 1, 2))
			require.NoError(t, os.Chown(filepath.Join(dir, "s04_999"), 65534, 0))
		}
	},
	"weird": func(t *testing.T, dir string) {
		for _, name := range dirtest.WeirdNames() {
			dirtest.Make(t, dir, name, "-d/"+name)
		}
	},
}

// TestFd runs a real fd, and ldx called as fd, with the arguments in
// testdata/fd: one line each, for the tree that the file is named after.
// Results, their order, whether an error is reported, and the exit status must
// be the same. A line that begins with ~ gives the reason why they differ; they
// must differ then.
func TestFd(t *testing.T) {
	fd := fdProgram(t)
	own := filepath.Join(dirtest.TempDir(t), "fd")
	ldx, err := exec.LookPath("ldx")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(ldx, own))

	files, err := filepath.Glob("testdata/fd/*.txt")
	require.NoError(t, err)
	rows := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		dir := dirtest.TempDir(t)
		if entries, ok := dirtest.Trees[name]; ok {
			dirtest.Make(t, dir, entries...)
		} else {
			fdTrees[name](t, dir)
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			rows++
			reason := ""
			if rest, ok := strings.CutPrefix(line, "~"); ok {
				reason, line, _ = strings.Cut(rest, "::")
			}
			t.Run(name+" "+line, func(t *testing.T) {
				args := shellWords(t, line)
				want, got := runFd(t, dir, fd, args), runFd(t, dir, own, args)
				if reason == "" {
					assert.Equal(t, want, got)
				} else {
					assert.NotEqual(t, want, got, "they agree in spite of: %s", reason)
				}
			})
		}
	}
	t.Log(rows, "rows")
	require.Greater(t, rows, 400)
}

// fdProgram returns the fd to compare with: LDX_FD, or a version 10 in PATH.
func fdProgram(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the trees are those of Unix")
	}
	fd := os.Getenv("LDX_FD")
	if fd == "" {
		fd = "fd"
	}
	version, err := exec.Command(fd, "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "fd 10.") {
		if os.Getenv("LDX_FD") != "" {
			t.Fatalf("%s is not fd 10: %s %v", fd, version, err)
		}
		t.Skip("there is no fd 10; LDX_FD can name one")
	}
	return fd
}

// An answer is the outcome of a program.
type answer struct {
	stdout   string
	reported bool
	status   int
}

func runFd(t *testing.T, dir, program string, args []string) answer {
	t.Helper()
	program, err := exec.LookPath(program)
	require.NoError(t, err)
	if !ownWords.MatchString(args[0]) {
		args = slices.Concat(args[:0:0], []string{"--max-buffer-time=60000"}, args) // sorts all results
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "TZ=UTC", "LC_ALL=C", "SHELL=/bin/bash", "GORACE=" + os.Getenv("GORACE"),
		"LDX_TEST_RECORD=" + os.Getenv("LDX_TEST_RECORD"),
		"LS_COLORS=di=01;34:ln=01;36:or=31;01:ex=01;32:pi=33:*.txt=00;35:*.tar.gz=04;31:" +
			"*.md=38;5;203:ow=34;42:tw=30;42:st=37;44:su=37;41:fi=00:mh=44",
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		t.Fatal(err)
	}
	out := stdout.String()
	require.NotContains(t, stderr.String(), "goroutine", "%q", args)
	switch {
	case ownWords.MatchString(args[0]):
		out = fmt.Sprint(len(out) > 0)
	case slices.Contains(args, "-X"):
		words := strings.Fields(out)
		slices.Sort(words)
		out = fmt.Sprint(strings.Count(out, "\n"), " lines ", words)
	case slices.ContainsFunc(args, unordered.MatchString):
		lines := strings.FieldsFunc(out, func(r rune) bool { return r == '\n' || r == 0 })
		for i := range lines {
			lines[i] = strings.Join(strings.Fields(lines[i]), " ") // columns
		}
		slices.Sort(lines)
		out = strings.Join(lines, "\n")
	}
	return answer{stdout: plainColours(out), reported: stderr.Len() > 0, status: cmd.ProcessState.ExitCode()}
}

var (
	ownWords  = regexp.MustCompile("^(--help|-h|--version|-V|--gen-completions.*)$") // each program has its own texts
	unordered = regexp.MustCompile("^(-H?x.*|--exec.*|-l|--list-details)$")
)

var sgr = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// plainColours keeps each colour only where it begins.
func plainColours(text string) string {
	var b strings.Builder
	style, written, at := "", "", 0
	put := func(part string) {
		if part != "" && style != written {
			fmt.Fprintf(&b, "<%s>", style)
			written = style
		}
		b.WriteString(part)
	}
	for _, m := range sgr.FindAllStringSubmatchIndex(text, -1) {
		put(text[at:m[0]])
		at = m[1]
		style = normalStyle(text[m[2]:m[3]])
	}
	put(text[at:])
	return b.String()
}

// normalStyle returns attributes and colours in one order; terminals do not
// distinguish others.
func normalStyle(code string) string {
	var numbers []string
	for number := range strings.SplitSeq(code, ";") {
		if number = strings.TrimLeft(number, "0"); number != "" {
			numbers = append(numbers, number)
		}
	}
	if !strings.Contains(code, "8;5;") {
		slices.Sort(numbers)
	}
	return strings.Join(numbers, ";")
}

// shellWords splits a line at spaces, except between ”.
func shellWords(t *testing.T, line string) []string {
	var words []string
	word, quoted, some := "", false, false
	for _, r := range line + " " {
		switch {
		case r == '\'':
			quoted, some = !quoted, true
		case r == ' ' && !quoted:
			if some {
				words = append(words, word)
			}
			word, some = "", false
		default:
			word, some = word+string(r), true
		}
	}
	require.False(t, quoted, "%s", line)
	return words
}
