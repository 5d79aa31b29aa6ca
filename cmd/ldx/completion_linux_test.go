package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestBashCompletion types into bash, on a terminal and without the functions of the package
// bash-completion, and asks for the line that it makes: \x01 goes to its beginning.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "some.txt", "other dir/file", "bin/frobnicate")
	program := dir + "/bin/frobnicate"
	require.NoError(t, os.Chmod(program, 0o755))
	for typed, want := range map[string]string{
		"ldx --max-r\t":               "ldx --max-results ",
		"ldx -H --color al\t":         "ldx -H --color always ",
		"ldx --color=al\t":            "ldx --color=always ",
		"ldx d\t":                     "ldx du",
		"ldx dup\t":                   "ldx dupes ",
		"ldx du --tre\t":              "ldx du --tree ",
		"ldx bench th\t":              "ldx bench threads ",
		"ldx bench threads --lab\t":   "ldx bench threads --label ",
		"ldx help ben\t":              "ldx help bench ",
		"ldx completion z\t":          "ldx completion zsh ",
		"ldx man in\t":                "ldx man index ",
		"ldx x som\t":                 "ldx x some.txt ",
		"ldx -C oth\t":                `ldx -C other\ dir/`,
		"ldx --ignore-file=som\t":     "ldx --ignore-file=some.txt ",
		"ldx -x frobn\t":              "ldx -x frobnicate ",
		"ldx -x frobnicate som\t":     "ldx -x frobnicate some.txt ",
		"ldx -x frobnicate --max-r\t": "ldx -x frobnicate --max-r",
		"ldx --exec frobnicate \\; -H --color al\t": `ldx --exec frobnicate \; -H --color always `,
		"ldx $(touch made) --max-r\t":               "ldx $(touch made) --max-results ",
	} {
		assert.Equal(t, want, typeInBash(t, bash, dir, typed), "%q", typed)
	}
	assert.NoFileExists(t, dir+"/made", "what is typed is run")
}

// typeInBash returns the line that bash has made of some keys.
func typeInBash(t *testing.T, bash, dir, keys string) string {
	t.Helper()
	master, terminal := openTerminal(t)
	cmd := exec.Command(bash, "--norc", "--noprofile", "-i")
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, terminal, terminal, terminal
	cmd.Env = append(os.Environ(), "PS1=$ ", "TERM=dumb", "HISTFILE=", "INPUTRC=/dev/null", "PATH="+dir+"/bin:"+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, cmd.Start())
	require.NoError(t, terminal.Close())
	_, err := io.WriteString(master, "source <(ldx completion bash); bind 'set enable-bracketed-paste off'\n"+
		keys+"\x01printf '<<%s>>\\n' '\x05'\nexit\n")
	require.NoError(t, err)
	shown, _ := io.ReadAll(master) // EIO: bash has ended
	require.NoError(t, cmd.Wait(), "%s", shown)
	lines := strings.Split(strings.ReplaceAll(string(shown), "\r", ""), "\n")
	for _, line := range lines {
		if made, ok := strings.CutPrefix(line, "<<"); ok {
			return strings.TrimSuffix(made, ">>")
		}
	}
	t.Fatalf("%q: bash has printed\n%s", keys, shown)
	return ""
}
