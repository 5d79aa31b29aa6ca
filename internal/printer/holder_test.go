package printer_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/printer"
)

// The results of several workers come out in one order, whichever worker found them.
func TestHolder(t *testing.T) {
	tree := dirtest.TempDir(t)
	type file struct {
		name string
		size int
	}
	var files []file
	for i := range 600 {
		f := file{fmt.Sprintf("%04d%s", i*7919%600, []string{"", ".go", ".c"}[i%3]), i * 31 % 50}
		files = append(files, f)
		require.NoError(t, os.WriteFile(filepath.Join(tree, f.name), make([]byte, f.size), 0o644))
	}
	byName := func(a, b file) int { return strings.Compare(a.name, b.name) }
	bySize := func(a, b file) int { return cmp.Or(cmp.Compare(a.size, b.size), byName(a, b)) }
	byExt := func(a, b file) int {
		return cmp.Or(strings.Compare(filepath.Ext(a.name), filepath.Ext(b.name)), bySize(a, b))
	}
	for _, row := range []struct {
		keys     string
		reversed bool
		compare  func(a, b file) int
	}{
		{"path", false, byName},
		{"path", true, byName},
		{"name", false, byName},
		{"size", false, bySize},
		{"size,path,ext", true, bySize},
		{"depth,type,size", false, bySize},
		{"ext,size", false, byExt},
	} {
		order, err := printer.NewOrder(strings.Split(row.keys, ","), row.reversed)
		require.NoError(t, err)
		slices.SortFunc(files, row.compare)
		if row.reversed {
			slices.Reverse(files)
		}
		for _, workers := range []int{1, 2, 5, 8} {
			template := "<{/}>"
			if workers%2 == 0 { // what begins with the path is kept once
				template = "{}" + template
			}
			r, err := printer.NewTemplate(template, printer.Style{}, '.')
			require.NoError(t, err)
			holder := printer.NewHolder(r, order)
			var buffers []*printer.HeldBuffer
			for range workers {
				buffers = append(buffers, holder.NewBuffer())
			}
			n := 0
			entries(t, tree, "tree", func(e *dir.Entry) {
				buffers[n*n%workers].Add(e)
				n++
			})
			var got []string
			require.NoError(t, holder.Each(0, func(shown []byte) error {
				got = append(got, string(shown))
				return nil
			}))
			require.Len(t, got, len(files))
			for i, f := range files {
				require.Equal(t, "<"+f.name+">.", strings.TrimPrefix(got[i], "tree/"+f.name), "%s, %d workers", row.keys, workers)
			}
			n = 0
			require.NoError(t, holder.Each(7, func([]byte) error { n++; return nil }))
			assert.Equal(t, 7, n)
			broken := errors.New("broken")
			assert.Equal(t, broken, holder.Each(0, func([]byte) error { return broken }))
		}
	}
	_, err := printer.NewOrder([]string{"path", "colour"}, false)
	assert.ErrorContains(t, err, "colour")
}
