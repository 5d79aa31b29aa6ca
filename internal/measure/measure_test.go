package measure

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestMain lets the test binary be the measured program. Its first argument
// selects what it does.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "be" {
		os.Exit(be(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// be records the call in the file args[0], and prints args[2] lines, or as many
// as its other arguments say.
func be(args []string) int {
	f, err := os.OpenFile(args[0], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 3
	}
	fmt.Fprintln(f, args[1])
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return 3
	}
	switch args[1] {
	case "env":
		n, _ = strconv.Atoi(os.Getenv("LDX_LINES"))
		fmt.Print(strings.Repeat("line\n", n))
	case "count":
		fmt.Println(n)
		fmt.Fprint(os.Stderr, "entries      1,234,567\ndirectories  1,000\nerrors       0\nthreads      2\nsystem calls 2,500\n"+
			"entries/call 7.4\npeak memory  12.5 MiB\n")
	case "big":
		memory := make([]byte, 200<<20)
		for i := 0; i < len(memory); i += 4096 {
			memory[i] = 1
		}
		fmt.Println(memory[n])
	case "fails":
		fmt.Fprintln(os.Stderr, "no")
		return 4
	default:
		for i := range n {
			fmt.Println("line", i)
		}
	}
	return 0
}

func program(t *testing.T, log, name string, lines int) *Case {
	self, err := os.Executable()
	require.NoError(t, err)
	err = exec.Command(self, "be", os.DevNull, "a", "0").Run()
	if err != nil && strings.Contains(err.Error(), "exec format error") {
		t.Skip("this program runs in an emulator, and cannot be run by its name")
	}
	require.NoError(t, err)
	return &Case{
		Group: "g", Tool: Tool{Name: name, Path: self}, Args: []string{"be", log, name, fmt.Sprint(lines)},
		Place: Place{Path: log, Label: "here"},
	}
}

func TestSweepTakesTurns(t *testing.T) {
	log := dirtest.TempDir(t) + "/log"
	a, b, other := program(t, log, "a", 3), program(t, log, "b", 70_000), program(t, log, "other", 0)
	other.Group = "later"
	var done []Progress
	sweep := Sweep{Cases: []*Case{a, other, b}, Warm: 2, OnRun: func(_ *Case, p Progress) error {
		done = append(done, p)
		return nil
	}}
	require.NoError(t, sweep.Run(t.Context()))
	called, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, strings.Fields("a b a b a b other other other"), strings.Fields(string(called)))
	for _, c := range sweep.Cases {
		require.Len(t, c.Runs, 2, "the first does not count")
		for _, r := range c.Runs {
			assert.Positive(t, r.Wall)
			assert.Equal(t, Warm, r.Cache)
		}
	}
	assert.EqualValues(t, 3, a.Runs[0].Entries)
	assert.EqualValues(t, 70_000, b.Runs[1].Entries)
	assert.EqualValues(t, 0, other.Runs[0].Entries)
	require.Len(t, done, 9)
	assert.Equal(t, Progress{Done: 9, All: 9, Counts: true}, done[8])
	assert.False(t, done[6].Counts, "the first of the second group")
}

func TestRunReadsWhatLdxTells(t *testing.T) {
	c := program(t, dirtest.TempDir(t)+"/log", "count", 1_234_560)
	require.NoError(t, (&Sweep{Cases: []*Case{c}, Warm: 1}).Run(t.Context()))
	assert.Equal(t, Stats{Entries: 1_234_567, Dirs: 1000, Threads: 2, Calls: 2500, PerCall: 7.4, Peak: 25 << 19}, c.Runs[0].Stats)
	assert.EqualValues(t, 1_234_560, c.Runs[0].Entries, "the number is the count, not a line")
	assert.EqualValues(t, 1_234_567, c.Runs[0].Seen())
}

// TestSweepEndsEarly checks that an interrupt, or a missing program, keeps the
// runs so far.
func TestSweepEndsEarly(t *testing.T) {
	log := dirtest.TempDir(t) + "/log"
	ctx, cancel := context.WithCancel(t.Context())
	c := program(t, log, "a", 3)
	sweep := Sweep{Cases: []*Case{c}, Warm: 5, OnRun: func(_ *Case, p Progress) error {
		if p.Done == 3 {
			cancel()
		}
		return nil
	}}
	require.ErrorIs(t, sweep.Run(ctx), context.Canceled)
	assert.Len(t, c.Runs, 2)

	missing := program(t, log, "missing", 1)
	missing.Tool.Path += "-is-not-there"
	require.Error(t, (&Sweep{Cases: []*Case{missing}, Warm: 1}).Run(t.Context()))

	failing := program(t, log, "fails", 1)
	require.NoError(t, (&Sweep{Cases: []*Case{failing}, Warm: 1}).Run(t.Context()))
	assert.Equal(t, 4, failing.Runs[0].Exit)
	assert.Equal(t, 4, Failed(failing))

	full := program(t, log, "a", 1)
	sweep = Sweep{Cases: []*Case{full}, Warm: 5, OnRun: func(_ *Case, p Progress) error {
		if p.Counts {
			return errors.New("the disk is full")
		}
		return nil
	}}
	require.EqualError(t, sweep.Run(t.Context()), "the disk is full")
	assert.Len(t, full.Runs, 1)
}

// TestSweepDropsCaches checks that caches are dropped before each cold run and
// no other, and that runs are not called cold where dropping fails.
func TestSweepDropsCaches(t *testing.T) {
	log := dirtest.TempDir(t) + "/log"
	cold, warm := program(t, log, "cold", 1), program(t, log, "warm", 1)
	cold.Cold, cold.Group = true, "cold"
	var fails error
	sweep := Sweep{Cases: []*Case{cold, warm}, Cold: 2, Warm: 1, drop: func() error {
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(f, "drop")
		return errors.Join(err, f.Close(), fails)
	}}
	require.NoError(t, sweep.Run(t.Context()))
	called, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, strings.Fields("drop cold drop cold drop cold warm warm"), strings.Fields(string(called)))
	assert.Equal(t, []Caches{Cold, Cold, Warm}, []Caches{cold.Runs[0].Cache, cold.Runs[1].Cache, warm.Runs[0].Cache})

	fails = errors.New("only root may")
	cold.Runs = nil
	require.NoError(t, (&Sweep{Cases: []*Case{cold}, Cold: 1, drop: sweep.drop}).Run(t.Context()))
	assert.Equal(t, Unknown, cold.Runs[0].Cache)
}

// TestSweepPreparesRuns checks that Before and After surround each run, with the number of the
// round, and that Times is the number of runs.
func TestSweepPreparesRuns(t *testing.T) {
	dir := dirtest.TempDir(t)
	log := dir + "/log"
	note := func(text string) error {
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(f, text)
		return errors.Join(err, f.Close())
	}
	c := program(t, log, "run", 1)
	c.Times, c.Database, c.Cold, c.Env = 2, dir, true, []string{"LDX_TEST=1"}
	c.Before = func(_ context.Context, round int) error { return note(fmt.Sprint("before", round)) }
	c.After = func(r *Run) error {
		r.Entries += 10
		return note("after")
	}
	sweep := Sweep{Cases: []*Case{c}, Cold: 7, drop: func() error { return note("drop") }}
	require.NoError(t, sweep.Run(t.Context()))
	called, err := os.ReadFile(log)
	require.NoError(t, err)
	want := "before0 drop run after before1 drop run after before2 drop run after"
	assert.Equal(t, strings.Fields(want), strings.Fields(string(called)))
	require.Len(t, c.Runs, 2)
	assert.EqualValues(t, 11, c.Runs[1].Entries)
	assert.EqualValues(t, len("before0 drop run "), c.First.Database)
	assert.Greater(t, c.Runs[1].Database, c.Runs[0].Database)

	c.Before = func(context.Context, int) error { return errors.New("not ready") }
	require.EqualError(t, sweep.Run(t.Context()), "not ready")
	c.Before, c.After = nil, func(*Run) error { return errors.New("not done") }
	require.EqualError(t, sweep.Run(t.Context()), "not done")
	c.After, c.Database = nil, log+"-is-not-there"
	r, err := c.Run(t.Context())
	require.NoError(t, err)
	assert.Zero(t, r.Database)
}

func TestRunSetsEnvironment(t *testing.T) {
	c := program(t, dirtest.TempDir(t)+"/log", "env", 0)
	c.Env = []string{"LDX_LINES=5"}
	t.Setenv("LDX_LINES", "3")
	r, err := c.Run(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 5, r.Entries)
}

func TestMakeTree(t *testing.T) {
	path := dirtest.TempDir(t)
	dirs, err := MakeTree(t.Context(), path, 3, 90)
	require.NoError(t, err)
	entries, found := 0, []string(nil)
	require.NoError(t, filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
		if entries++; err == nil && e.IsDir() {
			found = append(found, path)
		}
		return err
	}))
	assert.Equal(t, 91, entries)
	assert.ElementsMatch(t, found, dirs)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = MakeTree(ctx, dirtest.TempDir(t), 3, 90)
	require.ErrorIs(t, err, context.Canceled)
}

// TestPeak has a program that uses less memory than this one: its peak is not
// known.
func TestPeak(t *testing.T) {
	if OwnPeak() == 0 {
		t.Skip("the system does not report peak memory")
	}
	log := dirtest.TempDir(t) + "/log"
	small, big := program(t, log, "small", 1), program(t, log, "big", 1)
	require.NoError(t, (&Sweep{Cases: []*Case{small, big}, Warm: 1}).Run(t.Context()))
	assert.True(t, strings.HasPrefix(Peak(small.Runs), "≤ "), Peak(small.Runs))
	assert.False(t, big.Runs[0].AtMost)
	assert.Greater(t, big.Runs[0].Peak, int64(200<<20))
}

func runsOf(ms ...int) (runs []Run) {
	for _, m := range ms {
		runs = append(runs, Run{Wall: time.Duration(m) * time.Millisecond, User: time.Millisecond, Entries: 1000, Cache: Warm})
	}
	return runs
}

// TestSum compares with Python's statistics module, and with numpy's
// "inverted_cdf" for the 95th percentile.
func TestSum(t *testing.T) {
	s := Sum(runsOf(10, 14, 11, 30, 12, 13))
	assert.Equal(t, Summary{
		N: 6, Mean: 15 * time.Millisecond, Median: 12500 * time.Microsecond, Min: 10 * time.Millisecond, Max: 30 * time.Millisecond,
		P95: 30 * time.Millisecond, MAD: 1500 * time.Microsecond, Deviation: s.Deviation,
	}, s)
	assert.InDelta(t, 7.483315, s.Deviation.Seconds()*1e3, 1e-5)
	twenty := make([]int, 20)
	for i := range twenty {
		twenty[i] = i + 1
	}
	assert.Equal(t, 19*time.Millisecond, Sum(runsOf(twenty...)).P95)
	assert.Equal(t, Summary{}, Sum(nil))
	assert.Equal(t, 3*time.Millisecond, Sum(runsOf(3)).P95)
}

func TestCompareIsPairByPair(t *testing.T) {
	// The machine becomes four times slower halfway: pairs cancel that out.
	r := Compare(runsOf(10, 10, 40, 40), runsOf(20, 20, 80, 80), Wall)
	assert.Equal(t, Ratio{Value: 0.5, Pairs: 4}, r)
	assert.False(t, r.Unclear())
	assert.True(t, Compare(runsOf(10, 20, 10, 40), runsOf(20, 20, 20, 20), Wall).Unclear())
	assert.True(t, Compare(nil, runsOf(20), Wall).Unclear())
	assert.Equal(t, "too few runs", Compare(runsOf(10, 10), runsOf(20, 20, 20), Wall).String())
	assert.True(t, math.IsNaN(Compare(nil, nil, CPU).Value))
}

// TestRows checks that a row has all columns and no path, and is written when
// it is added.
func TestRows(t *testing.T) {
	var b bytes.Buffer
	rows, err := NewRows(&b, Host{ID: "0123", OS: "linux/amd64", CPU: `a "fast" one`, Cores: 2, Memory: 23.54})
	require.NoError(t, err)
	c := program(t, "/home/me/secret", "ldx", 5)
	c.Phase, c.Changed = "update", "0"
	c.Runs = []Run{{
		Started: time.Date(2026, 11, 21, 12, 0, 0, 0, time.FixedZone("", 3600)), Cache: Cold,
		Wall: 1500 * time.Microsecond, Peak: 10 << 20, AtMost: true, Entries: 9, Database: 4096,
		Stats: Stats{Entries: 9, Dirs: 3, Calls: 12, PerCall: 1.5, Threads: 2},
	}}
	require.NoError(t, rows.Add(c))
	comment, table, _ := strings.Cut(b.String(), "\n")
	assert.Equal(t, "# ldx measurements: linux/amd64 , a fast one, 2 cores, 24 GiB", comment)
	all, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	require.NoError(t, err)
	require.Len(t, all, 2)
	row := map[string]string{}
	for i, name := range all[0] {
		row[name] = all[1][i]
	}
	assert.NotContains(t, b.String(), "secret")
	for name, want := range map[string]string{
		"schema": "3", "timestamp_utc": "2026-11-21T11:00:00Z", "cpu_model": `a "fast" one`, "cores": "2", "mem_gib": "23.5", "tool": "ldx",
		"args": "be here ldx 5", "dir_label": "here", "entries": "9", "files": "7", "dirs": "3", "bytes": "", "threads": "", "cache": "cold",
		"run_index": "1", "wall_ms": "1.500", "max_rss_kib": "10240", "syscalls": "12", "entries_per_call": "1.5", "exit_code": "0",
		"notes": "max_rss_kib is at most that; 2 threads started",
		"phase": "update", "changed": "0", "db_bytes": "4096",
	} {
		assert.Equal(t, want, row[name], name)
	}
	assert.Len(t, row["run_id"], 8)

	again, err := MoreRows(&b, bytes.NewReader(b.Bytes()), Host{})
	require.NoError(t, err)
	c.Runs = []Run{{Cache: Warm, Wall: 2 * time.Millisecond, User: time.Millisecond, Peak: 1 << 20, Entries: 7, Database: 5, Exit: 3}}
	require.NoError(t, again.Add(c))
	quiet := &Case{Scenario: "other", Tool: Tool{Name: "fd"}, Quiet: true, Runs: []Run{{Peak: 5 << 10, AtMost: true, Cache: Cold}}}
	require.NoError(t, again.Add(quiet))
	read, err := ReadRows(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Len(t, read, 2, "the last of repeated measurements counts")
	assert.Equal(t, c.Runs, read[0].Runs)
	assert.Equal(t, []string{"update", "0"}, []string{read[0].Phase, read[0].Changed})
	assert.Equal(t, quiet.Runs, read[1].Runs)
	assert.True(t, read[1].Quiet)
	_, err = ReadRows(strings.NewReader("a,b\n1,2\n"))
	require.Error(t, err)

	failing, err := NewRows(failingWriter{}, Host{})
	if err == nil {
		err = failing.Add(c)
	}
	require.Error(t, err, "a full disk is reported")
}

// TestRowsOfOlderVersion continues a table of version 1: it keeps its columns.
func TestRowsOfOlderVersion(t *testing.T) {
	var b bytes.Buffer
	old := strings.Join(columnsOf(1), ",")
	require.True(t, strings.HasSuffix(old, ",exit_code,notes"), old)
	b.WriteString("# comment\n" + old + "\n")
	rows, err := MoreRows(&b, bytes.NewReader(b.Bytes()), Host{})
	require.NoError(t, err)
	c := &Case{Scenario: "some", Tool: Tool{Name: "ldx"}, Phase: "record", Runs: []Run{{Wall: time.Second, Entries: 7, Database: 5}}}
	require.NoError(t, rows.Add(c))
	read, err := ReadRows(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Len(t, read, 1)
	assert.Equal(t, []Run{{Wall: time.Second, Entries: 7}}, read[0].Runs, "it has no place for the size")
	assert.Contains(t, b.String(), "\n1,", "its version")

	_, err = MoreRows(&b, strings.NewReader("a,b\n"), Host{})
	require.ErrorContains(t, err, "columns")
	_, err = MoreRows(&b, strings.NewReader(""), Host{})
	require.Error(t, err)
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

// TestTail checks that the last lines are kept, however they are written.
func TestTail(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []byte
	var kept bytes.Buffer
	to := tail{&kept}
	for range 200 {
		part := bytes.Repeat([]byte{byte('a' + r.IntN(26))}, r.IntN(3000))
		all = append(all, part...)
		n, err := to.Write(part)
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	assert.LessOrEqual(t, kept.Len(), 16<<10)
	assert.True(t, bytes.HasSuffix(all, kept.Bytes()))
	_, _ = to.Write([]byte("the end"))
	assert.True(t, bytes.HasSuffix(kept.Bytes(), []byte("the end")))
	big := bytes.Repeat([]byte("x"), 100_000)
	_, _ = to.Write(big)
	assert.Equal(t, 16<<10, kept.Len())
}

func TestPlaceAndHost(t *testing.T) {
	place, err := NewPlace(dirtest.TempDir(t), "here")
	require.NoError(t, err)
	assert.Equal(t, "here", place.Label)
	_, err = NewPlace(place.Path+"/none", "")
	require.Error(t, err)
	file := place.Path + "/file"
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = NewPlace(file, "")
	require.ErrorContains(t, err, "is not a directory")
	h := ThisHost()
	assert.Positive(t, h.Cores)
	assert.Equal(t, h, ThisHost(), "the number of a machine stays")
	if id, err := os.ReadFile("/etc/machine-id"); err == nil && h.ID != "" {
		assert.False(t, slices.Contains(strings.Fields(string(id)), h.ID))
	}
}

func TestVersionIn(t *testing.T) {
	for line, want := range map[string]string{
		"fd 10.5.0": "10.5.0", "find (GNU findutils) 4.9.0": "4.9.0", "bfs v2.6": "2.6", "ldx (devel)": "(devel)",
		"ldx 0.1.0+9fceb02d0ae5.dirty": "0.1.0+9fceb02d0ae5.dirty", "fd 10.5 (ldx 0.1.0+dev)": "ldx 0.1.0+dev",
	} {
		assert.Equal(t, want, versionIn(line), line)
	}
}
