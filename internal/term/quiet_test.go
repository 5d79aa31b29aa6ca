package term

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// screenOf returns a status area in a file, and what returns what was written since the last call.
func screenOf(t *testing.T) (a *StatusArea, f *os.File, shown func() string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dirtest.TempDir(t), "screen"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	read := 0
	return &StatusArea{to: f}, f, func() string {
		all, err := os.ReadFile(f.Name())
		require.NoError(t, err)
		defer func() { read = len(all) }()
		return string(all[read:])
	}
}

// A line is shown after a time in which nothing was written, and gone at the end.
func TestQuiet(t *testing.T) {
	area, f, shown := screenOf(t)
	long := time.Hour
	q := &quiet{area: area, text: func(int) string { return "searching" }, since: time.Now(), patience: long}
	q.next = time.AfterFunc(long, q.look)
	q.look()
	assert.Empty(t, shown(), "too soon")
	q.since = q.since.Add(-long)
	q.look()
	assert.Equal(t, "searching\n", shown())
	area.Do(func() { _, _ = f.WriteString("result\n") })
	area.drawn = time.Time{}
	q.look()
	assert.Equal(t, "\r\x1b[1A\x1b[Jresult\n", shown(), "something was written")
	area.written = area.written.Add(-long)
	q.look()
	assert.Equal(t, "searching\n", shown())
	q.stop()
	assert.Equal(t, "\r\x1b[1A\x1b[J", shown())
	area.drawn = time.Time{}
	q.look()
	assert.Empty(t, shown(), "it has ended")
}

// Between Suspend and resume nothing is written.
func TestSuspend(t *testing.T) {
	area, f, shown := screenOf(t)
	area.Show(func(int) string { return "line" })
	resume := area.Suspend(f, ResetLooks)
	assert.Equal(t, "line\n\r\x1b[1A\x1b[J"+ResetLooks, shown())
	assert.False(t, area.mu.TryLock())
	resume()
	area.Do(func() { _, _ = f.WriteString("more") })
	assert.Equal(t, "more", shown())
}

func TestSomeLines(t *testing.T) {
	long := make([]byte, 5<<10)
	for _, row := range []struct{ text, want string }{
		{"", ""},
		{"a", "a"},
		{"a\nb\nc", "a\nb\n"},
		{string(long) + "\nb\n", string(long) + "\n"},
		{"a\n" + string(long), "a\n"},
		{string(long), string(long)},
	} {
		assert.Equal(t, row.want, string(someLines([]byte(row.text))))
	}
}
