package attack

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
	"ldx/internal/hostile"
)

// A user has a program and a store of recordings.
type user struct {
	t       *testing.T
	program string
	state   string // $XDG_STATE_HOME
}

func newUser(t *testing.T, program string) *user {
	return &user{t, program, dirtest.TempDir(t)}
}

// run runs ldx in a directory.
func (u *user) run(dir string, args ...string) (stdout, stderr []byte, exit int) {
	u.t.Helper()
	var out, errs strings.Builder
	cmd := u.command(dir, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		u.t.Fatal(err)
	}
	return []byte(out.String()), []byte(errs.String()), cmd.ProcessState.ExitCode()
}

func (u *user) command(dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(u.t.Context(), u.program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_STATE_HOME="+u.state)
	return cmd
}

// record records a tree, or brings its recording up to date.
func (u *user) record(dir string, args ...string) {
	u.t.Helper()
	_, stderr, exit := u.run(dir, append(append([]string{"index"}, args...), "--", dir)...)
	require.Zero(u.t, exit, "%s", stderr)
}

// stampedDir returns a temporary directory on a file system whose directories get new times
// with every change.
func stampedDir(t *testing.T) string {
	t.Helper()
	for _, parent := range []string{os.TempDir(), "/tmp", "/var/tmp", "."} {
		parent, err := filepath.Abs(parent)
		require.NoError(t, err)
		t.Setenv("TMPDIR", parent)
		if dir, err := os.MkdirTemp(parent, "ldx-probe-"); err == nil {
			fine := stampsEveryChange(t, dir)
			require.NoError(t, os.Remove(dir))
			if fine {
				return dirtest.TempDir(t)
			}
		}
	}
	t.Skip("no file system here gives each change of a directory times of its own")
	return ""
}

func stampsEveryChange(t *testing.T, dir string) bool {
	t.Helper()
	file, seen := filepath.Join(dir, "file"), map[int64]bool{}
	for range 200 {
		for _, change := range []func() error{
			func() error { return os.WriteFile(file, nil, 0o644) },
			func() error { return os.Remove(file) },
		} {
			require.NoError(t, change())
			var st unix.Stat_t
			require.NoError(t, unix.Lstat(dir, &st))
			at := st.Ctim.Nano()
			if seen[at] {
				return false
			}
			seen[at] = true
		}
	}
	return true
}

// A changer changes a tree at random.
type changer struct {
	t       *testing.T
	r       *rand.Rand
	tree    string
	aside   string   // beside the tree: what is moved out of it
	sources []string // directories that may be mounted in the tree
	mounts  []string // directories of the tree on which one is mounted
	done    []string // what was changed since the last answer
	n       int      // numbers names
	dirs    []string // of the tree, without those below mounts
	files   []string // the other entries
	leftOut bool     // something was left out when the tree was recorded
}

// newChanger makes a tree below dir, with what is needed to change it. mounted are directories
// of other file systems.
func newChanger(t *testing.T, dir string, seed uint64, mounted ...string) *changer {
	dir = filepath.Join(dir, "1/2/3/4/5/6/7/8") // so that links to what is above stay in there
	c := &changer{
		t: t, r: rand.New(rand.NewPCG(seed, 18)), tree: filepath.Join(dir, "tree"), aside: filepath.Join(dir, "aside"),
		sources: append(mounted, filepath.Join(dir, "source")),
	}
	for _, d := range append(c.sources, c.tree, c.aside) {
		require.NoError(t, os.MkdirAll(d, 0o755))
	}
	for _, source := range c.sources {
		dirtest.Random(t, source, seed+1)
	}
	dirtest.Random(t, c.tree, seed)
	t.Cleanup(c.unmountAll)
	return c
}

func (c *changer) unmountAll() {
	for _, m := range slices.Backward(c.mounts) {
		assert.NoError(c.t, unix.Unmount(m, unix.MNT_DETACH))
	}
	c.mounts = nil
}

// look finds what is there to change.
func (c *changer) look() {
	c.dirs, c.files = c.dirs[:0], c.files[:0]
	_ = filepath.WalkDir(c.tree, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case slices.Contains(c.mounts, path):
			return fs.SkipDir
		case d.IsDir():
			c.dirs = append(c.dirs, path)
		default:
			c.files = append(c.files, path)
		}
		return nil
	})
}

// dir returns a directory of the tree, which may be the tree itself.
func (c *changer) dir() string { return c.dirs[c.r.IntN(len(c.dirs))] }

// below returns a directory that may be moved, and false if the one chosen may not.
func (c *changer) below() (string, bool) {
	d := c.dir()
	return d, d != c.tree && !slices.ContainsFunc(c.mounts, func(m string) bool { return within(m, d) })
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// file returns an entry that is no directory.
func (c *changer) file() (string, bool) {
	if len(c.files) == 0 {
		return "", false
	}
	return c.files[c.r.IntN(len(c.files))], true
}

// name returns a new path in a directory.
func (c *changer) name(dir string) string {
	stems := []string{"a", "B", ".dot", "lib", "é", "-n", "\xff", "x y"}
	ends := []string{"", ".go", ".TXT", ".md"}
	c.n++
	return filepath.Join(dir, fmt.Sprint(stems[c.r.IntN(len(stems))], c.n, ends[c.r.IntN(len(ends))]))
}

// change changes something. What the system refuses is left.
func (c *changer) change() {
	c.look()
	grow := len(c.dirs)+len(c.files) < 400
	op := c.r.IntN(20)
	var what string
	var err error
	switch d, movable := c.below(); op {
	case 0, 1:
		what = c.name(d)
		err = os.WriteFile(what, make([]byte, c.r.IntN(9000)), 0o644)
	case 2:
		what = c.name(d)
		err = os.Mkdir(what, 0o755)
	case 3:
		what = c.name(d)
		err = os.Symlink([]string{"nowhere", "..", c.dir(), c.aside, d}[c.r.IntN(5)], what)
	case 4, 5:
		if f, ok := c.file(); ok {
			what = "remove " + f
			err = os.Remove(f)
		}
	case 6:
		if movable && (!grow || c.r.IntN(4) == 0) {
			what = "remove all " + d
			err = os.RemoveAll(d)
		}
	case 7:
		if f, ok := c.file(); ok {
			to := c.name(c.dir())
			what = "rename " + f + " to " + to
			err = os.Rename(f, to)
		}
	case 8:
		if movable {
			to := c.name(filepath.Dir(d))
			if c.r.IntN(2) == 0 {
				to = c.name(c.dir())
			}
			what = "move " + d + " to " + to
			err = os.Rename(d, to)
		}
	case 9:
		if other, ok := c.below(); ok && movable {
			what = "swap " + d + " and " + other
			err = unix.Renameat2(unix.AT_FDCWD, d, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE)
		}
	case 10:
		if f, ok := c.file(); ok {
			to := c.name(d)
			what = "link " + to + " to " + f
			err = os.Link(f, to)
		}
	case 11:
		what = "change and restore " + d
		err = c.restore(d)
	case 12:
		what = "chmod " + d
		mode := []fs.FileMode{0o700, 0o755, 0o555, 0}[c.r.IntN(4)]
		if os.Geteuid() != 0 && mode == 0 { // a search in d must be possible
			mode = 0o311
		}
		if movable {
			err = os.Chmod(d, mode)
		}
	case 13:
		what, err = c.mount(d, movable)
	case 14:
		if movable && grow {
			to := c.name(c.dir())
			what = "copy " + d + " to " + to
			err = exec.CommandContext(c.t.Context(), "cp", "-a", "--", d, to).Run()
		}
	case 15:
		if movable {
			what, err = c.replace(d)
		}
	case 16:
		what, err = c.bringBack()
	case 17:
		what = filepath.Join(d, []string{".gitignore", ".ignore"}[c.r.IntN(2)])
		rules := []string{"*.go", "lib*", "*/", "!*.md", "B*", ".dot*", "a[0-4]*"}
		err = os.WriteFile(what, []byte(rules[c.r.IntN(len(rules))]+"\n"), 0o644)
	case 18: // gone and made again at once: it may get the same inode
		if movable {
			what = "make again " + d
			if err = os.RemoveAll(d); err == nil {
				err = os.Mkdir(d, 0o755)
			}
		}
	case 19:
		what = filepath.Join(d, ".git")
		err = os.Mkdir(what, 0o755)
	}
	if what != "" {
		c.done = append(c.done, fmt.Sprint(what, " ", err))
	}
}

// restore changes a directory and gives it its modification time back.
func (c *changer) restore(d string) error {
	info, err := os.Stat(d)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(d)
	switch {
	case err != nil:
	case len(entries) > 0 && !entries[0].IsDir():
		err = os.Rename(filepath.Join(d, entries[0].Name()), c.name(d))
	default:
		err = os.WriteFile(c.name(d), nil, 0o644)
	}
	if err != nil {
		return err
	}
	return os.Chtimes(d, info.ModTime(), info.ModTime())
}

// mount mounts a directory over d, or unmounts one.
func (c *changer) mount(d string, free bool) (what string, err error) {
	if os.Geteuid() != 0 {
		return "", nil
	}
	if n := len(c.mounts); n > 0 && c.r.IntN(2) == 0 {
		what = "unmount " + c.mounts[n-1]
		err = unix.Unmount(c.mounts[n-1], 0)
		if err == nil {
			c.mounts = c.mounts[:n-1]
		}
		return what, err
	}
	if !free || len(c.mounts) > 4 {
		return "", nil
	}
	source := c.sources[c.r.IntN(len(c.sources))]
	if err = unix.Mount(source, d, "", unix.MS_BIND, ""); err == nil {
		c.mounts = append(c.mounts, d)
	}
	return "mount " + source + " on " + d, err
}

// replace moves a directory out of the tree, and puts a file, a link to it, another directory or
// nothing in its place.
func (c *changer) replace(d string) (what string, err error) {
	c.n++
	to := filepath.Join(c.aside, strconv.Itoa(c.n))
	if err = os.Rename(d, to); err != nil {
		return "move out " + d, err
	}
	switch c.r.IntN(4) {
	case 0:
		return "replace by a file: " + d, os.WriteFile(d, nil, 0o644)
	case 1:
		return "replace by a link: " + d, os.Symlink(to, d)
	case 2:
		return "replace by a directory: " + d, os.Mkdir(d, 0o755)
	}
	return "move out " + d, nil
}

// bringBack moves a directory into the tree, perhaps in the place of a file or a link.
func (c *changer) bringBack() (what string, err error) {
	outside, err := os.ReadDir(c.aside)
	if err != nil || len(outside) == 0 {
		return "", err
	}
	from, to := filepath.Join(c.aside, outside[c.r.IntN(len(outside))].Name()), c.name(c.dir())
	if f, ok := c.file(); ok && c.r.IntN(2) == 0 {
		to = f
		if err := os.Remove(f); err != nil {
			return "", err
		}
	}
	return "move in " + to, os.Rename(from, to)
}

// search returns a directory to run in and random arguments.
func (c *changer) search() (dir string, args []string) {
	c.look()
	dir = c.tree
	if c.r.IntN(4) == 0 {
		dir = c.dir()
	}
	add := func(chance int, choices ...[]string) {
		if c.r.IntN(chance) == 0 {
			args = append(args, choices[c.r.IntN(len(choices))]...)
		}
	}
	if c.r.IntN(6) == 0 {
		args = append(args, "du")
		add(4, []string{"-l"})
		if len(c.mounts) == 0 {
			add(4, []string{"-L"})
		}
		add(2, []string{"-s"}, []string{"-a"}, []string{"-d1"}, []string{"--by", "ext"})
		add(4, []string{"-A"}, []string{"-e", "go"}, []string{"--no-hidden"})
		add(4, []string{"-j1"}, []string{"-j7"})
		add(8, []string{"-x"})
	} else {
		pattern := [][]string{{"."}, {"a"}, {"-g", "*.go"}, {"-F", "B"}, {"-e", "go", "."}, {"lib", "--not", "md"}, {"-p", "lib"}}
		add(1, pattern...)
		add(2, []string{"-u"}, []string{"-H"}, []string{"-I"})
		add(4, []string{"-T", "d"}, []string{"-T", "f"}, []string{"-T", "l"}, []string{"-T", "e"}, []string{"-T", "d", "-T", "e"},
			[]string{"-T", "broken"})
		add(8, []string{"-S", "+1b"}, []string{"--links", "+2"}, []string{"--perm", "755"})
		add(5, []string{"-d1"}, []string{"-d2"}, []string{"-d4"}, []string{"--min-depth", "2"}, []string{"--exact-depth", "2"})
		add(8, []string{"--sort", "path"}, []string{"-l"}, []string{"--sort", "size,path"}, []string{"--format", "{} {type} {inode} {mode}"},
			[]string{"--count"})
		if len(c.mounts) == 0 { // what is mounted twice below a link is entered at either place
			add(10, []string{"-L"})
		}
		add(10, []string{"--prune"})
		add(10, []string{"-E", "lib*"}, []string{"--no-require-git"}, []string{"--ignore-contain", ".git"})
		add(10, []string{"--one-file-system"}, []string{"-a"})
		add(4, []string{"-j1"}, []string{"-j7"})
	}
	for range c.r.IntN(4) / 2 * (1 + c.r.IntN(3)) {
		root := c.dir()
		if relative, err := filepath.Rel(dir, root); err == nil && c.r.IntN(2) == 0 {
			root = "./" + relative
		}
		if f, ok := c.file(); ok && c.r.IntN(6) == 0 {
			root = f
		}
		args = append(args, root)
	}
	return dir, args
}

func sortedLines(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	slices.SortFunc(lines, bytes.Compare)
	return bytes.Join(lines, []byte("\n"))
}

// agree checks that a search gives the same answer with recordings and without.
func (u *user) agree(c *changer, dir string, args ...string) {
	u.t.Helper()
	got, gotErr, gotExit := u.run(dir, args...)
	without := append([]string{"--no-index"}, args...)
	if args[0] == "du" {
		without = append([]string{"du", "--no-index"}, args[1:]...)
	}
	want, wantErr, wantExit := u.run(dir, without...)
	if bytes.Contains(want, []byte(filepath.Base(u.state))) {
		return // a link leads to the store, which the first search has changed
	}
	if args[0] != "du" { // any other order is the same
		got, want = sortedLines(got), sortedLines(want)
	}
	if gotExit != wantExit || !bytes.Equal(want, got) || !slices.Equal(sorted(wantErr), sorted(gotErr)) {
		u.t.Fatalf("in %s: %q differs from the same without the index (%d, %d); changes since the last answer:\n%s\n%s\n%s",
			dir, args, gotExit, wantExit, strings.Join(c.done, "\n"), difference(want, got), difference(wantErr, gotErr))
	}
}

// difference returns the lines that are only in one of two outputs.
func difference(want, got []byte) string {
	var b strings.Builder
	count := map[string]int{}
	for _, line := range sorted(want) {
		count[line]++
	}
	for _, line := range sorted(got) {
		count[line]--
	}
	for line, n := range count {
		if n != 0 {
			fmt.Fprintf(&b, "%+d %q\n", -n, line)
		}
	}
	return b.String()
}

// TestRecordedSearches changes a tree at random between searches and recordings. Every answer is
// that of a search without the index. It runs with the usual slack, and with none where the file
// system gives each change times of its own, so that every recorded directory is recalled.
func TestRecordedSearches(t *testing.T) {
	for name, tt := range programs {
		t.Run(name, func(t *testing.T) {
			dir := tt.dir(t)
			seed := dirtest.Setting(t, "LDX_SEED", uint64(time.Now().UnixNano()))
			rounds := dirtest.Setting(t, "LDX_ROUNDS", 100)
			t.Logf("seed %d, %d rounds, in %s", seed, rounds, dir)
			u := newUser(t, tt.program(t))
			c := newChanger(t, dir, seed, tmpfs(t)...)
			u.record(c.tree)
			for range rounds {
				for range 1 + c.r.IntN(6) {
					c.change()
				}
				if c.r.IntN(5) == 0 {
					u.update(c)
				}
				for range 1 + c.r.IntN(2) {
					dir, args := c.search()
					u.agree(c, dir, args...)
				}
				c.done = c.done[:0]
			}
			u.record(c.tree)
			if _, stats, _ := u.run(c.tree, "-u", "--stats", "."); name == "no slack" {
				require.Contains(t, string(stats), "recalled")
			}
		})
	}
}

// tmpfs mounts a small file system.
func tmpfs(t *testing.T) []string {
	if os.Geteuid() != 0 {
		return nil
	}
	dir := dirtest.TempDir(t)
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		return nil
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return []string{dir}
}

// update runs ldx index, in one of its forms.
func (u *user) update(c *changer) {
	u.t.Helper()
	c.look()
	switch d := c.dir(); c.r.IntN(12) {
	case 0:
		u.record(c.tree, "-E", "lib*")
		c.leftOut = true
	case 1:
		u.record(c.tree, "-x")
		c.leftOut = true
	case 2: // a recording in another
		_, _, _ = u.run(d, "index", "--", d)
	case 3:
		_, _, _ = u.run(d, "index", "drop", "--", d)
		u.record(c.tree)
	case 4:
		_, _, _ = u.run(d, "index", "drop", "--all")
		u.record(c.tree)
	case 5:
		out, stderr, exit := u.run(c.tree, "index", "check", c.tree)
		require.Zero(u.t, exit, "ldx index check: %s %s; changes:\n%s", out, stderr, strings.Join(c.done, "\n"))
	default:
		if c.leftOut {
			_, _, _ = u.run(c.tree, "index", "drop", "--", c.tree)
			c.leftOut = false
		}
		u.record(c.tree)
		c.done = append(c.done, "ldx index")
		u.unverified(c)
	}
}

// unverified checks that what has just been recorded is an answer by itself.
func (u *user) unverified(c *changer) {
	u.t.Helper()
	if list, _, _ := u.run(c.tree, "index", "list"); strings.Count(string(list), "entries in") > 1 {
		return // one in another may be older
	}
	got, stderr, exit := u.run(c.tree, "-u", "--unverified", ".")
	want, _, _ := u.run(c.tree, "-u", "--no-index", ".")
	require.Zero(u.t, exit, "%s", stderr)
	if !slices.Equal(sorted(want), sorted(got)) {
		u.t.Fatalf("--unverified after ldx index; changes:\n%s\n%s", strings.Join(c.done, "\n"), difference(want, got))
	}
}

// programs are the builds to attack, each with a place for trees.
var programs = map[string]struct {
	program, dir func(*testing.T) string
}{
	"slack":    {ldx, func(t *testing.T) string { return dirtest.TempDir(t) }},
	"no slack": {noSlack, stampedDir},
}

// TestRecordedWhileChanging searches and records while others write. What exists throughout is
// found each time, once.
func TestRecordedWhileChanging(t *testing.T) {
	for name, tt := range programs {
		t.Run(name, func(t *testing.T) {
			dir := tt.dir(t)
			var lasting []string
			for i := range 60 {
				at := fmt.Sprintf("d%d/e%d/", i%7, i)
				lasting = append(lasting, at+"file", at+"sub/below", at+"sub/deep/er/leaf")
			}
			dirtest.Make(t, dir, lasting...)
			u := newUser(t, tt.program(t))
			u.record(dir)
			stop := make(chan struct{})
			var writers sync.WaitGroup
			defer writers.Wait()
			defer close(stop)
			for w := range 2 {
				r := rand.New(rand.NewPCG(dirtest.Setting(t, "LDX_SEED", 18), uint64(w)))
				writers.Go(func() {
					for n := 0; ; n++ {
						select {
						case <-stop:
							return
						default:
							churn(r, dir, fmt.Sprint("passing", w, "-", n%5))
						}
					}
				})
			}
			for round := range dirtest.Setting(t, "LDX_ROUNDS", 100) {
				if round%5 == 0 {
					other := u.command(dir, "index", "--", dir)
					require.NoError(t, other.Start())
					defer func() { _ = other.Wait() }()
				}
				got, stderr, exit := u.run(dir, "-u", "-T", "f", ".")
				require.Zero(t, exit, "%s", stderr)
				found := map[string]int{}
				for _, line := range sorted(got) {
					found[line]++
					require.Equal(t, 1, found[line], line)
				}
				for _, path := range lasting {
					require.Equal(t, 1, found[path], "%s in round %d", path, round)
				}
			}
		})
	}
}

// churn makes, renames and removes a file and a directory of a name, next to what lasts.
func churn(r *rand.Rand, dir, name string) {
	at := func() string {
		i := r.IntN(60)
		return filepath.Join(dir, fmt.Sprintf("d%d/e%d", i%7, i), []string{"", "sub", "sub/deep"}[r.IntN(3)], name)
	}
	a, b, c := at(), at(), at()
	_ = os.WriteFile(a, nil, 0o644)
	_ = os.MkdirAll(filepath.Join(b, "inner"), 0o755)
	_ = os.WriteFile(filepath.Join(b, "inner", "x"), nil, 0o644)
	_ = os.Rename(b, c)
	_ = os.Remove(a)
	_ = os.RemoveAll(c)
	_ = os.RemoveAll(b)
}

// TestRecordedMounts mounts a directory on several new ones, which have one inode then: none of them
// is another one renamed. Which one is read first depends on the order of the names.
func TestRecordedMounts(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root mounts")
	}
	c := newChanger(t, dirtest.TempDir(t), 18)
	u := newUser(t, ldx(t))
	for range 12 {
		place := c.name(c.tree)
		require.NoError(t, os.Mkdir(place, 0o755))
		if err := unix.Mount(c.sources[0], place, "", unix.MS_BIND, ""); err != nil {
			t.Skip("mounting is not permitted: ", err)
		}
		c.mounts = append(c.mounts, place)
		require.NoError(t, os.WriteFile(c.name(place), nil, 0o644))
		u.record(c.tree)
		u.unverified(c)
		u.agree(c, c.tree, "-u", ".")
	}
}

// TestRecordedSwappedLinks is TestSwappedLinks with a recording, which was made before and while
// directories are replaced by links.
func TestRecordedSwappedLinks(t *testing.T) {
	outside := dirtest.TempDir(t)
	dirtest.Make(t, outside, "SECRET/SECRET", "a/SECRET", "b/SECRET", "a/b/SECRET", "b/a/SECRET")
	for i := range 3 {
		dirtest.Make(t, outside, fmt.Sprintf("a/b/e%d/SECRET", i), fmt.Sprintf("b/a/e%d/SECRET", i))
	}
	for name, tt := range programs {
		t.Run(name, func(t *testing.T) {
			wide := tt.dir(t)
			for i := range 60 {
				for j := range 3 {
					dirtest.Make(t, wide, fmt.Sprintf("d%d/a/b/e%d/f", i, j), fmt.Sprintf("d%d/b/a/e%d/f", i, j))
				}
			}
			u := newUser(t, tt.program(t))
			u.record(wide)
			swapper := hostile.Swap(t, wide, outside)
			n := rounds(40, 1000)
			for i := range n {
				limits := hostile.Limits{Dir: wide, Env: []string{"XDG_STATE_HOME=" + u.state}}
				if i%4 > 0 {
					limits.Ulimits = []string{fmt.Sprint("-n ", 8<<(i%4))}
				}
				args := [][]string{everything, {"-u", "-S", "+0b", "."}, {"du", "-a"}, {"index", wide}}[i/4%4]
				got := hostile.Run(t, limits, u.program, args...)
				require.False(t, got.TimedOut)
				require.NotContains(t, string(got.Stdout), "SECRET", args)
				require.NotContains(t, string(got.Stderr), "goroutine")
			}
			t.Logf("%d runs, %d swaps", n, swapper.Stop())
			c := &changer{}
			u.agree(c, wide, everything...)
			got, _, _ := u.run(wide, "-u", "--unverified", ".")
			require.NotContains(t, string(got), "SECRET")
		})
	}
}

// TestRecordedAlone has changes after which the recording alone must still be the whole tree.
func TestRecordedAlone(t *testing.T) {
	rename := func(from, to string) {
		require.NoError(t, os.Rename(from, to))
	}
	for _, tt := range []struct {
		name   string
		change func(u *user, dir string)
	}{
		{"a search below", func(u *user, dir string) {
			dirtest.Make(t, dir, "p/q/new/dir/")
			_, _, exit := u.run(filepath.Join(dir, "p/q"), "-u", ".")
			require.Zero(t, exit)
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "x")))
			_, _, _ = u.run(dir, "-u", "-d1", ".")
		}},
		{"another root", func(u *user, dir string) {
			rename(dir, dir+"-old")
			dirtest.Make(t, dir, "other/dir/file")
			t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir+"-old")) })
			u.record(dir)
		}},
		{"a name used again", func(u *user, dir string) {
			rename(filepath.Join(dir, "p"), filepath.Join(dir, "r"))
			dirtest.Make(t, dir, "p/other/")
			u.record(dir)
		}},
		{"two names swapped", func(u *user, dir string) {
			rename(filepath.Join(dir, "p"), filepath.Join(dir, "r"))
			rename(filepath.Join(dir, "x"), filepath.Join(dir, "p"))
			rename(filepath.Join(dir, "r"), filepath.Join(dir, "x"))
			u.record(dir)
		}},
		{"a new name", func(u *user, dir string) {
			rename(filepath.Join(dir, "p"), filepath.Join(dir, "r"))
			u.record(dir)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := newUser(t, ldx(t))
			dir := filepath.Join(dirtest.TempDir(t), "tree")
			dirtest.Make(t, dir, "p/q/a/b/c", "p/q/d/", "p/e", "x/y/z", "x/q/")
			u.record(dir)
			tt.change(u, dir)
			got, stderr, exit := u.run(dir, append([]string{"--unverified"}, everything...)...)
			assert.Zero(t, exit, "%s", stderr)
			assert.Equal(t, findLines(t, dir), sorted(got))
		})
	}
}

// TestRecordedEncryption has directories whose names depend on a key (fscrypt): their times stay when
// it is added or removed.
func TestRecordedEncryption(t *testing.T) {
	dir := encryptable(t)
	root, err := os.Open(dir)
	require.NoError(t, err)
	defer root.Close()
	key := addKey(t, root)
	secret := filepath.Join(dir, "secret")
	require.NoError(t, os.Mkdir(secret, 0o755))
	encrypt(t, secret, key)
	dirtest.Make(t, secret, "file", "sub/below")
	u := newUser(t, noSlack(t))
	for range 2 {
		u.record(dir, "--trust-fs", "loop") // the device of the image
		u.agree(&changer{}, dir, everything...)
		removeKey(t, root, key)
		u.agree(&changer{}, dir, everything...)
		u.record(dir)
		addKey(t, root)
		u.agree(&changer{}, dir, everything...)
	}
}

// encryptable mounts a file system that can encrypt.
func encryptable(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount")
	}
	dir := dirtest.TempDir(t)
	image := filepath.Join(dirtest.TempDir(t), "image")
	for _, command := range [][]string{
		{"truncate", "-s", "16M", image},
		{"mkfs.ext4", "-q", "-F", "-O", "encrypt", image},
		{"mount", "-t", "ext4", "-o", "loop", image, dir},
	} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%q: %v: %s", command, err, out)
		}
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

// addKey adds a key to a file system, and returns its identifier.
func addKey(t *testing.T, root *os.File) (id [16]byte) {
	t.Helper()
	var arg struct {
		unix.FscryptAddKeyArg
		raw [64]byte
	}
	arg.Key_spec.Type, arg.Raw_size = unix.FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER, uint32(len(arg.raw))
	copy(arg.raw[:], strings.Repeat("k", len(arg.raw)))
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, root.Fd(), unix.FS_IOC_ADD_ENCRYPTION_KEY, uintptr(unsafe.Pointer(&arg)))
	if errno != 0 {
		t.Skip("this kernel does not encrypt: ", errno)
	}
	copy(id[:], arg.Key_spec.U[:])
	return id
}

func encrypt(t *testing.T, dir string, key [16]byte) {
	t.Helper()
	d, err := os.Open(dir)
	require.NoError(t, err)
	defer d.Close()
	policy := unix.FscryptPolicyV2{
		Version: unix.FSCRYPT_POLICY_V2, Contents_encryption_mode: unix.FSCRYPT_MODE_AES_256_XTS,
		Filenames_encryption_mode: unix.FSCRYPT_MODE_AES_256_CTS, Master_key_identifier: key,
	}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, d.Fd(), unix.FS_IOC_SET_ENCRYPTION_POLICY, uintptr(unsafe.Pointer(&policy)))
	require.Zero(t, errno)
}

// removeKey removes a key, and what the kernel remembers of names.
func removeKey(t *testing.T, root *os.File, key [16]byte) {
	t.Helper()
	unix.Sync()
	arg := unix.FscryptRemoveKeyArg{Key_spec: unix.FscryptKeySpecifier{Type: unix.FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER}}
	copy(arg.Key_spec.U[:], key[:])
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, root.Fd(), unix.FS_IOC_REMOVE_ENCRYPTION_KEY, uintptr(unsafe.Pointer(&arg)))
	require.Zero(t, errno)
	require.Zero(t, arg.Removal_status_flags)
}

// TestRecordedHungDirectories has a recording with directories below which, later, a file system is
// mounted that never answers: all else must still be found.
func TestRecordedHungDirectories(t *testing.T) {
	for _, ops := range [][]hostile.Op{{hostile.OpenDir}, {hostile.GetAttr}} {
		served := hostile.Mount(t, hostile.FS{
			Dirs: 2, Files: 2, Depth: 1, Entries: []string{"hung/lost"},
			Faults: map[string]hostile.Fault{"hung": {Hang: ops}},
		})
		dir := dirtest.TempDir(t)
		dirtest.Make(t, dir, "a/b/c", "a/place/hung/lost", "d/e/f")
		u := newUser(t, ldx(t))
		u.record(dir)
		place := filepath.Join(dir, "a/place")
		if err := unix.Mount(served, place, "", unix.MS_BIND, ""); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { assert.NoError(t, unix.Unmount(place, unix.MNT_DETACH)) })
		t.Setenv("XDG_STATE_HOME", u.state)
		for range 3 {
			const want = 6 + 10
			lines := linesBefore(t, dir, want, everything...)
			assert.Len(t, lines, want, ops)
			assert.NotContains(t, strings.Join(lines, " "), "lost")
		}
	}
}

// TestRecordedKills kills searches and recordings at random moments. The next search is right.
func TestRecordedKills(t *testing.T) {
	dir := stampedDir(t)
	seed := dirtest.Setting(t, "LDX_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d", seed)
	u, c := newUser(t, noSlack(t)), newChanger(t, dir, seed)
	u.record(c.tree)
	killed := 0
	for range dirtest.Setting(t, "LDX_ROUNDS", 50) {
		for range 1 + c.r.IntN(8) {
			c.change()
		}
		if c.r.IntN(8) == 0 {
			_, _, _ = u.run(c.tree, "index", "drop", c.tree)
		}
		cmd := u.command(c.tree, [][]string{{"index", c.tree}, {"-u", "."}}[c.r.IntN(2)]...)
		require.NoError(t, cmd.Start())
		for until := time.Now().Add(time.Duration(c.r.IntN(8000)) * time.Microsecond); time.Now().Before(until); {
			runtime.Gosched()
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if cmd.ProcessState.ExitCode() < 0 {
			killed++
		}
		u.agree(c, c.tree, "-u", ".")
		c.done = c.done[:0]
	}
	t.Logf("%d killed", killed)
}
