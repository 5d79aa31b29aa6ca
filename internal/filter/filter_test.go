package filter_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/filter"
	"ldx/internal/match"
)

// matches returns the names of the entries in a directory that pass the filter, sorted.
func matches(t *testing.T, path string, f *filter.Filter, follow bool) string {
	t.Helper()
	r := dir.NewReader(0)
	defer r.Close()
	_, err := r.Open(dir.Root(path, path, 0))
	require.NoError(t, err)
	var names []string
	for {
		batch, err := r.Next()
		if err == io.EOF {
			slices.Sort(names)
			return strings.Join(names, " ")
		}
		require.NoError(t, err)
		for i := range batch {
			if follow {
				require.NoError(t, batch[i].Follow())
			}
			ok, err := f.Match(&batch[i])
			require.NoError(t, err)
			if ok {
				names = append(names, string(batch[i].Name))
			}
		}
	}
}

func TestTypes(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "file", "none =", "dir/x", "void/", "to-file -> file", "to-dir -> dir", "broken -> nowhere")
	require.NoError(t, os.WriteFile(filepath.Join(tree, "run.bat"), []byte("x"), 0o755))
	for _, row := range []struct {
		types  string
		follow bool
		want   string
	}{
		{"", false, "broken dir file none run.bat to-dir to-file void"},
		{"f", false, "file none run.bat"},
		{"file", true, "file none run.bat to-file"},
		{"d", false, "dir void"},
		{"directory", true, "dir to-dir void"},
		{"l", false, "broken to-dir to-file"},
		{"symlink", true, "broken"},
		{"f d", false, "dir file none run.bat void"},
		{"e", false, "none void"},
		{"empty f", false, "none"},
		{"e d", false, "void"},
		{"e l", false, "none void"}, // no link is empty
		{"x", false, "run.bat"},
		{"x e", false, ""},
		{"s p b c", false, ""},
		{"!f", false, "broken dir to-dir to-file void"},
		{"!d !l", false, "file none run.bat"},
		{"!x", false, "broken dir file none to-dir to-file void"},
		{"f !x", false, "file none"},
		{"!e", false, "broken dir file run.bat to-dir to-file"},
		{"broken", false, "broken"},
		{"broken", true, "broken"},
		{"l !broken", false, "to-dir to-file"},
		{"e broken", false, "broken none void"},
		{"x broken", false, "broken run.bat"},
		{"f broken", false, "broken file none run.bat"},
		{"r w d", false, "dir void"},
	} {
		var opt filter.Options
		for name := range strings.FieldsSeq(row.types) {
			name, not := filter.Negated(name)
			parsed, err := filter.ParseType(name)
			require.NoError(t, err)
			if not {
				opt.NotTypes = append(opt.NotTypes, parsed)
			} else {
				opt.Types = append(opt.Types, parsed)
			}
		}
		assert.Equal(t, row.want, matches(t, tree, filter.New(opt), row.follow), "%+v", row)
	}
}

func TestPatternAndType(t *testing.T) {
	tree := dirtest.Tree(t, "basic")
	pattern, err := match.New([]string{"r"}, match.Options{Fold: true})
	require.NoError(t, err)
	assert.Equal(t, "README.md src", matches(t, tree, filter.New(filter.Options{Pattern: pattern}), false))
	assert.Equal(t, "README.md", matches(t, tree, filter.New(filter.Options{Pattern: pattern, Types: []filter.Type{filter.File}}), false))
}

func TestParseTypeError(t *testing.T) {
	_, err := filter.ParseType("q")
	require.Error(t, err)
	for _, name := range filter.TypeNames() {
		assert.Contains(t, err.Error(), name)
	}
}

// The types have the values that property.Types gives them.
func TestTypeNames(t *testing.T) {
	for name, want := range map[string]filter.Type{
		"f": filter.File, "d": filter.Directory, "l": filter.Link, "b": filter.BlockDevice, "c": filter.CharDevice,
		"s": filter.Socket, "p": filter.Pipe, "x": filter.Executable, "e": filter.Empty, "dir": filter.Directory,
		"file": filter.File, "symlink": filter.Link, "char-device": filter.CharDevice, "broken": filter.Broken,
	} {
		got, err := filter.ParseType(name)
		require.NoError(t, err)
		assert.Equal(t, want, got, name)
	}
	for _, wrong := range []string{"", "x ", "F", "unknown", "fd"} {
		_, err := filter.ParseType(wrong)
		assert.Error(t, err, wrong)
	}
}
