package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mayImport says which of our packages each may import. A package that is not
// here does not belong here yet.
var mayImport = map[string][]string{
	"dir":      {},
	"glob":     {},
	"match":    {},
	"ignore":   {"dir", "glob"},
	"walk":     {"dir", "ignore"},
	"filter":   {"dir", "format", "match", "property"},
	"format":   {},
	"property": {"dir", "format"},
	"term":     {},
	"process":  {},
	"printer":  {"dir", "format", "property", "term"},
	"du":       {"dir", "format", "property", "term", "walk"},
	"spawn":    {"format"},
	"search":   {"dir", "du", "filter", "ignore", "match", "printer", "process", "spawn", "term", "trash", "walk"},
	"command":  {},
	"config":   {},
	"gnufind":  {"command", "filter", "match"},
	"cli": {
		"catalogue", "checksum", "command", "config", "dir", "du", "dupes", "filter", "format", "gnufind", "ignore", "index", "match",
		"measure", "printer", "process", "property", "search", "spawn", "state", "term", "trash", "walk", "where",
	},
	"where":     {"dir", "filter", "format", "match", "property"},
	"trash":     {},
	"measure":   {"format"},
	"index":     {"dir", "state", "walk"},
	"state":     {},
	"catalogue": {"dir", "state"},
	"checksum":  {"catalogue", "dir", "search", "term"},
	"dupes":     {"catalogue", "dir", "format", "match", "search", "term", "walk"},
	"dirtest":   {},
	"hostile":   {},
	"attack":    {}, // tests alone
	"slowfs":    {"hostile"},
}

// forTests are packages that any test may import.
var forTests = []string{"dirtest", "hostile"}

// onlyIn says which packages alone may import something.
var onlyIn = map[string][]string{
	"github.com/spf13/cobra":            {"cli", "command"},
	"github.com/spf13/pflag":            {"cli", "command"},
	"regexp":                            {"match"},
	"regexp/syntax":                     {"match"},
	"golang.org/x/text/unicode/norm":    {"match"},
	"github.com/dlclark/regexp2/v2":     {"match"},
	"golang.org/x/sys/unix":             {"catalogue", "dir", "dirtest", "dupes", "hostile", "measure", "process", "slowfs", "spawn", "state"},
	"golang.org/x/term":                 {"term"},
	"golang.org/x/text/width":           {"term"},
	"os/exec":                           {"hostile", "measure", "spawn", "term"},
	"os/signal":                         {"cli", "process", "slowfs", "term"},
	"github.com/hanwen/go-fuse/v2/fuse": {"hostile"},
}

// TestLayers reads the imports of all files, also those for other systems.
func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	forEachImport(t, ".", func(file, pkg, imported string) {
		seen[pkg] = true
		allowed, known := mayImport[pkg]
		require.True(t, known, "%s: the package is not in mayImport", file)
		test := strings.HasSuffix(file, "_test.go")
		if ours, is := strings.CutPrefix(imported, "ldx/internal/"); is && (!test || ours != pkg && !slices.Contains(forTests, ours)) {
			assert.Contains(t, allowed, ours, "%s imports %s", file, imported)
		}
		if homes, limited := onlyIn[imported]; limited && !test {
			assert.Contains(t, homes, pkg, "%s imports %s", file, imported)
		}
	})
	for pkg := range mayImport {
		assert.True(t, seen[pkg], "mayImport has %s, which is gone", pkg)
	}
}

// TestBenchDrivesBinaries keeps the bench able to measure any release: measure knows
// nothing of the rest.
func TestBenchDrivesBinaries(t *testing.T) {
	forEachImport(t, "../bench", func(file, _, imported string) {
		test := strings.HasSuffix(file, "_test.go") && imported == "ldx/internal/dirtest"
		ours := strings.HasPrefix(imported, "ldx/") && imported != "ldx/internal/measure" && !test
		assert.False(t, ours, "%s imports %s", file, imported)
	})
}

// forEachImport calls f for each import of each Go file below root.
func forEachImport(t *testing.T, root string, f func(file, pkg, imported string)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" || filepath.Dir(file) == "." {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		for spec := range slices.Values(parsed.Imports) {
			n++
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			f(file, path.Base(filepath.ToSlash(filepath.Dir(file))), imported)
		}
		return err
	})
	require.NoError(t, err)
	require.NotZero(t, n)
}
