package term_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/term"
)

func file(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(dirtest.TempDir(t), "file"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// A file is not a terminal, has the size that terminals usually have, and no status area.
func TestFile(t *testing.T) {
	f := file(t)
	assert.False(t, term.IsTerminal(f))
	height, width := term.Size(f)
	assert.Equal(t, [2]int{24, 80}, [2]int{height, width})
	area := term.NewStatusArea(f)
	assert.False(t, area.Draws())
	area.Refresh(func(int) string { panic("nobody asked") }, nil)()
	written := false
	area.Do(func() { written = true })
	assert.True(t, written)
	assert.Equal(t, f, area.Writer(f), "nothing else is written to it")
	require.NoError(t, f.Close())
	assert.False(t, term.IsTerminal(f))
}

func TestShowsUTF8(t *testing.T) {
	for _, row := range []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "C.UTF-8", true},
		{"", "", "de_DE.utf8", true},
		{"", "C", "C.UTF-8", false},
		{"en_US.UTF-8", "C", "C", true},
		{"C", "C.UTF-8", "C.UTF-8", false},
		{"", "", "", os.PathSeparator == '\\'},
	} {
		t.Setenv("LC_ALL", row.all)
		t.Setenv("LC_CTYPE", row.ctype)
		t.Setenv("LANG", row.lang)
		assert.Equal(t, row.want, term.ShowsUTF8(), "%+v", row)
	}
}

func TestWantsColours(t *testing.T) {
	f := file(t)
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	assert.Equal(t, os.PathSeparator == '/', term.WantsColours(f), "on Windows only a console can")
	t.Setenv("NO_COLOR", "1")
	assert.False(t, term.WantsColours(f))
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	assert.False(t, term.WantsColours(f))
}
