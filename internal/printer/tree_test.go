package printer_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/printer"
)

// Paths come out in the order of their elements, with their texts, whichever tree has them and
// in whichever order they were added.
func TestOrderOfPaths(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	names := []string{"", "a", "b", "a-b", "a.c", "A", ".", "..", "-", "\x01", "ä", "long-long-long"}
	styles := []func(path string) string{
		func(path string) string { return path + "\n" },
		func(path string) string { return path + "/\n" },
		func(path string) string { return "./" + path + "\x00" },
		func(path string) string { return "-rw- 1 " + path + " -> " + path + "\n" },
		func(path string) string { return "\x1b[34m" + path + "\x1b[0m\n" },
		func(path string) string { return strings.ReplaceAll(path, "/", "\\") },
		func(string) string { return "" },
		func(path string) string { return path[strings.LastIndexByte(path, '/')+1:] },
	}
	for range 300 {
		trees := make([][]printer.Shown, 1+r.IntN(4))
		var want []printer.Shown
		for range r.IntN(60) {
			elements := make([]string, 1+r.IntN(6))
			for i := range elements {
				elements[i] = names[r.IntN(len(names))]
			}
			path := strings.Join(elements, "/")
			s := printer.Shown{Path: path, Text: styles[r.IntN(len(styles))](path)}
			if slices.ContainsFunc(want, func(other printer.Shown) bool { return other.Path == path }) {
				continue // of equal ones, either may be the first
			}
			want = append(want, s)
			i := r.IntN(len(trees))
			trees[i] = append(trees[i], s)
		}
		slices.SortFunc(want, func(a, b printer.Shown) int {
			return slices.Compare(strings.Split(a.Path, "/"), strings.Split(b.Path, "/"))
		})
		require.Equal(t, want, printer.InOrder(trees), "seed %d", seed)
	}
}

// A file that has vanished still has a row, and is not an error.
func TestListOfVanished(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "gone", "there")
	order, err := printer.NewOrder([]string{"size"}, false)
	require.NoError(t, err)
	first := printer.NewFirst(printer.NewList(printer.Style{}, time.Now(), '\n'), order, 2)
	entries(t, tree, "", func(e *dir.Entry) {
		if string(e.Name) == "gone" {
			require.NoError(t, os.Remove(filepath.Join(tree, "gone")))
		}
		first.NewBuffer().Add(e)
	})
	var lines []string
	require.NoError(t, first.Each(func(line []byte) error {
		lines = append(lines, string(line))
		return nil
	}))
	require.Len(t, lines, 2)
	assert.True(t, strings.HasSuffix(lines[0], " gone\n"), lines)
	assert.True(t, strings.HasSuffix(lines[1], " there\n"), lines)
}
