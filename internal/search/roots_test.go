package search

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/match"
	"ldx/internal/walk"
)

// A volume that is mounted below a root is left out of it, and is not if it is a root
// or contains one.
func TestExceptVolume(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its paths have drives")
	}
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "System/Volumes/Data/x", "System/Data/x", "Volumes/Data/x")
	volume := tree + "/System/Volumes/Data"
	for root, want := range map[string]string{
		"": volume, "/System": volume, "/System/Volumes": volume, "/Volumes": "", "/System/Volumes/Data": "", "/Sys": "",
	} {
		except := exceptVolume([]walk.Root{{Absolute: "/elsewhere"}, {Absolute: tree + root}}, volume)
		if want == "" && except == nil {
			continue
		}
		var got []string
		listDirs(t, tree+root, func(e *dir.Entry) {
			if except(e) {
				got = append(got, e.Path())
			}
		})
		if want == "" {
			assert.Empty(t, got, root)
		} else {
			assert.Equal(t, []string{want}, got, root)
		}
	}
	assert.Nil(t, exceptVolume([]walk.Root{{Absolute: "/home"}, {Absolute: "/System/Volumes/Data/x"}}, dataVolume))
	assert.NotNil(t, exceptVolume([]walk.Root{{Absolute: "/"}}, dataVolume))
}

// listDirs visits all directories below a root, which is the second.
func listDirs(t *testing.T, root string, visit func(*dir.Entry)) {
	t.Helper()
	if _, err := os.Stat(root); err != nil {
		return
	}
	r := dir.NewReader(0)
	defer r.Close()
	refs := []dir.Ref{dir.Root(root, root, 1)}
	for len(refs) > 0 {
		_, err := r.Open(refs[0])
		require.NoError(t, err)
		refs = refs[1:]
		for {
			batch, err := r.Next()
			if err != nil {
				break
			}
			for i := range batch {
				if e := &batch[i]; e.Type.IsDir() {
					visit(e)
					refs = append(refs, e.Ref())
				}
			}
		}
	}
}

func TestRoots(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a/b/", "c", "l -> a/b")
	t.Chdir(tree)
	cwd, err := os.Getwd()
	require.NoError(t, err)
	cwd = filepath.ToSlash(cwd)
	for _, row := range []struct {
		labels Labels
		path   string // "": none is given
		want   string
	}{
		{Labels{}, "", ""},
		{Labels{KeepDot: true}, "", "./"},
		{Labels{Absolute: true}, "", cwd},
		{Labels{}, "./a", "./a"},
		{Labels{StripDot: true}, "./a", "a"},
		{Labels{StripDot: true}, ".", ""},
		{Labels{Absolute: true}, "a/../c", cwd + "/c"},
		{Labels{Absolute: true}, "a/b/./../../c/", cwd + "/c"},
		{Labels{Absolute: true}, cwd + "/a/..", cwd},
		{Labels{Absolute: true}, "a/../../../../../../../../..", "/"},
		{Labels{Absolute: true}, "l/../c", cwd + "/l/../c"},
		{Labels{Absolute: true}, "a/b/../../l/..", cwd + "/a/b/../../l/.."},
		{Labels{Absolute: true}, "missing/../c", cwd + "/missing/../c"},
		{Labels{Absolute: true}, "..c", cwd + "/..c"},
		{Labels{Absolute: true}, cwd + "/c", cwd + "/c"},
		{Labels{RelativeTo: "a"}, "c", "../c"},
		{Labels{RelativeTo: "a"}, "a/b", "b"},
		{Labels{RelativeTo: "l"}, "c", "../../c"},
		{Labels{RelativeTo: "a"}, "", "../"},
		{Labels{RelativeTo: "a"}, "missing", "missing"},
	} {
		if runtime.GOOS == "windows" && (row.labels.Absolute || row.labels.RelativeTo == "l") {
			continue // which cleans .., and may have no links
		}
		var paths []string
		if row.path != "" {
			paths = []string{row.path}
		}
		roots, err := row.labels.Roots(paths)
		require.NoError(t, err)
		if row.path == "" {
			row.path = "."
		}
		if row.want == "../" {
			row.want = ".."
		}
		assert.Equal(t, []walk.Root{{Path: row.path, Label: row.want}}, roots, "%+v", row)
	}
	for _, wrong := range []string{"c", "missing"} {
		_, err := Labels{RelativeTo: wrong}.Roots([]string{"a"})
		assert.Error(t, err, wrong)
	}
	roots := []walk.Root{{Path: "a//b/./"}, {Path: "a/../c"}}
	require.NoError(t, MakeAbsolute(roots))
	assert.Equal(t, cwd+"/a/b", roots[0].Absolute)
	assert.Equal(t, cwd+"/c", roots[1].Absolute)
	except, err := ExceptSecondView(nil)
	require.NoError(t, err)
	assert.Nil(t, except)
	drives, err := Drives()
	require.NoError(t, err)
	assert.NotEmpty(t, drives)
}

// A pattern that takes too long for too many names ends the search; one that does so for a
// single name, or a file that has vanished, does not.
func TestReportMatch(t *testing.T) {
	for _, row := range []struct {
		err            error
		reports, stops bool
	}{
		{&match.SlowError{Pattern: "x", GivenUp: true}, true, true},
		{&match.SlowError{Pattern: "x"}, true, false},
		{&fs.PathError{Op: "stat", Path: "x", Err: syscall.ENOENT}, false, false},
		{&fs.PathError{Op: "stat", Path: "x", Err: fs.ErrPermission}, true, false},
	} {
		var reported []error
		s := &search{}
		s.Walk.Report = func(err error) { reported = append(reported, err) }
		assert.Equal(t, row.stops, !s.reportMatch(row.err), "%v", row.err)
		assert.Equal(t, row.reports, len(reported) == 1, "%v", row.err)
	}
}
