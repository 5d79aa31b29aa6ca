//go:build amd64 || arm64

package hostile_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
	"ldx/internal/hostile"
)

func TestMountIsComplete(t *testing.T) {
	for name, fs := range map[string]hostile.FS{
		"generated":  {Dirs: 3, Files: 4, Depth: 3},
		"wide":       {Files: 5000},
		"described":  {Entries: []string{"a/b/c", "a/d/", "e =", "l -> a"}},
		"both":       {Dirs: 1, Files: 1, Depth: 2, Entries: []string{"d0/f0 -> x", "d0/d0/y/z"}},
		"shuffled":   {Dirs: 3, Files: 4, Depth: 2, Shuffle: true},
		"no types":   {Dirs: 3, Files: 4, Depth: 2, UnknownTypes: true},
		"slow":       {Dirs: 3, Files: 2, Depth: 2, Delay: hostile.Slow(2 * time.Millisecond)},
		"one inode":  {Files: 3, Entries: []string{"a/b", "c/d"}, Inode: func(string) uint64 { return 7 }},
		"cached":     {Dirs: 2, Files: 2, Depth: 2, Cache: time.Hour},
		"contents":   {Contents: map[string]string{"a/.gitignore": "*"}},
		"empty":      {},
		"only links": {Entries: []string{"up -> ..", "a/broken -> nowhere"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := hostile.Mount(t, fs)
			found, stderr := find(t, dir)
			if name == "one inode" { // find takes it for a loop, which proves that it sees the number
				assert.Contains(t, stderr, "loop")
				return
			}
			assert.Empty(t, stderr)
			assert.ElementsMatch(t, fs.Paths(), found)
		})
	}
}

func TestContents(t *testing.T) {
	fs := hostile.FS{
		Entries: []string{"named", "empty =", "l -> named"}, Contents: map[string]string{"a/b": strings.Repeat("text", 100_000)},
		Attr: func(path string, a *hostile.Attr) {
			if path == "empty" {
				a.Size, a.Mode, a.Time = 1<<62, hostile.File|0o4711, time.Unix(-5, 0)
			}
		},
	}
	dir := hostile.Mount(t, fs)
	r := hostile.Run(t, hostile.Limits{Dir: dir}, "cat", "l", "a/b")
	assert.Equal(t, "named"+fs.Contents["a/b"], string(r.Stdout))
	r = hostile.Run(t, hostile.Limits{Dir: dir}, "stat", "-c", "%s %a %Y", "empty")
	assert.Equal(t, "4611686018427387904 4711 -5\n", string(r.Stdout))
}

// TestFail checks each error with find, which prints the system's text and the
// path.
func TestFail(t *testing.T) {
	const eio, eacces = "Input/output error", "Permission denied"
	entries := []string{"good/a", "bad/a", "bad/b", "bad/c", "bad/d"}
	for name, row := range map[string]struct {
		fault hostile.Fault
		found string // below bad
		err   string
	}{
		"opendir":        {hostile.Fault{Fail: map[hostile.Op]error{hostile.OpenDir: syscall.EACCES}}, "", eacces},
		"readdir":        {hostile.Fault{Fail: map[hostile.Op]error{hostile.ReadDir: syscall.EIO}}, "", eio},
		"readdir, later": {hostile.Fault{Fail: map[hostile.Op]error{hostile.ReadDir: syscall.EIO}, After: 2}, "bad/a bad/b", eio},
		"readdir, last":  {hostile.Fault{Fail: map[hostile.Op]error{hostile.ReadDir: syscall.EIO}, After: 9}, "bad/a bad/b bad/c bad/d", eio},
		"lookup":         {hostile.Fault{Fail: map[hostile.Op]error{hostile.Lookup: syscall.EACCES}}, "", eacces},
	} {
		t.Run(name, func(t *testing.T) {
			dir := hostile.Mount(t, hostile.FS{Entries: entries, Faults: map[string]hostile.Fault{"bad": row.fault}})
			found, stderr := find(t, dir)
			want := append([]string{"bad", "good", "good/a"}, strings.Fields(row.found)...)
			assert.ElementsMatch(t, want, found)
			assert.Regexp(t, "^find: .\\./bad.: "+row.err+"\n$", stderr)
		})
	}
	t.Run("getattr", func(t *testing.T) {
		fail := hostile.Fault{Fail: map[hostile.Op]error{hostile.GetAttr: syscall.EACCES}}
		dir := hostile.Mount(t, hostile.FS{Entries: entries, Faults: map[string]hostile.Fault{".": fail}})
		r := hostile.Run(t, hostile.Limits{}, "stat", dir)
		assert.Contains(t, string(r.Stderr), eacces)
	})
}

// TestHang has a directory that hangs: find lists all before it, and must be
// killed.
func TestHang(t *testing.T) {
	for _, op := range []hostile.Op{hostile.Lookup, hostile.GetAttr, hostile.OpenDir, hostile.ReadDir} {
		t.Run(op.String(), func(t *testing.T) {
			var counts hostile.Counts
			hung := make(chan string, 100)
			release := make(chan struct{})
			fs := hostile.FS{
				Entries: []string{"a/b", "c/d", "z/lost"},
				Faults:  map[string]hostile.Fault{"z": {Hang: []hostile.Op{op}}},
				OnHang:  func(path string, op hostile.Op) { hung <- path + " " + op.String() },
				Release: release,
				Counts:  &counts,
			}
			dir := hostile.Mount(t, fs)
			find := hostile.Start(t, hostile.Limits{Dir: dir}, "find", "a", "c", "z", "-exec", "printf", "{} ", ";")
			assert.Equal(t, "z "+op.String(), <-hung)
			find.Signal(os.Kill)
			r := find.Wait()
			assert.Equal(t, -1, r.Exit)
			assert.Regexp(t, "^a a/b c c/d (z )?$", string(r.Stdout))
			assert.Positive(t, counts.Of(op))
			assert.Positive(t, counts.Of(hostile.Interrupt))

			find = hostile.Start(t, hostile.Limits{Dir: dir}, "find", "z")
			<-hung
			close(release)
			assert.Equal(t, "z\nz/lost\n", string(find.Wait().Stdout), "it goes on once it is released")
		})
	}
}

// TestInterrupt checks that a process that catches a signal gets EINTR from a
// hung directory. The shell then has nothing to replace the pattern with.
func TestInterrupt(t *testing.T) {
	for _, op := range []hostile.Op{hostile.OpenDir, hostile.ReadDir} {
		t.Run(op.String(), func(t *testing.T) {
			hung := make(chan string, 100)
			dir := hostile.Mount(t, hostile.FS{
				Entries: []string{"z/lost"},
				Faults:  map[string]hostile.Fault{"z": {Hang: []hostile.Op{op}}},
				OnHang:  func(path string, _ hostile.Op) { hung <- path },
			})
			sh := hostile.Start(t, hostile.Limits{Dir: dir}, "sh", "-c", "trap 'echo caught' USR1; echo z/*")
			<-hung
			sh.Signal(syscall.SIGUSR1)
			r := sh.Wait()
			assert.ElementsMatch(t, []string{"z/*", "caught"}, strings.Fields(string(r.Stdout)))
			assert.Zero(t, r.Exit)
		})
	}
}

func TestTimeLimit(t *testing.T) {
	dir := hostile.Mount(t, hostile.FS{Entries: []string{"z/"}, Faults: map[string]hostile.Fault{"z": {Hang: []hostile.Op{hostile.OpenDir}}}})
	r := findIn(t, hostile.Limits{Dir: dir, Time: 200 * time.Millisecond})
	assert.True(t, r.TimedOut)
	assert.Equal(t, -1, r.Exit)
}

// TestEndless reads parts of endless trees and listings.
func TestEndless(t *testing.T) {
	dir := hostile.Mount(t, hostile.FS{Dirs: 1, Files: 1, Endless: true, Faults: map[string]hostile.Fault{"d0/d0/d0": {Endless: true}}})
	found, stderr := find(t, dir, "-maxdepth", "3")
	assert.Empty(t, stderr)
	assert.Equal(t, []string{"d0", "d0/d0", "d0/d0/d0", "d0/d0/f0", "d0/f0", "f0"}, found)
	r := hostile.Run(t, hostile.Limits{Dir: dir}, "sh", "-c", "ls -U d0/d0/d0 | head -50000 | tail -1")
	assert.Equal(t, "e49997\n", string(r.Stdout), "after f0 and d0")
}

// TestListing checks that types and inode numbers are listed as given, also
// those that no directory should have.
func TestListing(t *testing.T) {
	dir := hostile.Mount(t, hostile.FS{
		Entries: []string{"one/", "two/", "three"}, UnknownTypes: true,
		Inode: func(path string) uint64 { return map[string]uint64{"one": 0, "two": 5, "three": 5}[path] },
	})
	r := hostile.Run(t, hostile.Limits{Env: []string{"HOSTILE_DIRENTS=" + dir}}, os.Args[0])
	assert.Equal(t, ". 0 0\n.. 0 0\none 0 0\ntwo 5 0\nthree 5 0\n", string(r.Stdout))
}

func TestShuffle(t *testing.T) {
	order := func(fs hostile.FS) []string {
		r := hostile.Run(t, hostile.Limits{Dir: hostile.Mount(t, fs)}, "ls", "-U")
		return strings.Fields(string(r.Stdout))
	}
	fs := hostile.FS{Files: 20}
	given := order(fs)
	fs.Shuffle = true
	shuffled := order(fs)
	assert.ElementsMatch(t, given, shuffled)
	assert.NotEqual(t, given, shuffled)
	assert.Equal(t, shuffled, order(fs), "it is the same each time")
}

// TestMountEndsWithProcess checks that a mount ends with a process that is
// killed.
func TestMountEndsWithProcess(t *testing.T) {
	dir := dirtest.TempDir(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "HOSTILE_SERVE="+dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	if said != "mounted\n" {
		_ = cmd.Wait()
		t.Skip(said)
	}
	assert.True(t, mounted(t, dir))
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool { return !mounted(t, dir) }, time.Minute, 10*time.Millisecond)
}

// serve mounts a file system at dir and waits to be killed.
func serve(dir string) {
	fs := hostile.FS{Faults: map[string]hostile.Fault{".": {Hang: []hostile.Op{hostile.GetAttr}}}}
	if _, err := hostile.Serve(fs, dir); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("mounted")
	time.Sleep(time.Hour)
}

// TestMain can also be the process that lists a directory for TestListing, and
// the one that is killed for TestMountEndsWithProcess.
func TestMain(m *testing.M) {
	if dir := os.Getenv("HOSTILE_SERVE"); dir != "" {
		serve(dir)
		return
	}
	if dir := os.Getenv("HOSTILE_DIRENTS"); dir != "" {
		if err := printDirents(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// printDirents prints the records of getdents64: names, inode numbers, types.
func printDirents(dir string) error {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	buf := make([]byte, 4096)
	n, err := unix.Getdents(fd, buf)
	if err != nil {
		return err
	}
	for buf = buf[:n]; len(buf) > 0; buf = buf[binary.NativeEndian.Uint16(buf[16:]):] {
		name, _, _ := bytes.Cut(buf[19:], []byte{0})
		fmt.Println(string(name), binary.NativeEndian.Uint64(buf), buf[18])
	}
	return nil
}

// TestNames checks what the kernel does with names that no directory may have.
func TestNames(t *testing.T) {
	for name, row := range map[string]struct{ name, stderr string }{
		"empty": {"", "Input/output error"},
		"slash": {"a/b", "Input/output error"},
		"NUL":   {"..\x00hidden", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := hostile.Mount(t, hostile.FS{Files: 2, List: func(_ string, entries []hostile.Entry) []hostile.Entry {
				return append(entries, hostile.Entry{Name: row.name, Inode: 99, Type: hostile.File})
			}})
			found, stderr := find(t, dir)
			assert.Equal(t, []string{"f0", "f1"}, found)
			if row.stderr == "" {
				assert.Empty(t, stderr)
			} else {
				assert.Contains(t, stderr, row.stderr)
			}
		})
	}
}

// TestMountEnds checks that a mount ends with its test, and so does a process
// that hangs in it.
func TestMountEnds(t *testing.T) {
	var dir string
	ended := make(chan error, 1)
	t.Run("", func(t *testing.T) {
		hung := make(chan string, 1)
		dir = hostile.Mount(t, hostile.FS{
			Entries: []string{"a/"}, Faults: map[string]hostile.Fault{"a": {Hang: []hostile.Op{hostile.OpenDir}}},
			OnHang: func(path string, _ hostile.Op) { hung <- path },
		})
		require.True(t, mounted(t, dir))
		cmd := exec.Command("find", dir)
		require.NoError(t, cmd.Start())
		go func() { ended <- cmd.Wait() }()
		<-hung
	})
	if dir != "" {
		assert.Error(t, <-ended, "find had an error and was not killed")
		assert.False(t, mounted(t, dir))
		assert.NoDirExists(t, dir)
	}
}
