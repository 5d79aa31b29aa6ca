package spawn

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestBatchFile passes arguments to a batch file: each arrives whole, and none
// runs another command.
func TestBatchFile(t *testing.T) {
	dir := dirtest.TempDir(t)
	file := filepath.Join(dir, "show it.bat")
	require.NoError(t, os.WriteFile(file, []byte("@echo off\r\necho [%1]\r\necho [%~2]\r\n"), 0o700))
	for _, workers := range []int{1, 2} {
		for path, want := range map[string]string{
			"plain":            "[\"plain\"]\n[end]\n",
			"a b":              "[\"a b\"]\n[end]\n",
			"x&echo injected":  "[\"x&echo injected\"]\n[end]\n",
			"x|echo injected":  "[\"x|echo injected\"]\n[end]\n",
			"%PATH%":           "",
			`x" & echo "other`: "",
		} {
			c, err := NewCommand([]string{file, "{}", "end"}, Paths)
			require.NoError(t, err)
			var out bytes.Buffer
			var reported error
			r := NewRunner(Options{
				Commands: []*Command{c}, Workers: workers, Stdout: &out, Stderr: &out,
				Report: func(err error) { reported = err },
			})
			require.NoError(t, r.Run([]byte(path)))
			ok, err := r.Close()
			require.NoError(t, err)
			assert.Equal(t, want != "", ok, path)
			assert.Equal(t, want, strings.ReplaceAll(out.String(), "\r\n", "\n"), path)
			if want == "" {
				assert.ErrorContains(t, reported, "cmd.exe")
			} else {
				assert.NoError(t, reported)
			}
		}
	}
}

// TestBatchFileSpace limits batch files to cmd.exe's command line, a tenth of
// that of other programs.
func TestBatchFileSpace(t *testing.T) {
	assert.Equal(t, batchFileMax-40-len(`C:\x.cmd`), spaceFor(`C:\x.cmd`))
	assert.Equal(t, space(), spaceFor(`C:\x.exe`))
	line, err := batchFileLine("x", nil)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(line)-len(`"x"`), 40)
}

// TestBatchOfBatchFiles has a name that a batch file cannot be given: it is
// reported, and the others are run, as many at a time as fit on the command
// line, however long their paths.
func TestBatchOfBatchFiles(t *testing.T) {
	dir := dirtest.TempDir(t)
	file := filepath.Join(dir, strings.Repeat("long", 20)+".cmd")
	const text = "@echo off\r\n:next\r\nif \"%~1\"==\"\" goto end\r\necho [%~1]\r\nshift\r\ngoto next\r\n:end\r\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o700))
	c, err := NewBatchCommand([]string{file, "{}"}, Paths)
	require.NoError(t, err)
	var out bytes.Buffer
	var reported []error
	b := NewBatch(Options{Commands: []*Command{c}, Stdout: &out, Stderr: &out, Report: func(err error) {
		reported = append(reported, err)
	}}, 0)
	want := ""
	for i := range 300 {
		name := strings.Repeat("n", 50) + strconv.Itoa(i)
		want += "[" + name + "]\n"
		require.NoError(t, b.Add([]byte(name)))
		if i == 100 {
			require.NoError(t, b.Add([]byte("100%.txt")))
		}
	}
	assert.False(t, b.Close())
	require.Len(t, reported, 1)
	assert.ErrorContains(t, reported[0], "100%.txt")
	assert.Equal(t, want, strings.ReplaceAll(out.String(), "\r\n", "\n"))
}
