package attack

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
	"ldx/internal/hostile"
)

// deeds are the ways to change copies that do not depend on the file system.
var deeds = [][]string{
	{"--delete", "--keep", "first"},
	{"--link", "hard", "--keep", "first", "--ignore-metadata"},
}

// runDupes runs ldx dupes in a directory.
func runDupes(t *testing.T, dir string, args ...string) hostile.Result {
	t.Helper()
	got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), append([]string{"dupes", "-u", "--no-cache", "--yes"}, args...)...)
	require.False(t, got.TimedOut)
	require.NotContains(t, string(got.Stderr), "goroutine")
	return got
}

// makeCopies makes groups of files with the same content, dI/cJ for copy J of group I, and returns
// the contents.
func makeCopies(t *testing.T, dir string, groups, copies int) (contents []string) {
	t.Helper()
	for i := range groups {
		content := strings.Repeat(fmt.Sprintf("group %d of %s\n", i, dir), 1+i%7*400)
		contents = append(contents, content)
		for j := range copies {
			sub := filepath.Join(dir, fmt.Sprintf("d%d", j))
			require.NoError(t, os.MkdirAll(sub, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(sub, fmt.Sprintf("g%d", i)), []byte(content), 0o644))
		}
	}
	return contents
}

// named returns the contents of all regular files below a directory, with their names, and
// requires that no name is one of ldx's own, if ended is set.
func named(t *testing.T, dir string, ended bool) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if strings.HasPrefix(d.Name(), ".ldx-dupes-") {
			assert.False(t, ended, "%s is left", path)
			return nil
		}
		content, err := os.ReadFile(path)
		found[string(content)] = append(found[string(content)], path)
		return err
	}))
	return found
}

// assertNamed requires that each content has a name.
func assertNamed(t *testing.T, contents []string, found map[string][]string) {
	t.Helper()
	for i, content := range contents {
		require.NotEmpty(t, found[content], "content %d (%x) is lost", i, sha256.Sum256([]byte(content)))
	}
}

// TestDupesChangedMeanwhile has other programs change files while ldx finds and changes copies. In
// the end each name has what was written there last, and what nobody has overwritten has a name.
func TestDupesChangedMeanwhile(t *testing.T) {
	const groups, copies = 100, 3
	for _, args := range deeds {
		t.Run(args[0], func(t *testing.T) {
			changes, passed, writes, checked := 0, 0, 0, 0
			for round := range dirtest.Setting(t, "LDX_DUPES_ROUNDS", uint64(rounds(6, 1000))) {
				dir := filepath.Join(dirtest.TempDir(t), "tree")
				contents := makeCopies(t, dir, groups, copies)
				w := startWriter(t, dir, round+rand.Uint64N(1e9), contents, copies)
				for range 3 {
					got := runDupes(t, dir, args...)
					changes += bytes.Count(got.Stdout, []byte("\n"))
					passed += bytes.Count(got.Stderr, []byte("passed over"))
				}
				written := w.stop()
				writes += w.n
				found := named(t, dir, true)
				for path, content := range written {
					have, err := os.ReadFile(path)
					require.NoError(t, err, "round %d", round)
					require.Equal(t, content, string(have), "round %d: %s", round, path)
				}
				for i, content := range contents {
					if w.overwritten[i] { // perhaps the last copy
						continue
					}
					require.NotEmpty(t, found[content], "round %d: group %d is lost", round, i)
					checked++
				}
				require.NoError(t, os.RemoveAll(filepath.Dir(dir)))
			}
			assert.Positive(t, changes)
			assert.Positive(t, passed)
			t.Logf("%d changes, %d passed over, %d writes, %d contents checked", changes, passed, writes, checked)
		})
	}
}

// copiesOf returns the names of a group.
func copiesOf(dir string, group, copies int) (paths []string) {
	for j := range copies {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("d%d/g%d", j, group)))
	}
	return paths
}

// A writer changes files until it is stopped: it writes into them, replaces them by others, by
// links to files outside, by hard links to another copy, and by copies again.
type writer struct {
	t        *testing.T
	dir      string
	contents []string // of each group
	copies   int
	r        *rand.Rand
	n        int
	written  map[string]string // what was written last by path, unless it is the content of its group
	linked   map[string]bool   // replaced by a link
	// overwritten has the groups of which a file was overwritten, and no copy was made since.
	overwritten map[int]bool
	end         chan struct{}
	done        sync.WaitGroup
}

func startWriter(t *testing.T, dir string, seed uint64, contents []string, copies int) *writer {
	w := &writer{
		t: t, dir: dir, contents: contents, copies: copies, r: rand.New(rand.NewPCG(seed, 7)),
		written: map[string]string{}, linked: map[string]bool{}, overwritten: map[int]bool{}, end: make(chan struct{}),
	}
	outside := filepath.Join(filepath.Dir(dir), "outside")
	require.NoError(t, os.Mkdir(outside, 0o755))
	w.done.Go(func() {
		for {
			select {
			case <-w.end:
				return
			default:
				w.change(w.r.IntN(len(contents)), outside)
				sha256.Sum256(make([]byte, 256<<10)) // or nothing would stay as it is for long enough to be found
			}
		}
	})
	return w
}

func (w *writer) stop() map[string]string {
	close(w.end)
	w.done.Wait()
	return w.written
}

// change changes a file of a group. New contents are unique, so that ldx has no reason to take them
// for copies.
func (w *writer) change(group int, outside string) {
	paths := copiesOf(w.dir, group, w.copies)
	path, other := paths[w.r.IntN(w.copies)], paths[w.r.IntN(w.copies)]
	w.n++
	content := fmt.Sprintf("written %d in %s", w.n, w.dir)
	temp := filepath.Join(outside, "temp")
	switch w.r.IntN(8) {
	default:
		require.NoError(w.t, os.WriteFile(temp, []byte(w.contents[group]), 0o644))
		require.NoError(w.t, os.Rename(temp, path))
		delete(w.written, path)
		delete(w.linked, path)
		delete(w.overwritten, group)
	case 0:
		if w.writeInto(path, content) {
			w.written[path], w.overwritten[group] = content, true
			delete(w.linked, path)
		}
	case 1:
		require.NoError(w.t, os.WriteFile(temp, []byte(content), 0o644))
		require.NoError(w.t, os.Rename(temp, path))
		w.written[path], w.overwritten[group] = content, true
		delete(w.linked, path)
	case 2:
		kept := filepath.Join(outside, fmt.Sprint(w.n))
		if os.Link(path, kept) != nil { // outside is what was there
			return
		}
		require.NoError(w.t, os.Symlink(kept, temp))
		require.NoError(w.t, os.Rename(temp, path))
		delete(w.written, path)
		w.linked[path], w.overwritten[group] = true, true
	case 3:
		if path == other || w.written[other] != "" || w.linked[other] || os.Link(other, temp) != nil {
			return
		}
		require.NoError(w.t, os.Rename(temp, path))
		delete(w.written, path)
		delete(w.linked, path)
		_ = os.Remove(temp) // both were the same file already
	}
}

// writeInto writes into an existing file of one name, as a program does that makes sure that the
// file it has opened was not deleted or linked meanwhile.
func (w *writer) writeInto(path, content string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return false
	}
	defer func() { require.NoError(w.t, f.Close()) }()
	var st unix.Stat_t
	require.NoError(w.t, unix.Fstat(int(f.Fd()), &st))
	if st.Nlink != 1 {
		return false
	}
	require.NoError(w.t, f.Truncate(0))
	_, err = f.WriteString(content)
	require.NoError(w.t, err)
	return true
}

// TestDupesTwice has two processes keep different copies of the same files.
func TestDupesTwice(t *testing.T) {
	for _, deed := range []string{"--delete", "--link=hard"} {
		t.Run(deed, func(t *testing.T) {
			for range rounds(8, 500) {
				dir := dirtest.TempDir(t)
				contents := makeCopies(t, dir, 20, 2)
				var both sync.WaitGroup
				for _, keep := range []string{"d0/*", "d1/*"} {
					both.Go(func() { runDupes(t, dir, deed, "--keep", keep) })
				}
				both.Wait()
				assertNamed(t, contents, named(t, dir, true))
				require.NoError(t, os.RemoveAll(dir))
			}
		})
	}
}

// TestDupesSwappedLinks has directories replaced by links to the outside, where the same names are.
func TestDupesSwappedLinks(t *testing.T) {
	for _, args := range deeds {
		t.Run(args[0], func(t *testing.T) {
			changes, swaps := 0, int64(0)
			for range rounds(5, 300) {
				home := dirtest.TempDir(t)
				tree, outside := filepath.Join(home, "tree"), filepath.Join(home, "outside")
				contents := makeCopies(t, tree, 30, 4)
				for i, content := range contents { // copies too, which a link would lead to
					dirtest.Make(t, outside, fmt.Sprintf("g%d", i))
					require.NoError(t, os.WriteFile(filepath.Join(outside, fmt.Sprintf("g%d", i)), []byte(content), 0o644))
				}
				before := listing(t, outside)
				swapper := hostile.Swap(t, tree, outside, "d1", "d2", "d3")
				for range 3 {
					changes += bytes.Count(runDupes(t, tree, args...).Stdout, []byte("\n"))
				}
				swaps += swapper.Stop()
				require.Equal(t, before, listing(t, outside))
				for name, paths := range named(t, outside, true) {
					require.Len(t, paths, 1)
					info, err := os.Stat(paths[0])
					require.NoError(t, err)
					require.EqualValues(t, 1, info.Sys().(*syscall.Stat_t).Nlink, name)
				}
				assertNamed(t, contents, named(t, tree, true))
			}
			assert.Positive(t, changes)
			t.Logf("%d changes, %d swaps", changes, swaps)
		})
	}
}

// TestDupesKilled kills ldx at each call that changes something or that it decides by, and has
// these calls fail.
func TestDupesKilled(t *testing.T) {
	program := ldx(t)
	calls := []string{"renameat2", "linkat", "unlinkat"}
	if rounds(1, 2) == 2 {
		calls = append(calls, "newfstatat", "pread64", "fcntl", "fstat", "close", "openat", "write")
	}
	for _, args := range deeds {
		for _, fault := range []string{"signal=KILL", "error=EIO", "error=ENOSPC"} {
			for _, call := range calls {
				t.Run(args[0]+" "+call+" "+fault, func(t *testing.T) {
					if fault != "signal=KILL" && !slices.Contains(calls[:3], call) {
						t.Skip("Go's own use of it would fail")
					}
					faults := 0
					for step, last := 1, false; !last; step++ {
						dir := dirtest.TempDir(t)
						contents := makeCopies(t, dir, 2, 3)
						require.NoError(t, os.Link(filepath.Join(dir, "d1/g1"), filepath.Join(dir, "d1/link")))
						inject := fmt.Sprintf("%s:%s:when=%d", call, fault, step)
						_, stderr, exit := hostile.Strace(t, inject, program,
							append([]string{"dupes", "-u", "-j1", "--no-cache", "--yes", ".", dir}, args...)...)
						require.NotContains(t, string(stderr), "goroutine")
						if last = exit == 0; !last { // else there are fewer such calls
							faults++
						}
						assertNamed(t, contents, named(t, dir, false))
						require.NoError(t, os.RemoveAll(dir))
					}
					t.Logf("%d faults", faults)
				})
			}
		}
	}
}

// TestDupesFullDisk has no room for a single name more.
func TestDupesFullDisk(t *testing.T) {
	dir := dirtest.TempDir(t)
	if err := unix.Mount("none", dir, "tmpfs", 0, "size=8m,nr_inodes=40"); err != nil {
		t.Skip("mount: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	contents := makeCopies(t, dir, 8, 3)
	for i := 0; ; i++ {
		if f, err := os.Create(filepath.Join(dir, fmt.Sprintf("filler%d", i))); err != nil {
			require.True(t, errors.Is(err, unix.ENOSPC), err)
			break
		} else if _, err := f.Write(bytes.Repeat([]byte{byte(i)}, 100+i)); err == nil {
			require.NoError(t, f.Close())
		}
	}
	before := named(t, dir, true)
	got := runDupes(t, dir, "--link", "hard", "--keep", "first", "--ignore-metadata")
	assert.Equal(t, 1, got.Exit)
	assert.Contains(t, string(got.Stderr), "no space left on device")
	assert.Equal(t, before, named(t, dir, true))
	got = runDupes(t, dir, "--delete", "--keep", "first")
	assert.Equal(t, 0, got.Exit, string(got.Stderr))
	assertNamed(t, contents, named(t, dir, true))
	assert.Len(t, named(t, dir, true)[contents[0]], 1)
	got = runDupes(t, dir, "--delete", "--keep", "first", "--empty", "--log", "/dev/full")
	assert.Equal(t, 0, got.Exit, string(got.Stderr)) // nothing is left to do
}

// TestDupesReflink has copies share their blocks on file systems that can.
func TestDupesReflink(t *testing.T) {
	for _, kind := range []string{"btrfs", "xfs"} {
		t.Run(kind, func(t *testing.T) {
			dir := hostile.Image(t, kind, 400<<20)
			contents := makeCopies(t, dir, 4, 3)
			big := bytes.Repeat([]byte("0123456789abcdef"), 3<<20)
			contents = append(contents, string(big))
			for _, name := range []string{"d0/big", "d1/big"} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), big, 0o600))
			}
			unix.Sync()
			before := named(t, dir, true)
			var free, after unix.Statfs_t
			require.NoError(t, unix.Statfs(dir, &free))
			got := runDupes(t, dir, "--link", "reflink", "--keep", "first")
			require.Equal(t, 0, got.Exit, string(got.Stderr))
			assert.Contains(t, string(got.Stdout), "d1/big shares the blocks of d0/big\n")
			assert.Equal(t, before, named(t, dir, true))
			assertNamed(t, contents, named(t, dir, true))
			unix.Sync()
			require.NoError(t, unix.Statfs(dir, &after))
			assert.Greater(t, int64(after.Bfree-free.Bfree)*int64(after.Bsize), int64(len(big)*9/10))
			got = runDupes(t, dir, "--link", "reflink", "--keep", "first", "-S", "+1m")
			assert.Empty(t, string(got.Stdout), "they share their blocks already")
			assert.Equal(t, 0, got.Exit, string(got.Stderr))
		})
	}
}
