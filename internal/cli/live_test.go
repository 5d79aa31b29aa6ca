package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// What is shown takes the place of what was, and never more room than there is.
func TestLive(t *testing.T) {
	f, err := os.Create(filepath.Join(dirtest.TempDir(t), "screen"))
	require.NoError(t, err)
	defer f.Close()
	l := &live{to: f} // of the usual size, for it is no terminal
	screen := func(text string) string {
		l.last = time.Time{}
		l.show(func(int) string { return text })
		all, err := os.ReadFile(f.Name())
		require.NoError(t, err)
		require.NoError(t, f.Truncate(0))
		_, err = f.Seek(0, 0)
		require.NoError(t, err)
		return string(all)
	}
	assert.Equal(t, "a\nb\n", screen("a\nb\n"))
	assert.Equal(t, "\r\x1b[2A\x1b[Jc\n", screen("c"))
	var tall []string
	for i := range 100 {
		tall = append(tall, fmt.Sprint("line ", i))
	}
	assert.Equal(t, "\r\x1b[1A\x1b[J"+strings.Join(tall[100-usualHeight+1:], "\n")+"\n", screen(strings.Join(tall, "\n")))
	wide := strings.Repeat("ä", usualWidth)
	assert.Equal(t, fmt.Sprintf("\r\x1b[%dA\x1b[J%s\n", usualHeight-1, wide[:2*(usualWidth-1)]), screen(wide))

	l.show(func(int) string { return "too soon to be seen" })
	l.clear()
	l.clear()
	all, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	assert.Equal(t, "\r\x1b[1A\x1b[J", string(all))

	require.Nil(t, newLive(f).to, "a file is no terminal")
	newLive(f).show(func(int) string { panic("nobody asked") })
}

func TestRoundly(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 400 * time.Millisecond, "3s": 3400 * time.Millisecond, "10s": 10 * time.Second, "25s": 24 * time.Second, "1m0s": 62 * time.Second,
	} {
		assert.Equal(t, want, roundly(d).String())
	}
}
