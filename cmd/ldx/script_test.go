package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ldx/internal/cli"
	"ldx/internal/dirtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ldx": func() { os.Exit(cli.Main()) }})
}

// TestScript runs testdata/script. Besides testscript's own commands there are
//
//	tree NAME DIR        make one of dirtest.Trees in DIR
//	found FILE           the last stdout has FILE's lines, in any order
//	unprivileged CMD ..  as exec, but not as root
func TestScript(t *testing.T) {
	openToAll(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		WorkdirRoot:         dirtest.TempDir(t),
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Condition: func(cond string) (bool, error) {
			return cond == "root" && os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"tree":         tree,
			"found":        found,
			"unprivileged": unprivileged,
		},
	})
}

// openToAll lets other users run the ldx that testscript has put into PATH.
func openToAll(t *testing.T) {
	t.Helper()
	ldx, err := exec.LookPath("ldx")
	if err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(ldx); dir != filepath.Clean(os.TempDir()) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func tree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tree NAME DIR")
	}
	entries, ok := dirtest.Trees[args[0]]
	if !ok {
		ts.Fatalf("there is no tree %q", args[0])
	}
	dirtest.Make(scriptTB{ts: ts}, ts.MkAbs(args[1]), entries...)
}

// scriptTB lets a script's failure be that of a helper for tests.
type scriptTB struct {
	testing.TB
	ts *testscript.TestScript
}

func (scriptTB) Helper()             {}
func (t scriptTB) Fatal(args ...any) { t.ts.Fatalf("%v", args) }
func (t scriptTB) Skip(args ...any)  { t.ts.Fatalf("%v", args) }

func found(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: found FILE")
	}
	got, want := sortedLines(ts.ReadFile("stdout")), sortedLines(ts.ReadFile(args[0]))
	if !slices.Equal(got, want) {
		ts.Fatalf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func sortedLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, `\`, "/"), "\n"), "\n")
	slices.Sort(lines)
	return lines
}
