package term

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

// The lines replace those before them, and never take more room than there is.
func TestStatusArea(t *testing.T) {
	f, err := os.Create(filepath.Join(dirtest.TempDir(t), "screen"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	area := &StatusArea{to: f} // of the usual size, for it is no terminal
	screen := func(text string) string {
		area.drawn = time.Time{}
		area.Show(func(int) string { return text })
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
	assert.Equal(t, "\r\x1b[1A\x1b[J"+strings.Join(tall[100-defaultHeight+1:], "\n")+"\n", screen(strings.Join(tall, "\n")))
	wide := strings.Repeat("ä", defaultWidth)
	assert.Equal(t, fmt.Sprintf("\r\x1b[%dA\x1b[J%s\n", defaultHeight-1, wide[:2*(defaultWidth-1)]), screen(wide))

	area.Show(func(int) string { return "too soon to be seen" })
	area.Clear()
	area.Clear()
	all, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	assert.Equal(t, "\r\x1b[1A\x1b[J", string(all))

	require.Nil(t, NewStatusArea(f).to, "a file is no terminal")
	NewStatusArea(f).Show(func(int) string { panic("nobody asked") })
}
