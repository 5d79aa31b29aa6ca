package attack

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/hostile"
)

// A hasher is a user of ldx hash, with a catalogue of its own.
type hasher struct {
	t       *testing.T
	program string
	state   string
}

func newHasher(t *testing.T, program string) *hasher {
	t.Helper()
	h := &hasher{t, program, dirtest.TempDir(t)}
	t.Setenv("XDG_STATE_HOME", h.state)
	return h
}

func (h *hasher) run(dir string, args ...string) hostile.Result {
	h.t.Helper()
	return hostile.Run(h.t, hostile.Limits{Dir: dir}, h.program, append([]string{"hash", "-u"}, args...)...)
}

// right fails the test unless ldx hash prints what the files in dir have.
func (h *hasher) right(dir string) {
	h.t.Helper()
	found := hostile.Run(h.t, hostile.Limits{Dir: dir}, "sh", "-c", "find . -type f -exec sha256sum {} +")
	got := h.run(dir, ".", ".")
	require.Zero(h.t, got.Exit, "%s", got.Stderr)
	require.Equal(h.t, sorted(found.Stdout), sorted(got.Stdout))
}

// keeps skips the test if no hash is kept of the files in dir, which are hashed: others may change
// what is on this file system.
func (h *hasher) keeps(dir string) {
	h.t.Helper()
	if r := h.run(dir, "--verify", ".", "."); strings.HasPrefix(string(r.Stderr), "ldx: 0 files") {
		h.t.Skip("hashes of files here are not kept")
	}
}

// TestHashDamage changes a byte of a file on the device below a file system: --verify tells that
// from what was written, and goes on telling it.
func TestHashDamage(t *testing.T) {
	h := newHasher(t, noSlack(t))
	content := bytes.Repeat([]byte("damaged here"), 1000)
	dir := hostile.Ext4Image(t, func(dir string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "damaged"), content, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "sound"), []byte("sound"), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "changed"), []byte("old"), 0o644))
		h.right(dir)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "changed"), []byte("new"), 0o644))
	}, func(image []byte) []byte {
		at := bytes.Index(image, []byte("damaged here"))
		require.Positive(t, at)
		image[at] ^= 1
		return image
	})
	for range 2 {
		r := h.run(dir, "--verify", ".", ".")
		assert.Equal(t, 1, r.Exit)
		assert.Contains(t, sorted(r.Stdout), "./damaged: DAMAGED")
		assert.Contains(t, string(r.Stderr), "1 file is damaged")
		assert.NotContains(t, string(r.Stdout), "sound")
	}
	r := h.run(dir, "-j1", ".", ".")
	assert.Contains(t, string(r.Stdout), fmt.Sprintf("%x  ./damaged\n", sha256.Sum256(content)), "the file is not read again")
	assert.Contains(t, string(r.Stdout), fmt.Sprintf("%x  ./changed\n", sha256.Sum256([]byte("new"))))
}

// TestHashRestored gives a file another content, and its size and mtime back.
func TestHashRestored(t *testing.T) {
	h := newHasher(t, noSlack(t))
	dir := dirtest.TempDir(t)
	path := filepath.Join(dir, "file")
	for _, content := range []string{"one", "two", "six"} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		at := time.Unix(1e9, 0)
		require.NoError(t, os.Chtimes(path, at, at))
		h.right(dir)
	}
	h.keeps(dir)
	require.NoError(t, os.WriteFile(path, []byte("ten"), 0o644))
	r := h.run(dir, "--verify", ".", ".")
	assert.Zero(t, r.Exit)
	assert.Equal(t, "./file: CHANGED\n", string(r.Stdout))
}

// TestHashKilled kills ldx hash at each system call that writes: the next run prints what the files
// have, and finds a catalogue that is whole.
func TestHashKilled(t *testing.T) {
	dir := dirtest.TempDir(t)
	for i := range 100 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), fmt.Append(nil, "content of ", i), 0o644))
	}
	h := newHasher(t, noSlack(t))
	steps := 0
	for _, call := range []string{"write", "pwrite64", "fsync", "fdatasync", "ftruncate", "/^rename", "/^unlink", "flock", "mmap", "/^mkdir"} {
		for _, known := range []bool{false, true} {
			for when := 1; ; when++ {
				require.NoError(t, os.RemoveAll(filepath.Join(h.state, "ldx")))
				if known { // with a log, that becomes part of the store
					h.right(dir)
					for i := range 10 {
						require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), fmt.Append(nil, call, when, i), 0o644))
					}
				}
				inject := fmt.Sprintf("%s:signal=KILL:when=%d", call, when)
				_, _, exit := hostile.Strace(t, inject, h.program, "hash", "-u", "-j1", ".", dir)
				h.right(dir)
				h.right(dir)
				if exit == 0 {
					break
				}
				steps++
				if call == "mmap" && when > 40 || when > 60 {
					break // the runtime's own
				}
			}
		}
	}
	assert.Greater(t, steps, 10, "nothing was killed")
}

// TestHashInterrupted keeps what was hashed before an interrupt: of a file that would take minutes
// nothing, of the others everything.
func TestHashInterrupted(t *testing.T) {
	h := newHasher(t, noSlack(t))
	dir := dirtest.TempDir(t)
	for i := range 20 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), fmt.Append(nil, i), 0o644))
	}
	h.right(dir)
	h.keeps(dir)
	require.NoError(t, os.RemoveAll(filepath.Join(h.state, "ldx")))
	huge := filepath.Join(dir, "huge")
	require.NoError(t, os.WriteFile(huge, nil, 0o644))
	if err := os.Truncate(huge, 1<<42); err != nil {
		t.Skip("no file of that size here: ", err)
	}
	cmd := exec.Command(h.program, "hash", "-u", "-j2", ".", dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill() }()
	lines := 0
	buf := make([]byte, 1<<16)
	for lines < 20 {
		n, err := out.Read(buf)
		require.NoError(t, err)
		lines += bytes.Count(buf[:n], []byte{'\n'})
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	err = cmd.Wait()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	assert.Equal(t, os.Interrupt, status.Signal(), err)
	require.NoError(t, os.Remove(huge))
	r := h.run(dir, "--verify", ".", ".")
	assert.Contains(t, string(r.Stderr), "20 files are as they were")
}
