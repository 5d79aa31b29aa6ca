package where_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/filter"
	"ldx/internal/match"
	"ldx/internal/where"
)

// BenchmarkFlags compares an expression with the flags that it replaces.
func BenchmarkFlags(b *testing.B) {
	tree := dirtest.TempDir(b)
	for i := range 500 {
		dirtest.Make(b, tree, fmt.Sprintf("some-name-%d%s", i, []string{".go", ".txt", "", ".tar.gz"}[i%4]))
	}
	ext, err := match.New([]string{".go"}, match.Options{Syntax: match.Suffix, Fold: true})
	require.NoError(b, err)
	for text, opt := range map[string]filter.Options{
		"ext = go":                    {Extension: ext},
		"type = d":                    {Types: []filter.Type{filter.Directory}},
		"ext = go and size >= 100000": {Extension: ext, Attributes: []filter.Attribute{filter.Size(filter.AtLeast, 100_000)}},
	} {
		var expression filter.Options
		require.NoError(b, where.Add(&expression, text, where.Options{}))
		for name, f := range map[string]*filter.Filter{"flags": filter.New(opt), "where": filter.New(expression)} {
			f = f.Clone()
			b.Run(text+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					r := dir.NewReader(0)
					_, err := r.Open(dir.Root(tree, "", 0))
					require.NoError(b, err)
					batch, err := r.Next()
					require.NoError(b, err)
					b.StartTimer()
					for i := range batch {
						if _, err := f.Match(&batch[i]); err != nil {
							b.Fatal(err)
						}
					}
					b.StopTimer()
					r.Close()
					b.StartTimer()
				}
			})
		}
	}
}
