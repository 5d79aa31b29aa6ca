package printer_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/printer"
)

// hold adds the entries of a directory to a Holder in the order of their names, as a walk does.
func hold(t *testing.T, h *printer.Holder, tree string) {
	t.Helper()
	type result struct {
		name, text string
		at         int
	}
	var results []result
	var prefix *dir.Prefix
	keyed := h.Keyed()
	entries(t, tree, "tree", func(e *dir.Entry) {
		path := e.Path()
		path = path[:len(path)-len(e.Name)]
		if prefix == nil {
			prefix = dir.NewPrefix([]byte(path))
		}
		b, from := keyed.Append(nil, e)
		r := result{string(e.Name), string(b), dir.IndexPrefix(b[from:], []byte(path))}
		if r.at >= 0 {
			r.at += from
			r.text = r.text[:r.at] + r.text[r.at+len(path):]
		}
		results = append(results, r)
	})
	slices.SortFunc(results, func(a, b result) int { return strings.Compare(a.name, b.name) })
	for _, r := range results {
		h.Add([]byte(r.text), r.at, prefix)
	}
}

// A file has what results are sorted by here.
type file struct {
	name string
	size int
}

func byName(a, b file) int { return strings.Compare(a.name, b.name) }
func bySize(a, b file) int { return cmp.Or(cmp.Compare(a.size, b.size), byName(a, b)) }
func byExt(a, b file) int {
	return cmp.Or(strings.Compare(filepath.Ext(a.name), filepath.Ext(b.name)), bySize(a, b))
}

// All results come out in one order, and the first of them, whichever worker found them.
func TestHolderAndFirst(t *testing.T) {
	tree := dirtest.TempDir(t)
	var files []file
	for i := range 600 {
		f := file{fmt.Sprintf("%04d-with-a-long-name%s", i*7919%600, []string{"", ".go", ".c"}[i%3]), i * 31 % 50}
		files = append(files, f)
		require.NoError(t, os.WriteFile(filepath.Join(tree, f.name), make([]byte, f.size), 0o644))
	}
	for _, row := range []struct {
		keys     string
		reversed bool
		compare  func(a, b file) int
	}{
		{"path", false, byName},
		{"name", false, byName},
		{"name", true, byName},
		{"size", false, bySize},
		{"size,path,ext", true, bySize},
		{"size,natural", false, bySize},
		{"depth,type,size", false, bySize},
		{"user,size", true, bySize},
		{"ext,size", false, byExt},
		{"-path", false, func(a, b file) int { return byName(b, a) }},
		{"-natural", true, func(a, b file) int { return byName(b, a) }},
		{"-size", false, func(a, b file) int { return cmp.Or(cmp.Compare(b.size, a.size), byName(a, b)) }},
		{"-depth,-user,-size", true, func(a, b file) int { return cmp.Or(cmp.Compare(b.size, a.size), byName(a, b)) }},
		{"-ext,user,-size", false, func(a, b file) int {
			return cmp.Or(strings.Compare(filepath.Ext(b.name), filepath.Ext(a.name)), cmp.Compare(b.size, a.size), byName(a, b))
		}},
	} {
		order, err := printer.NewOrder(strings.Split(row.keys, ","), row.reversed)
		require.NoError(t, err)
		slices.SortFunc(files, row.compare)
		if row.reversed {
			slices.Reverse(files)
		}
		for _, template := range []string{"<{/}>", "{}<{/}>", "-{}<{/}>"} {
			r, err := printer.NewTemplate(template, printer.Style{}, '.', nil)
			require.NoError(t, err)
			check := func(n int, each func(n int, do func([]byte) error) error) {
				i := 0
				require.NoError(t, each(n, func(shown []byte) error {
					text := strings.ReplaceAll(strings.ReplaceAll(template, "{/}", files[i].name), "{}", "tree/"+files[i].name)
					require.Equal(t, text+".", string(shown), "%s, result %d", row.keys, i)
					i++
					return nil
				}))
				require.Equal(t, cmp.Or(n, len(files)), i)
			}
			h := printer.NewHolder(r, order)
			hold(t, h, tree)
			check(0, h.Each)
			check(7, h.Each)
			broken := errors.New("broken")
			assert.Equal(t, broken, h.Each(0, func([]byte) error { return broken }))

			if order.HasOwners() {
				continue
			}
			first := printer.NewFirst(r, order, 70)
			var workers sync.WaitGroup
			for i := range 3 {
				workers.Go(func() {
					n, buffer := 0, first.NewBuffer()
					entries(t, tree, "tree", func(e *dir.Entry) {
						if n++; n%3 == i {
							buffer.Add(e)
						}
					})
				})
			}
			workers.Wait()
			check(70, func(_ int, do func([]byte) error) error { return first.Each(do) })
		}
	}
	_, err := printer.NewOrder([]string{"path", "colour"}, false)
	assert.ErrorContains(t, err, "colour")
	_, err = printer.NewOrder([]string{"size", "-path"}, false)
	assert.ErrorContains(t, err, "-path must be the first key")
}
