package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

func hintsTree(t *testing.T) string {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "main.go", "Main.md", "README.md", "NOTES.md", "lib/lib.ts", "src/main.ts", "src/deep/util.ts", "foo1.ts",
		".hidden", ".git/", "a.o", "MAIN2")
	require.NoError(t, os.WriteFile(dir+"/.gitignore", []byte("*.o\n"), 0o644))
	return dir
}

// TestHints checks what a search without results says on a terminal: the most likely reason, in
// one line. Where it names a command line or a flag, that finds as many as it says.
func TestHints(t *testing.T) {
	dir := hintsTree(t)
	const hidden = "ldx: nothing found, but 3 hidden and 1 ignored left out; -u looks there too, --why PATH says why"
	for args, want := range map[string]string{
		"MAIN.GO":                       "ldx: nothing found, but -i would find 1",
		"-s MAIN --not 2":               "ldx: nothing found, but -i would find 3",
		"-g MAI?.*":                     "ldx: nothing found, but -i would find 3",
		"foo*.ts":                       "ldx: nothing found; this finds 1: ldx -g 'foo*.ts'",
		"foo*.ts .":                     "ldx: nothing found; this finds 1: ldx -g 'foo*.ts' .",
		"-F *.md":                       "ldx: nothing found; this finds 3: ldx -g '*.md'",
		"-e *.ts":                       "ldx: nothing found, but -e ts would find 4",
		"-e *.ts -e *.md":               "ldx: nothing found, but -e ts,md would find 7",
		"-p -g src/*.ts":                "ldx: nothing found; this finds 1: ldx -p -g '**/src/*.ts'",
		"-p -g ./src/**":                "ldx: nothing found; this finds 3: ldx -p -g '**/src/**'",
		"-d 1 util":                     "ldx: nothing found, but without -d 1 there would be 1",
		"^lib$ -t f":                    hidden,
		"lib -t l":                      "ldx: nothing found; to search in that directory: ldx . lib",
		"NOTES.md README.md":            "ldx: searched only the file README.md; did the shell expand a pattern? Quote it: ldx -g '*.md'",
		"-g NOTES.md main.go":           "ldx: searched only the file main.go; did the shell expand a pattern? Quote it: ldx -g '*.md'",
		"-e NOTES.md main.go README.md": "ldx: searched only the file README.md; did the shell expand a pattern? Quote it: ldx -g '*.go'",
		"-E NOTES.md x main.go a.o":     "ldx: searched only the files main.go, a.o; did the shell expand a pattern? Quote it: ldx -g '*.md'",
		"x main.go a.o MAIN2 foo1.ts":   "ldx: searched only the files main.go, a.o, MAIN2 and 1 other",
		"nope":                          hidden,
		"-H nope":                       "ldx: nothing found, but 1 ignored left out; -u looks there too, --why PATH says why",
		"-u nope":                       "",
		"main":                          "",
	} {
		shown := onTerminal(t, dir, strings.Fields(args)...)
		if want != "" {
			want += "\n"
		}
		assert.Equal(t, want, shown, args)
		if _, line, ok := strings.Cut(shown, ": ldx "); ok {
			n := len(runLine(t, dir, "ldx "+line))
			if _, number, ok := strings.Cut(shown, "this finds "); ok {
				number, _, _ = strings.Cut(number, ":")
				assert.Equal(t, number, strconv.Itoa(n), args)
			}
			assert.NotZero(t, n, args)
		}
	}
}

// TestSlashAdvice checks that the command line that is suggested for a pattern with a slash finds
// what was meant.
func TestSlashAdvice(t *testing.T) {
	dir := hintsTree(t)
	for args, want := range map[string][2]string{
		"src/main":            {"ldx main src", "src/main.ts"},
		"./src/main":          {"ldx main src", "src/main.ts"},
		"src/deep/ut":         {"ldx ut src/deep", "src/deep/util.ts"},
		"-F src/main.":        {"ldx -F main. src", "src/main.ts"},
		"--exact src/main.ts": {"ldx --exact main.ts src", "src/main.ts"},
		"**/util.*":           {"ldx -g 'util.*'", "src/deep/util.ts"},
		"**/*.go":             {"ldx -g '*.go'", "main.go"},
		"src/*.ts":            {"ldx -p -g '**/src/*.ts'", "src/main.ts"},
		"-g src/*.ts":         {"ldx -p -g '**/src/*.ts'", "src/main.ts"},
		"-g ./src/*.ts":       {"ldx -p -g '**/src/*.ts'", "src/main.ts"},
		"-g **/deep/*":        {"ldx -p -g '**/deep/*'", "src/deep/util.ts"},
		"rc/main":             {"ldx -p rc/main", "src/main.ts"},
		"^src/ma":             {"ldx -p /src/ma", "src/main.ts"},
		"-F rc/main":          {"ldx -p -F rc/main", "src/main.ts"},
		"src/main lib src":    {"ldx -p src/main lib src", "src/main.ts"},
	} {
		cmd := exec.Command("ldx", strings.Fields(args)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.Error(t, err, args)
		_, line, ok := strings.Cut(strings.TrimSpace(string(out)), "and no name has one; try: ")
		require.True(t, ok, "%s: %s", args, out)
		assert.Equal(t, want[0], line, args)
		assert.Equal(t, []string{want[1]}, runLine(t, dir, line), args)
	}
}

// TestLinesOnTerminal checks that errors break between words on a terminal, and that a command
// line does not break.
func TestLinesOnTerminal(t *testing.T) {
	dir := hintsTree(t)
	shown := onTerminalOf(t, 40, dir, "nope")
	assert.Equal(t, "ldx: nothing found, but 3 hidden and 1\nignored left out; -u looks there too,\n--why PATH says why\n", shown)
	shown = onTerminalOf(t, 40, dir, "-p", "-g", "src/*.ts")
	assert.Equal(t, "ldx: nothing found; this finds 1:\n  ldx -p -g '**/src/*.ts'\n", shown)
}
