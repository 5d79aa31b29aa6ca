package walk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
	"ldx/internal/ignore"
	"ldx/internal/walk"
)

// ignorer returns an Ignorer for a user without rules.
func ignorer(t *testing.T, opt ignore.Options) *ignore.Ignorer {
	t.Helper()
	opt.Getenv = func(string) string { return "" }
	opt.Report = func(err error) { assert.NoError(t, err) }
	ig, err := ignore.New(opt)
	require.NoError(t, err)
	return ig
}

// TestRulesComeFirst has a rule file anywhere in a listing of one batch, of several batches,
// and of more batches than are kept.
func TestRulesComeFirst(t *testing.T) {
	sizes := []int{5, 3000, 40_000}
	if runtime.GOOS == "windows" {
		sizes = sizes[:2] // in Wine the last takes minutes
	}
	for _, n := range sizes {
		dir := dirtest.TempDir(t)
		for i := range n {
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprint("some-file-", i)), nil, 0o644))
		}
		dirtest.Make(t, dir, "sub/x", "sub/deep/7/y", "sub/7")
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".ignore"), []byte("*7\n.ignore\n"), 0o644))
		var want []string
		for _, path := range oracle(t, dir) {
			path = strings.TrimPrefix(path, filepath.ToSlash(dir)+"/")
			if !strings.HasSuffix(path, "7") && !strings.Contains(path, "/7/") && path != ".ignore" {
				want = append(want, path)
			}
		}
		forWorkers(t, func(t *testing.T, workers int) {
			opt := everything(workers)
			opt.Ignore = ignorer(t, ignore.Options{NoGit: true})
			paths, errs, stats := collect([]walk.Root{{Path: dir}}, opt)
			assert.Empty(t, errs)
			assert.Equal(t, want, paths)
			assert.EqualValues(t, len(oracle(t, dir))-len("y"), stats.Entries)
			assert.EqualValues(t, stats.Entries-int64(len(want)), stats.Ignored)
		})
	}
}

// TestRulesOfSuspendedListings has a directory with rules, and in it more directories than a
// queue holds, each with rules.
func TestRulesOfSuspendedListings(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no listing is suspended there, and Wine takes minutes to make these")
	}
	dir := dirtest.TempDir(t)
	var want []string
	for i := range 6000 {
		sub := fmt.Sprint("directory-", i)
		require.NoError(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
		want = append(want, sub)
		if i%10 == 0 {
			dirtest.Make(t, dir, sub+"/out", sub+"/in", sub+"/own")
			require.NoError(t, os.WriteFile(filepath.Join(dir, sub, ".ignore"), []byte("own"), 0o644))
			want = append(want, sub+"/in")
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".ignore"), []byte("out"), 0o644))
	slices.Sort(want)
	forWorkers(t, func(t *testing.T, workers int) {
		opt := everything(workers)
		opt.Hidden = false
		opt.Ignore = ignorer(t, ignore.Options{})
		paths, errs, _ := collect([]walk.Root{{Path: dir}}, opt)
		assert.Empty(t, errs)
		assert.Equal(t, want, paths)
	})
}

// TestRulesOfFollowedLinks checks that a rule for directories applies to links to directories
// if links are followed.
func TestRulesOfFollowedLinks(t *testing.T) {
	dir := dirtest.TempDir(t)
	dirtest.Make(t, dir, "real/x", "link -> real")
	opt := everything(1)
	opt.Ignore = ignorer(t, ignore.Options{Exclude: []string{"link/"}})
	paths, _, _ := collect([]walk.Root{{Path: dir}}, opt)
	assert.Equal(t, []string{"link", "real", "real/x"}, paths)
	opt.Follow = true
	paths, _, _ = collect([]walk.Root{{Path: dir}}, opt)
	assert.Equal(t, []string{"real", "real/x"}, paths)
}
