package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestSortByPath compares --sort path with what GNU find prints, sorted by the elements of paths, over
// random trees with odd names.
func TestSortByPath(t *testing.T) {
	peer(t, "find")
	for seed := range dirtest.Setting(t, "LDX_TREES", 8) {
		dir := dirtest.TempDir(t)
		dirtest.Random(t, dir, seed)
		for i, name := range dirtest.WeirdNames() {
			dirtest.Make(t, dir, fmt.Sprintf("w%d/%s/%s/x", i%3, name, name), fmt.Sprintf("w%d/%s.x", i%3, name[:min(len(name), 200)]))
		}
		out, err := findIn(dir, ".", "-mindepth", "1", "-print0")
		require.NoError(t, err)
		want := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
		slices.SortFunc(want, func(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) })
		byDepth := slices.Clone(want)
		slices.SortStableFunc(byDepth, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
		for _, row := range []struct {
			keys string
			args []string
			want []string
		}{
			{"path", []string{"-j1"}, want},
			{"path", []string{"-j2"}, want},
			{"path", []string{"-j16", "--buffer-size", "4ki"}, want},
			{"depth,path", nil, byDepth},
		} {
			args := append([]string{"-u", "-0", "--trailing-slash=never"}, row.args...)
			require.Equal(t, row.want, ordered(t, dir, append(args, "--sort", row.keys)...), "%d %q", seed, args)
			args = append(args, "--sortr", row.keys)
			slices.Reverse(row.want)
			require.Equal(t, row.want, ordered(t, dir, args...), "%d %q", seed, args)
			require.Equal(t, row.want[:20], ordered(t, dir, append(args, "--max-results", "20")...), "%d %q", seed, args)
			slices.Reverse(row.want)
		}
	}
}

func findIn(dir string, args ...string) (string, error) {
	cmd := exec.Command("find", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	return string(out), err
}

// ordered returns ldx's results in a directory as they come.
func ordered(t *testing.T, dir string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("ldx", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%q: %s", args, &stderr)
	return strings.Split(filepath.ToSlash(strings.TrimSuffix(string(out), "\x00")), "\x00")
}
