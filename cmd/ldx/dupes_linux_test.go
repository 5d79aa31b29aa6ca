package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestDupesRandom compares the groups of ldx dupes with those that find and sha256sum give, over
// random trees: LDX_DUPES_SEED repeats one, LDX_DUPES_TREES is their number. With LDX_FCLONES, the
// path of fclones, its groups are the same too.
func TestDupesRandom(t *testing.T) {
	peer(t, "find")
	peer(t, "sha256sum")
	t.Setenv("XDG_STATE_HOME", dirtest.TempDir(t))
	first := dirtest.Setting(t, "LDX_DUPES_SEED", rand.Uint64N(1e9))
	for i := range dirtest.Setting(t, "LDX_DUPES_TREES", 200) {
		seed := first + i
		dir := dirtest.TempDir(t)
		randomCopies(t, dir, seed)
		var flags []string
		if seed%2 == 0 {
			flags = append(flags, "--empty")
		}
		want, save := copiesOf(t, dir, seed%2 == 0)
		for run := range 2 { // the second has hashes in the catalogue
			got, gotSave := dupesGroups(t, dir, append([]string{"dupes", "-u", "--json"}, flags...)...)
			require.Equal(t, want, got, "LDX_DUPES_SEED=%d, run %d", seed, run)
			require.Equal(t, save, gotSave, "LDX_DUPES_SEED=%d, run %d", seed, run)
		}
		if fclones := os.Getenv("LDX_FCLONES"); fclones != "" && !hasWeirdNames(seed) {
			require.Equal(t, want, fclonesGroups(t, fclones, dir, seed%2 == 0), "LDX_DUPES_SEED=%d", seed)
		}
		require.NoError(t, os.RemoveAll(dir))
	}
}

// hasWeirdNames reports whether a tree has names that fclones prints in a way of its own.
func hasWeirdNames(seed uint64) bool { return seed%4 == 3 }

// randomCopies makes a tree of files of which many are almost the same.
func randomCopies(t *testing.T, dir string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	sizes := []int{0, 1, 4095, 4096, 4097, 8192, 16383, 16384, 16385, 20000, 65535, 65536, 65537, 69632, 131072}
	sizes = []int{sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))], sizes[r.IntN(len(sizes))]}
	dirs, files := []string{dir}, []string(nil)
	for i := range 3 + r.IntN(5) {
		sub := filepath.Join(dirs[r.IntN(len(dirs))], fmt.Sprintf("d%d", i))
		require.NoError(t, os.Mkdir(sub, 0o755))
		dirs = append(dirs, sub)
	}
	names := dirtest.WeirdNames()
	for i := range 10 + r.IntN(50) {
		path := filepath.Join(dirs[r.IntN(len(dirs))], fmt.Sprintf("f%d", i))
		if hasWeirdNames(seed) && r.IntN(5) == 0 {
			path = filepath.Join(filepath.Dir(path), names[r.IntN(len(names))])
		}
		content := make([]byte, sizes[r.IntN(len(sizes))])
		same := rand.New(rand.NewPCG(uint64(r.IntN(2)), 3))
		for j := range content {
			content[j] = byte(same.Uint32())
		}
		if n := len(content); n > 0 {
			switch r.IntN(8) {
			case 0:
				content[0]++ // the same end
			case 1:
				content[n-1]++ // the same beginning
			case 2:
				content[n/2]++ // one byte in the middle
			case 3:
				clear(content) // perhaps with a hole
			}
		}
		switch kind := r.IntN(8); {
		case kind == 0 && len(files) > 0:
			_ = os.Link(files[r.IntN(len(files))], path)
		case kind == 1 && len(files) > 0:
			_ = os.Symlink(files[r.IntN(len(files))], path)
		case kind == 2:
			require.NoError(t, os.WriteFile(path, nil, 0o644))
			require.NoError(t, os.Truncate(path, int64(len(content))))
			files = append(files, path)
		default:
			require.NoError(t, os.WriteFile(path, content, 0o644))
			files = append(files, path)
		}
	}
}

// copiesOf returns the groups, each as its sorted paths with a line for each, and the saving of
// each, as find and sha256sum have them.
func copiesOf(t *testing.T, dir string, empty bool) (groups []string, save map[string]int64) {
	t.Helper()
	type file struct {
		names         []string
		links, blocks int64
	}
	hashes := map[string]string{}
	for _, line := range output(t, dir, "sh", "-c", "find . -type f -print0 | xargs -0 -r sha256sum -z") {
		sum, path, _ := strings.Cut(line, "  ")
		hashes[path] = sum
	}
	files := map[string]map[string]*file{} // by hash and inode
	for _, line := range output(t, dir, "find", ".", "-type", "f", "-printf", `%i %s %n %b %p\0`) {
		f := strings.SplitN(line, " ", 5)
		if f[1] == "0" && !empty {
			continue
		}
		same := files[hashes[f[4]]]
		if same == nil {
			same = map[string]*file{}
			files[hashes[f[4]]] = same
		}
		if same[f[0]] == nil {
			same[f[0]] = &file{}
		}
		one := same[f[0]]
		one.names = append(one.names, strings.TrimPrefix(f[4], "./"))
		one.links, _ = strconv.ParseInt(f[2], 10, 64)
		one.blocks, _ = strconv.ParseInt(f[3], 10, 64)
	}
	save = map[string]int64{}
	for _, same := range files {
		if len(same) < 2 {
			continue
		}
		var names []string
		total, largest := int64(0), int64(0)
		for _, one := range same {
			slices.Sort(one.names)
			names = append(names, fmt.Sprintf("%q", one.names))
			if one.links == int64(len(one.names)) {
				total += one.blocks * 512
				largest = max(largest, one.blocks*512)
			}
		}
		slices.Sort(names)
		group := strings.Join(names, "\n")
		groups = append(groups, group)
		save[group] = total - largest
	}
	slices.Sort(groups)
	return groups, save
}

// A jsonName is a path in JSON.
type jsonName struct {
	Path string `json:"path"`
	B64  []byte `json:"path_b64"`
}

func (n *jsonName) text() string {
	if n.B64 != nil {
		return string(n.B64)
	}
	return n.Path
}

// dupesGroups returns the groups of ldx dupes --json as copiesOf does.
func dupesGroups(t *testing.T, dir string, args ...string) (groups []string, save map[string]int64) {
	t.Helper()
	cmd := exec.Command("ldx", args...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	save = map[string]int64{}
	for line := range strings.Lines(string(out)) {
		var g struct {
			Save  int64 `json:"save"`
			Files []struct {
				jsonName
				Links []jsonName `json:"links"`
			} `json:"files"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &g), line)
		var names []string
		for _, f := range g.Files {
			one := []string{f.text()}
			for _, link := range f.Links {
				one = append(one, link.text())
			}
			slices.Sort(one)
			names = append(names, fmt.Sprintf("%q", one))
		}
		slices.Sort(names)
		group := strings.Join(names, "\n")
		groups = append(groups, group)
		save[group] = g.Save
	}
	slices.Sort(groups)
	return groups, save
}

// fclonesGroups returns the groups of fclones as copiesOf does.
func fclonesGroups(t *testing.T, fclones, dir string, empty bool) (groups []string) {
	t.Helper()
	args := []string{"group", "--hidden", "--no-ignore", "-f", "json", "."}
	if empty {
		args = append(args, "-s", "0")
	}
	cmd := exec.Command(fclones, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	require.NoError(t, err)
	var report struct {
		Groups []struct {
			Files []string `json:"files"`
		} `json:"groups"`
	}
	require.NoError(t, json.Unmarshal(out, &report))
	for _, g := range report.Groups {
		files := map[uint64][]string{}
		for _, path := range g.Files {
			info, err := os.Lstat(path)
			require.NoError(t, err)
			name, err := filepath.Rel(dir, path)
			require.NoError(t, err)
			inode := info.Sys().(*syscall.Stat_t).Ino
			files[inode] = append(files[inode], name)
		}
		var names []string
		for one := range maps.Values(files) {
			slices.Sort(one)
			names = append(names, fmt.Sprintf("%q", one))
		}
		slices.Sort(names)
		groups = append(groups, strings.Join(names, "\n"))
	}
	slices.Sort(groups)
	return groups
}

// TestDupesDirsRandom compares the directories of --dirs with those that find and sha256sum say are
// the same, over random trees in which directories were copied.
func TestDupesDirsRandom(t *testing.T) {
	peer(t, "find")
	peer(t, "sha256sum")
	first := dirtest.Setting(t, "LDX_DUPES_SEED", rand.Uint64N(1e9))
	groups := 0
	for i := range dirtest.Setting(t, "LDX_DUPES_TREES", 20) {
		seed := first + i
		dir := dirtest.TempDir(t)
		randomCopies(t, dir, seed)
		r := rand.New(rand.NewPCG(seed, 4))
		for j := range 4 {
			dirs := output(t, dir, "find", ".", "-type", "d", "-print0")
			to := filepath.Join(dirs[r.IntN(len(dirs))], fmt.Sprintf("copy%d", j))
			from := dirs[r.IntN(len(dirs))]
			if from == "." || strings.HasPrefix(to+"/", filepath.Clean(from)+"/") { // not into itself
				continue
			}
			cmd := exec.Command("cp", "-a", from, to)
			cmd.Dir, cmd.Stderr = dir, os.Stderr
			require.NoError(t, cmd.Run())
			if r.IntN(3) == 0 {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, to, "empty"), 0o755))
			}
		}
		want := sameDirs(t, dir)
		cmd := exec.Command("ldx", "dupes", "--dirs", "--json", "--no-cache")
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		out, err := cmd.Output()
		require.NoError(t, err)
		var got []string
		for line := range strings.Lines(string(out)) {
			var g struct{ Dirs []jsonName }
			require.NoError(t, json.Unmarshal([]byte(line), &g))
			var paths []string
			for _, d := range g.Dirs {
				paths = append(paths, d.text())
			}
			got = append(got, fmt.Sprintf("%q", paths))
		}
		slices.Sort(got)
		require.Equal(t, want, got, "LDX_DUPES_SEED=%d", seed)
		groups += len(got)
		require.NoError(t, os.RemoveAll(dir))
	}
	require.Positive(t, groups)
}

// sameDirs returns the groups of directories that find lists the same of, files with their hashes.
// A group whose directories are all in directories of other groups is left out.
func sameDirs(t *testing.T, dir string) (groups []string) {
	t.Helper()
	const list = `find . -mindepth 1 \( -type f -exec sh -c 'for f; do printf "f %s %s\0" "$f" "$(sha256sum <"$f")"; done' sh {} + \) ` +
		`-o -type l -printf 'l %p %l\0' -o -printf '%y %p\0'`
	same := map[string][]string{}
	listings := map[string]string{}
	for _, path := range output(t, dir, "find", ".", "-type", "d", "-print0") {
		listing := strings.Join(output(t, filepath.Join(dir, path), "sh", "-c", list), "\x00")
		if strings.HasPrefix(listing, "f ") || strings.Contains(listing, "\x00f ") {
			same[listing] = append(same[listing], strings.TrimPrefix(path, "./"))
			listings[strings.TrimPrefix(path, "./")] = listing
		}
	}
	for _, paths := range same {
		isOuter := func(path string) bool { return len(same[listings[filepath.Dir(path)]]) < 2 }
		if len(paths) > 1 && slices.ContainsFunc(paths, isOuter) {
			slices.Sort(paths)
			groups = append(groups, fmt.Sprintf("%q", paths))
		}
	}
	slices.Sort(groups)
	return groups
}
