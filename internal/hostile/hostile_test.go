package hostile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/hostile"
)

func TestPaths(t *testing.T) {
	for name, row := range map[string]struct {
		fs   hostile.FS
		want string
	}{
		"none":      {hostile.FS{}, ""},
		"root":      {hostile.FS{Dirs: 9, Files: 2}, "f0 f1"},
		"generated": {hostile.FS{Dirs: 1, Files: 1, Depth: 2}, "d0 d0/d0 d0/d0/f0 d0/f0 f0"},
		"described": {hostile.FS{Entries: []string{"a/b/c", "a/d/", "e =", "l -> a"}}, "a a/b a/b/c a/d e l"},
		"contents":  {hostile.FS{Entries: []string{"a/"}, Contents: map[string]string{"a/b": ""}}, "a a/b"},
		"both":      {hostile.FS{Dirs: 1, Files: 1, Depth: 1, Entries: []string{"d0/f0 -> x", "a/b"}}, "a a/b d0 d0/f0 f0"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, strings.Fields(row.want), append([]string{}, row.fs.Paths()...))
		})
	}
	assert.Len(t, hostile.FS{Dirs: 3, Files: 4, Depth: 3}.Paths(), (3+9+27)+4*(1+3+9+27))
}
