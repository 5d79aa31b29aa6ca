package process

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBuild has what Go 1.26 records of builds: of a tag, of a commit after one, of a commit in
// a clone without tags, of changed files, of a module from a proxy, and without stamps.
func TestBuild(t *testing.T) {
	const commit = "9fceb02d0ae598e95dc970b74767f19372d61af8"
	for _, row := range []struct {
		module, revision string
		modified         bool
		want             string
	}{
		{"v0.2.0", commit, false, "0.2.0"},
		{"v0.2.0-rc.1", commit, false, "0.2.0-rc.1"},
		{"v0.1.1-0.20261122101112-9fceb02d0ae5", commit, false, release + "+9fceb02d0ae5"},
		{"v0.0.0-20261122101112-9fceb02d0ae5", commit, false, release + "+9fceb02d0ae5"},
		{"v0.0.0-20261122101112-9fceb02d0ae5+dirty", commit, true, release + "+9fceb02d0ae5.dirty"},
		{"v0.2.0+dirty", commit, true, release + "+9fceb02d0ae5.dirty"},
		{"(devel)", commit, false, release + "+9fceb02d0ae5"},
		{"v0.0.0-20261122101112-9fceb02d0ae5", "", false, "0.0.0-20261122101112-9fceb02d0ae5"},
		{"(devel)", "", false, release + "+dev"},
		{"", "", false, release + "+dev"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: row.module}}
		if row.revision != "" {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: "vcs.revision", Value: row.revision})
		}
		if row.modified {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: "true"})
		}
		version, revision := versionOf(info)
		assert.Equal(t, row.want, version, row)
		assert.Equal(t, row.revision, revision, row)
	}
}

// TestRelease compares with the newest version in the changelog.
func TestRelease(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	require.NoError(t, err)
	newest := regexp.MustCompile(`(?m)^## (\d\S*)`).FindSubmatch(text)
	require.NotNil(t, newest)
	assert.Equal(t, string(newest[1]), release)
}
