package search_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"ldx/internal/dirtest"
	"ldx/internal/filter"
	"ldx/internal/ignore"
	"ldx/internal/search"
)

// What the attribute of Windows hides is not found, and Why says so.
func TestWhyHiddenAttribute(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "plain", "secret")
	name, err := windows.UTF16PtrFromString(filepath.Join(tree, "secret"))
	require.NoError(t, err)
	require.NoError(t, windows.SetFileAttributes(name, windows.FILE_ATTRIBUTE_HIDDEN))

	ignorer, err := ignore.New(ignore.Options{Getenv: func(string) string { return "" }, Report: func(error) {}})
	require.NoError(t, err)
	var out bytes.Buffer
	b := newSetup(tree, filter.Options{})
	b.Walk.Hidden, b.Walk.Ignore, b.Sink = false, ignorer, search.AsFound(&recorder{w: &out})
	b.run(t)
	assert.Equal(t, []string{"plain"}, lines(out.String()))
	for path, want := range map[string]string{"plain": "shown", "secret": "hidden"} {
		way, err := b.Why(filepath.Join(tree, path))
		require.NoError(t, err)
		require.Len(t, way, 1)
		assert.Equal(t, want, way[0].Outcome, path)
	}
}
