package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// run runs a program with a terminal as its standard output, or a pipe, and returns what it has
// written and its exit status.
func run(t *testing.T, dir string, terminal bool, env []string, name string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // if it waits for ever
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), append(env, "LS_COLORS=")...), &out, &errs
	if terminal {
		master, tty := openTerminal(t)
		require.NoError(t, unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 200}))
		cmd.Stdout = tty
		defer func() {
			require.NoError(t, tty.Close())
			shown, _ := io.ReadAll(master) // EIO: the terminal is closed
			escapes := regexp.MustCompile("\x1b\\[[0-9;]*m")
			stdout = strings.ReplaceAll(escapes.ReplaceAllString(string(shown), ""), "\r\n", "\n")
		}()
	}
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out.String(), errs.String(), exit.ExitCode()
	}
	require.NoError(t, err)
	return out.String(), errs.String(), 0
}

// configTree makes a tree to search, and returns the path of a configuration file outside it.
func configTree(t *testing.T, text string) (tree, file string) {
	t.Helper()
	tree, above := dirtest.TempDir(t), dirtest.TempDir(t)
	dirtest.Make(t, tree, "a.go", "b.c", ".hidden", "d/x.html")
	file = filepath.Join(above, "config")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return tree, file
}

// TestConfig checks what the flags of the configuration do on a terminal, that later ones and
// those of the command line count, and that in a pipe there are none.
func TestConfig(t *testing.T) {
	for _, row := range []struct{ config, opts, args, want string }{
		{"", "", "", "a.go b.c d/ d/x.html"},
		{"--hidden # all", "", "", ".hidden a.go b.c d/ d/x.html"},
		{"--hidden", "", "--no-hidden", "a.go b.c d/ d/x.html"},
		{"--hidden", "--no-hidden", "", "a.go b.c d/ d/x.html"},
		{"--hidden", "--no-hidden", "-H", ".hidden a.go b.c d/ d/x.html"},
		{"--hidden", "-e go", "--no-config", "a.go b.c d/ d/x.html"},
		{"--sort path\n--max-results 1\n--max-results 3\n", "", "", "a.go b.c d/"},
		{"--max-results 1", "--sort path --max-results=2", "", "a.go b.c"},
		{"--max-results 1", "--sort path --max-results=2", "--max-results 3", "a.go b.c d/"},
		{"-E '*.go' -E d", "", "", "b.c"},
		{"-E '*.go'", `-E \*.c -E "d"`, "", ""},
		{"-e go", "", "-e c", "a.go b.c"},
		{"-T f\n-g", "", "*.c", "b.c"},
		{"--glob", "", "-F .c", "b.c"},
		{"--tree", "", "--count", "4"},
		{"--count", "", "--sort path", "a.go b.c d/ d/x.html"},
		{"--sort name", "", "--sortr name --max-results 2", "d/x.html d/"},
		{"--absolute-path", "", "--relative-to d x", "../d/x.html"},
		{"--exact-depth 2", "", "--max-depth 1", "a.go b.c d/"},
		{"alias some = -e go", "--some", "", "a.go"},
		{"-H\nalias all = --hidden --count", "", "--all", "5"},
	} {
		t.Run(row.config+"|"+row.opts+"|"+row.args, func(t *testing.T) {
			tree, file := configTree(t, row.config)
			env := []string{"LDX_CONFIG=" + file, "LDX_OPTS=" + row.opts}
			out, errs, status := run(t, tree, true, env, "ldx", strings.Fields(row.args)...)
			assert.Empty(t, errs)
			assert.Zero(t, status)
			assert.Equal(t, row.want, strings.Join(strings.Fields(out), " "))
			if strings.Contains(row.args, "--all") {
				return
			}
			plain, plainErrs, _ := run(t, tree, false, nil, "ldx", strings.Fields(row.args)...)
			piped, errs, _ := run(t, tree, false, env, "ldx", strings.Fields(row.args)...)
			assert.Equal(t, plain, piped)
			assert.Equal(t, plainErrs, errs)
		})
	}
}

// TestConfigErrors checks that an error names the place, in one line. Help is there anyway.
func TestConfigErrors(t *testing.T) {
	const advice = "; give it on the command line, or in an alias"
	for _, row := range []struct{ config, opts, args, want string }{
		{"\n--hiden", "", "", "FILE:2: there is no flag --hiden; did you mean --hidden?"},
		{"-S foo", "", "", `FILE:1: -S/--size "foo": give a number with a unit`},
		{"--max-depth", "", "", "FILE:1: -d/--max-depth needs a value"},
		{"hidden", "", "", `FILE:1: "hidden" is not a flag; a line begins with one`},
		{"-H src", "", "", "FILE:1: 'src' is not a flag; only flags can be set, patterns and paths in an alias"},
		{"-E 'x", "", "", "FILE:1: a quote ' is not closed"},
		{"", "-E 'x", "", "LDX_OPTS: a quote ' is not closed"},
		{"", "--hiden", "", "LDX_OPTS: there is no flag --hiden; did you mean --hidden?"},
		{"", "x", "", "LDX_OPTS: 'x' is not a flag"},
		{"--why x", "", "", "FILE:1: --why cannot be set for all searches" + advice},
		{"-x rm", "", "", "FILE:1: -x/--exec cannot be set for all searches, like all flags that run commands or change files" + advice},
		{"alias d = --delete", "--d", "", "LDX_OPTS: --delete cannot be set for all searches, like all flags"},
		{"-r", "", "", "FILE:1: there is no flag -r"},
		{"alias size = -S +1k", "", "", "FILE:1: there is a flag --size already; give the alias another name"},
		{"group image = x", "", "", "FILE:1: image is a kind of files already; give the group another name"},
		{"--max-results 3", "", "--delete", "(--max-results is from FILE:1; --no-config leaves it out)"},
		{"-L", "", "--delete", "(-L/--follow is from FILE:1; --no-config leaves it out)"},
		{"", "--relative-to /none/", "", "(--relative-to is from LDX_OPTS; --no-config leaves it out)"},
		{"-H --sort nothing", "", "", "(--sort is from FILE:1; --no-config leaves it out)"},
	} {
		t.Run(row.config+"|"+row.opts+"|"+row.args, func(t *testing.T) {
			tree, file := configTree(t, row.config)
			env := []string{"LDX_CONFIG=" + file, "LDX_OPTS=" + row.opts}
			_, errs, status := run(t, tree, true, env, "ldx", strings.Fields(row.args)...)
			assert.Contains(t, errs, strings.ReplaceAll(row.want, "FILE", file))
			assert.Equal(t, 1, strings.Count(errs, "\n"), errs)
			assert.NotZero(t, status)
			for _, flag := range []string{"--version", "--no-config", "-h"} {
				_, errs, status = run(t, tree, true, env, "ldx", flag)
				assert.Empty(t, errs, flag)
				assert.Zero(t, status, flag)
			}
		})
	}
}

// TestConfigIsNotSet has every flag that runs commands or changes files in a configuration.
func TestConfigIsNotSet(t *testing.T) {
	help, _, _ := run(t, t.TempDir(), false, nil, "ldx", "--help")
	_, section, _ := strings.Cut(help, "\nWhat is run:\n")
	section, _, _ = strings.Cut(section, "\n\n")
	flags := regexp.MustCompile(`(?m)^ {2,6}(?:-\w, )?(--[a-z-]+)`).FindAllStringSubmatch(section, -1)
	require.Greater(t, len(flags), 8)
	for _, flag := range append(flags, []string{"", "--filter"}, []string{"", "-x"}, []string{"", "-X"}, []string{"", "-v"}) {
		tree, file := configTree(t, flag[1]+" rm")
		out, errs, status := run(t, tree, true, []string{"LDX_CONFIG=" + file}, "ldx")
		assert.Contains(t, errs, "cannot be set for all searches, like all flags that run commands or change files", flag[1])
		assert.Equal(t, 2, status, flag[1])
		assert.Empty(t, out, flag[1])
		assert.FileExists(t, filepath.Join(tree, "a.go"))
	}
}

// TestConfigIsNotOpened has a pipe for a configuration file: who opens it waits for ever.
func TestConfigIsNotOpened(t *testing.T) {
	tree, file := configTree(t, "")
	require.NoError(t, os.Remove(file))
	require.NoError(t, unix.Mkfifo(file, 0o666))
	self, err := exec.LookPath("ldx")
	require.NoError(t, err)
	fd := filepath.Join(dirtest.TempDir(t), "fd")
	require.NoError(t, os.Symlink(self, fd))
	env := []string{"LDX_CONFIG=" + file, "LDX_OPTS=--oops"}
	for _, row := range []struct {
		terminal bool
		program  string
		args     string
	}{
		{false, "ldx", ""},
		{false, "ldx", "@types"},
		{false, "ldx", "--type-group code"},
		{true, "ldx", "--no-config"},
		{true, "ldx", "-e go --no-config -x echo"},
		{true, "ldx", "--version"},
		{true, "ldx", "du"},
		{true, "ldx", "index list"},
		{true, fd, ""},
		{true, fd, "-e go"},
	} {
		_, errs, status := run(t, tree, row.terminal, env, row.program, strings.Fields(row.args)...)
		assert.Empty(t, errs, "%+v", row)
		assert.Zero(t, status, "%+v", row)
	}

	// It is opened on a terminal, once, and may be a pipe.
	opened := make(chan error)
	go func() {
		w, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err == nil {
			_, err = w.WriteString("-e go\n")
			err = errors.Join(err, w.Close())
		}
		opened <- err
	}()
	out, errs, _ := run(t, tree, true, env[:1], "ldx")
	assert.Equal(t, "a.go\n", out)
	assert.Empty(t, errs)
	select {
	case err := <-opened:
		assert.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("it was not opened")
	}
}

// TestConfigCalls counts system calls: without a terminal the configuration costs none, with one
// the attempt to open it.
func TestConfigCalls(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is missing")
	}
	tree, file := configTree(t, "")
	require.NoError(t, os.Remove(file))
	trace := filepath.Join(filepath.Dir(file), "trace")
	env := []string{"LDX_CONFIG=", "XDG_CONFIG_HOME=" + filepath.Dir(file), "XDG_STATE_HOME=" + tree}
	calls := func(terminal bool, args ...string) (opens, ioctls int) {
		args = append([]string{"-f", "-o", trace, "-e", "trace=openat,ioctl", "ldx", "-j1", "-u"}, args...)
		_, errs, status := run(t, tree, terminal, env, "strace", args...)
		if status != 0 && strings.Contains(errs, "ptrace") {
			t.Skip("strace may not trace here: ", errs)
		}
		require.Zero(t, status, errs)
		text, err := os.ReadFile(trace)
		require.NoError(t, err)
		return strings.Count(string(text), "/ldx/config\""), strings.Count(string(text), "ioctl(1, TCGETS")
	}
	opens, ioctls := calls(false)
	assert.Equal(t, []int{0, 1}, []int{opens, ioctls})
	opens, _ = calls(true)
	assert.Equal(t, 1, opens)
	opens, _ = calls(true, "--no-config")
	assert.Zero(t, opens)
}
