package attack

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
	"ldx/internal/hostile"
)

// ldx returns the path of the program under attack: LDX_PROGRAM, such as an
// older version, or one built from this source.
func ldx(t *testing.T) string {
	t.Helper()
	return runs(t, build)
}

// noSlack is like ldx, with an index in which young stamps prove as much as others.
func noSlack(t *testing.T) string {
	t.Helper()
	return runs(t, buildNoSlack)
}

func runs(t *testing.T, build func() (string, error)) string {
	t.Helper()
	program, err := build()
	require.NoError(t, err)
	if err := exec.Command(program, "--version").Run(); err != nil {
		t.Skip("what was built does not run here: ", err) // the tests run in an emulator
	}
	return program
}

var (
	build = sync.OnceValues(func() (string, error) {
		if program := os.Getenv("LDX_PROGRAM"); program != "" {
			return program, nil
		}
		return buildWith()
	})
	buildNoSlack = sync.OnceValues(func() (string, error) { return buildWith("-tags", "ldx_noslack") })

	built []string // directories
)

func buildWith(args ...string) (string, error) {
	dir, err := os.MkdirTemp("", "ldx-attack-")
	if err != nil {
		return "", err
	}
	built = append(built, dir)
	program := filepath.Join(dir, "ldx")
	build := exec.Command("go", append(append([]string{"build"}, args...), "-o", program, "ldx/cmd/ldx")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // faults are for ldx's own calls, not for a loader's
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return program, os.Chmod(dir, 0o755)
}

func TestMain(m *testing.M) {
	status := m.Run()
	for _, dir := range built {
		_ = os.RemoveAll(dir)
	}
	os.Exit(status)
}

// rounds returns the number of repetitions: attacks may miss by chance.
func rounds(usual, large int) int {
	if os.Getenv("LDX_LARGE") != "" {
		return large
	}
	return usual
}

// sorted returns the lines of an output, sorted.
func sorted(out []byte) []string {
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	slices.Sort(lines)
	return lines
}

// findLines returns what find prints of everything below dir.
func findLines(t *testing.T, dir string) []string {
	t.Helper()
	found := hostile.Run(t, hostile.Limits{Dir: dir}, "find", ".", "-mindepth", "1", "-printf", `%P\n`)
	require.Zero(t, found.Exit, string(found.Stderr))
	return sorted(found.Stdout)
}

// everything holds the arguments to print all entries, without a slash after
// directories.
var everything = []string{"-u", "--path-separator=/", "--trailing-slash=never", "."}

// TestSlowFileSystem has a FUSE server that answers interrupted requests with
// EINTR, as its library documents. All entries must still be found.
func TestSlowFileSystem(t *testing.T) {
	var counts hostile.Counts
	fs := hostile.FS{
		Dirs: 2, Files: 3, Depth: 2, Contents: map[string]string{".gitignore": "*.no\n"},
		Delay: hostile.Slow(30 * time.Millisecond), Counts: &counts,
	}
	dir := hostile.Mount(t, fs)
	want := findLines(t, dir)
	for _, args := range [][]string{
		everything, append([]string{"-j1"}, everything...),
		{"--trailing-slash=never", "-H", "."},
		{"--trailing-slash=never", "-u", "-x", "echo", "{}", ";"},
	} {
		before := counts.Of(hostile.OpenDir)
		got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), args...)
		assert.False(t, got.TimedOut, args)
		assert.Zero(t, got.Exit, string(got.Stderr))
		if assert.NotEmpty(t, got.Stdout, args) && args[len(args)-1] != ";" {
			assert.Equal(t, want, sorted(got.Stdout), args)
		}
		assert.LessOrEqual(t, counts.Of(hostile.OpenDir)-before, int64(4*7), "a directory is opened again and again")
	}
	got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), "du", "-s")
	assert.False(t, got.TimedOut)
	assert.Zero(t, got.Exit, string(got.Stderr))
}

// TestResultsWhileWaiting has links whose targets come slowly. The results before them are
// written meanwhile, and only once.
func TestResultsWhileWaiting(t *testing.T) {
	fs := hostile.FS{Delay: map[hostile.Op]time.Duration{hostile.ReadLink: 40 * time.Millisecond}}
	var want []string
	for i := range 6 {
		name := fmt.Sprint("link", i)
		fs.Entries = append(fs.Entries, name+" -> nowhere")
		want = append(want, name+" nowhere")
	}
	dir := hostile.Mount(t, fs)
	got := hostile.Run(t, hostile.Limits{Dir: dir}, ldx(t), "--format={} {target}")
	assert.Equal(t, want, sorted(got.Stdout))
}

// TestHungDirectories has directories that never answer: all else must still be
// found.
func TestHungDirectories(t *testing.T) {
	search, sizes := everything, []string{"-u", "--trailing-slash=never", "-S", "+0b", "."}
	for _, tt := range []struct {
		name string
		op   hostile.Op
		at   string // the hung directory
		args []string
		want int // found entries other than hung directories
	}{
		{"opendir", hostile.OpenDir, "", search, 1 + 6 + 36 + 4*43},
		{"readdir", hostile.ReadDir, "", search, 1 + 6 + 36 + 4*43},
		{"opendir, one worker", hostile.OpenDir, "", append([]string{"-j1"}, search...), 1 + 6 + 36 + 4*43},
		{"opendir, rules", hostile.OpenDir, "", []string{"--trailing-slash=never", "-H", "."}, 1 + 6 + 36 + 4*43},
		{"stat", hostile.GetAttr, "/lost", sizes, 1 + 4*43},
	} {
		for _, hung := range []int{1, 2, 16, 64} {
			t.Run(fmt.Sprint(tt.name, " ", hung), func(t *testing.T) {
				fs := hostile.FS{Dirs: 6, Files: 4, Depth: 2, Faults: map[string]hostile.Fault{}, Contents: map[string]string{".gitignore": "*.no\n"}}
				for i := range hung {
					name := fmt.Sprintf("hung-%02d", i)
					fs.Entries = append(fs.Entries, name+"/lost")
					fs.Faults[name+tt.at] = hostile.Fault{Hang: []hostile.Op{tt.op}}
				}
				want := tt.want
				if tt.at == "" {
					want += hung
				}
				lines := linesBefore(t, hostile.Mount(t, fs), want, tt.args...)
				assert.Len(t, lines, want)
				assert.NotContains(t, strings.Join(lines, " "), "lost")
			})
		}
	}
}

// TestHungDirectoryInOrder has a directory that never answers. With --sort path the results before
// it are printed, and those after it wait.
func TestHungDirectoryInOrder(t *testing.T) {
	fs := hostile.FS{Dirs: 6, Files: 4, Depth: 2, Entries: []string{"d3-hung/lost"}, Faults: map[string]hostile.Fault{
		"d3-hung": {Hang: []hostile.Op{hostile.OpenDir}},
	}}
	var want []string
	for i := range 4 {
		d := fmt.Sprintf("d%d", i)
		want = append(want, d)
		for j := range 6 {
			below := fmt.Sprintf("%s/d%d", d, j)
			want = append(want, below)
			for k := range 4 {
				want = append(want, fmt.Sprintf("%s/f%d", below, k))
			}
		}
		for k := range 4 {
			want = append(want, fmt.Sprintf("%s/f%d", d, k))
		}
	}
	want = append(want, "d3-hung")
	for _, threads := range []string{"-j1", "-j2", "-j8"} {
		args := append([]string{threads, "--sort", "path"}, everything...)
		assert.Equal(t, want, linesBefore(t, hostile.Mount(t, fs), len(want), args...))
	}
}

// linesBefore returns the first n lines that ldx prints in a directory, or
// fewer if no more come for long, and kills it.
func linesBefore(t *testing.T, dir string, n int, args ...string) (lines []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `cd "$0" && exec "$@"`, dir, ldx(t)}, args...)...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	in := bufio.NewScanner(out)
	for len(lines) < n && in.Scan() {
		lines = append(lines, in.Text())
	}
	cancel()
	_ = cmd.Wait() // it was killed
	return lines
}

// TestNamesWithNUL has names with a NUL, as on a damaged file system. A name
// ends at its first NUL; ".." and a NUL must not lead out of the directory.
func TestNamesWithNUL(t *testing.T) {
	dir := hostile.Ext4Image(t, func(dir string) {
		dirtest.Make(t, dir, "tree/..XHIDDEN/a", "tree/.XHERE/b", "tree/abcXdefgh", "tree/sub/file", "outside/secret")
	}, func(image []byte) []byte {
		for _, name := range []string{"..XHIDDEN", ".XHERE", "abcXdefgh"} {
			changed := bytes.ReplaceAll(image, []byte(name), []byte(strings.Replace(name, "X", "\x00", 1)))
			require.NotEqual(t, image, changed, name)
			image = changed
		}
		return image
	})
	tree := filepath.Join(dir, "tree")
	want := findLines(t, tree)
	require.Contains(t, want, "abc")
	for _, args := range [][]string{everything, append([]string{"-L"}, everything...), append([]string{"-j1"}, everything...)} {
		got := hostile.Run(t, hostile.Limits{Dir: tree}, ldx(t), args...)
		assert.False(t, got.TimedOut)
		assert.Equal(t, want, sorted(got.Stdout), args)
	}
	got := hostile.Run(t, hostile.Limits{Dir: tree}, ldx(t), "-u", "-0", "--trailing-slash=never", ".")
	assert.Len(t, bytes.Split(bytes.TrimSuffix(got.Stdout, []byte{0}), []byte{0}), len(want))
	got = hostile.Run(t, hostile.Limits{Dir: tree}, ldx(t), "du", "-a")
	assert.False(t, got.TimedOut)
	assert.NotContains(t, string(got.Stdout), "secret")
}

// TestSwappedLinks has directories that are replaced by links. None may lead
// out of the root, with any number of descriptors and at any depth.
func TestSwappedLinks(t *testing.T) {
	outside := dirtest.TempDir(t)
	dirtest.Make(t, outside, "SECRET/SECRET", "a/SECRET", "b/SECRET", "a/b/SECRET", "b/a/SECRET")
	wide := dirtest.TempDir(t)
	for i := range 60 {
		for j := range 3 {
			dirtest.Make(t, wide, fmt.Sprintf("d%d/a/b/e%d/f", i, j), fmt.Sprintf("d%d/b/a/e%d/f", i, j))
		}
	}
	deep := dirtest.TempDir(t)
	makeChain(t, deep, 1900, 8, "")
	makeChain(t, outside, 1900, 8, "SECRET")
	for _, tt := range []struct {
		name   string
		tree   string
		limits hostile.Limits
		args   []string
		rounds int
	}{
		{"8 descriptors", wide, hostile.Limits{Ulimits: []string{"-n 8"}}, everything, 10},
		{"16 descriptors", wide, hostile.Limits{Ulimits: []string{"-n 16"}}, everything, 10},
		{"64 descriptors", wide, hostile.Limits{Ulimits: []string{"-n 64"}}, everything, 10},
		{"all descriptors", wide, hostile.Limits{}, everything, 10},
		{"8 descriptors, du", wide, hostile.Limits{Ulimits: []string{"-n 8"}}, []string{"du", "-a"}, 10},
		{"16 descriptors, du", wide, hostile.Limits{Ulimits: []string{"-n 16"}}, []string{"du", "-a"}, 10},
		{"64 descriptors, du", wide, hostile.Limits{Ulimits: []string{"-n 64"}}, []string{"du", "-a"}, 10},
		{"deep", deep, hostile.Limits{OneCPU: true}, everything, 3},
		{"deep, du", deep, hostile.Limits{OneCPU: true}, []string{"du", "-a"}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			swapper := hostile.Swap(t, tt.tree, outside, swapNames(tt.tree == deep)...)
			limits := tt.limits
			limits.Dir = tt.tree
			n := rounds(tt.rounds, 200)
			for range n {
				got := hostile.Run(t, limits, ldx(t), tt.args...)
				require.False(t, got.TimedOut)
				require.NotContains(t, string(got.Stdout), "SECRET")
				require.NotContains(t, string(got.Stderr), "goroutine")
			}
			t.Logf("%d runs, %d swaps", n, swapper.Stop())
		})
	}
}

// makeChain makes a chain of nested directories, c/c/c. Each has siblings s0,
// s1, ...; if name is not empty, each sibling has a directory of that name.
func makeChain(t *testing.T, root string, depth, siblings int, name string) {
	t.Helper()
	at, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	require.NoError(t, err)
	for range depth {
		require.NoError(t, unix.Mkdirat(at, "c", 0o755))
		for i := range siblings {
			sibling := fmt.Sprint("s", i)
			require.NoError(t, unix.Mkdirat(at, sibling, 0o755))
			if name != "" {
				require.NoError(t, unix.Mkdirat(at, sibling+"/"+name, 0o755))
			}
		}
		below, err := unix.Openat(at, "c", unix.O_RDONLY|unix.O_DIRECTORY, 0)
		require.NoError(t, err)
		require.NoError(t, unix.Close(at))
		at = below
	}
	require.NoError(t, unix.Close(at))
}

// swapNames returns the directories to replace: some of those in a deep tree,
// or none for all at the top.
func swapNames(deep bool) (names []string) {
	if !deep {
		return nil
	}
	for _, depth := range []int{3, 100, 400, 900, 1200, 1700} {
		names = append(names, strings.Repeat("c/", depth)+"c")
	}
	return names
}

// TestFewDescriptors has many workers that open directories from far above for
// lack of descriptors. Each directory must be found once.
func TestFewDescriptors(t *testing.T) {
	dir := dirtest.TempDir(t)
	for i := range 80 {
		dirtest.Make(t, dir, fmt.Sprintf("%d/%d/a/b/c/d/", i%9, i))
	}
	want := findLines(t, dir)
	for _, limit := range []int{12, 16, 24, 64} {
		for range rounds(10, 200) {
			got := hostile.Run(t, hostile.Limits{Dir: dir, Ulimits: []string{fmt.Sprint("-n ", limit)}}, ldx(t),
				append([]string{"-j64"}, everything...)...)
			require.Equal(t, want, sorted(got.Stdout), limit)
			require.Empty(t, got.Stderr)
			require.Zero(t, got.Exit)
		}
	}
}

// TestWaitingIsShown checks that on a terminal ldx names the directory it waits
// for.
func TestWaitingIsShown(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip(err)
	}
	dir := hostile.Mount(t, hostile.FS{
		Entries: []string{"hung/file", "fine/file"},
		Faults:  map[string]hostile.Fault{"hung": {Hang: []hostile.Op{hostile.OpenDir}}},
	})
	for _, args := range []string{"-u .", "du"} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		cmd := exec.CommandContext(ctx, "script", "-qec", fmt.Sprintf("cd '%s' && exec '%s' %s", dir, ldx(t), args), os.DevNull)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		in := bufio.NewScanner(out)
		in.Split(bufio.ScanWords)
		var words []string
		for !strings.Contains(strings.Join(words, " "), "waiting for") && in.Scan() {
			words = append(words, in.Text())
		}
		in.Scan()
		assert.Contains(t, []string{"hung,", "./hung,"}, in.Text(), "%s: %q", args, words)
		cancel()
		_ = cmd.Wait() // it was killed
	}
}
