package main

import (
	"errors"
	"fmt"
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

// TestMain lets the test binary be ldx: it runs the tests with a copy of itself
// of that name in PATH, which any user may run.
func TestMain(m *testing.M) {
	switch strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") {
	case "ldx", "fd", "fdfind":
		recordFirst()
		os.Exit(cli.Main())
	}
	bin, ldx, err := installLdx()
	if err == nil {
		err = os.Setenv("LDX_CONFIG", os.DevNull) // not that of whoever runs the tests
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	_ = os.Remove(ldx)
	_ = os.Remove(bin)
	os.Exit(status)
}

// recordFirst records what the command is about to search, if LDX_TEST_RECORD names a directory
// for the recordings: so all tests are run a second time, with recordings. The tag ldx_noslack
// has them used at once.
func recordFirst() {
	state := os.Getenv("LDX_TEST_RECORD")
	if state == "" || os.Getenv("LDX_TEST_RECORDING") != "" || os.Getenv("XDG_STATE_HOME") != "" {
		return
	}
	if err := os.Setenv("XDG_STATE_HOME", state); err != nil {
		panic(err)
	}
	for _, path := range append([]string{"."}, os.Args[1:]...) {
		if info, err := os.Stat(path); err != nil || !info.IsDir() || filepath.Dir(path) == path {
			continue
		}
		index := exec.Command(os.Args[0], "index", path)
		index.Env = append(os.Environ(), "LDX_TEST_RECORDING=1")
		_ = index.Run() // what cannot be recorded is read
	}
}

func installLdx() (bin, ldx string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", "", err
	}
	program, err := os.ReadFile(self)
	if err != nil {
		return "", "", err
	}
	if bin, err = os.MkdirTemp("", "ldx-bin-"); err != nil {
		return "", "", err
	}
	ldx = filepath.Join(bin, "ldx"+strings.TrimPrefix(filepath.Ext(self), ".test"))
	return bin, ldx, errors.Join(
		os.Chmod(bin, 0o755),
		os.WriteFile(ldx, program, 0o755),
		os.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH")),
	)
}

// TestScript runs testdata/script. In addition to testscript's own commands
// there are
//
//	tree NAME DIR        make one of dirtest.Trees in DIR
//	found FILE           the last stdout has FILE's lines, in any order
//	unprivileged CMD ..  like exec, but not as root
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		WorkdirRoot:         dirtest.TempDir(t),
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("LDX_CONFIG", os.DevNull)
			env.Setenv("MSYSTEM", "MINGW64") // slashes in paths on Windows too
			benchmark, err := filepath.Abs(filepath.Join("..", "..", "bench", "benchmark.sh"))
			env.Setenv("BENCHMARK", benchmark)
			env.Setenv("LDX_TEST_RECORD", os.Getenv("LDX_TEST_RECORD"))
			return err
		},
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

// scriptTB makes a failure of a test helper a failure of the script.
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
