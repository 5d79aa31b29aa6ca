// Package measure times whole programs, summarizes the times and presents them.
//
// It uses only the lines that a program prints and the output of ldx --stats.
// So ldx bench and this project's bench share it, and older versions of ldx can
// be measured too. bench/README.md says what makes a comparison fair.
package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Caches is the state of the system's caches of the disk when a program starts.
type Caches string

// The states.
const (
	Cold    Caches = "cold"    // dropped
	Warm    Caches = "warm"    // filled by the run before
	Unknown Caches = "unknown" // should have been dropped, but could not be
)

// A Case is a program with arguments, to be run many times.
type Case struct {
	Group    string // cases of a group run in turn; they are all cold or all warm
	Scenario string
	Tool     Tool
	Args     []string // an argument equal to Place.Path is shown as Place.Label
	Place    Place
	Threads  int // 0: the tool's own choice
	Buffer   int // bytes; 0: the tool's own choice
	Cold     bool
	Quiet    bool     // the number of lines it prints is not the number of entries
	Env      []string // of the program, besides this process's
	Phase    string   // of a bench that has several; "": none
	Changed  string   // percent of the directories changed before each run; "": does not apply
	Database string   // the file that it uses, or the directory of the files; shown as DB; "": none
	Times    int      // number of counted runs; 0: the Sweep's
	Sync     string   // when what is written is made durable; "": does not apply
	Ops      int64    // number of operations of a run; 0: does not apply

	// Do, if set, is what a run does, in this process, instead of running Tool.
	Do func(ctx context.Context) error

	// Before, if set, is called before each run; round 0 does not count. After, if set, is
	// called after each run, to complete it. An error ends the sweep.
	Before func(ctx context.Context, round int) error
	After  func(*Run) error

	First Run // the one that does not count
	Runs  []Run
}

// A Tool is a program to measure.
type Tool struct {
	Name    string
	Path    string // of the program
	Version string // as it reports itself
	Commit  string // the commit it was built from, if known
}

// A Place is a directory to search. Its label does not identify its owner.
type Place struct {
	Path, Label string
	FileSystem  string // "" if not known
	Disk        string // solid, rotational, memory or network; "" if not known
}

// A Run is one run of a program. Unknown numbers are 0.
type Run struct {
	Started            time.Time
	Cache              Caches
	Wall, User, System time.Duration
	Peak               int64 // peak memory in bytes
	AtMost             bool  // Peak is only an upper bound: a child begins with the memory of the measuring program
	Entries            int64 // found
	Database           int64 // size of the case's Database after the run, in bytes
	Stats              Stats
	Exit               int // exit status; -1: killed by a signal
}

// Stats are the numbers of ldx --stats.
type Stats struct {
	Entries, Dirs, Errors, Threads int64
	Calls                          int64   // system calls for directories and entries
	PerCall                        float64 // entries per directory call
	Peak                           int64   // peak memory in bytes
}

// Run runs the case's program once, reading its output from a pipe. It returns
// an error if the program cannot be run or ctx is done. It does not add to Runs.
func (c *Case) Run(ctx context.Context) (r Run, err error) {
	if c.Do != nil {
		return c.do(ctx)
	}
	cmd := exec.CommandContext(ctx, c.Tool.Path, c.Args...)
	cmd.Env = append(os.Environ(), c.Env...)
	shield(cmd)
	var stderr bytes.Buffer
	cmd.Stderr = &tail{to: &stderr}
	out, in, err := os.Pipe()
	if err != nil {
		return r, err
	}
	defer out.Close()
	if err := block(out); err != nil {
		return r, err
	}
	cmd.Stdout = in
	r.Started = time.Now()
	err = cmd.Start()
	_ = in.Close()
	if err != nil {
		return r, err
	}
	lines, last, readErr := countLines(out)
	err = cmd.Wait()
	r.Wall = time.Since(r.Started)
	if err := errors.Join(readErr, ctx.Err()); err != nil {
		return r, err
	}
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return r, err
	}
	r.User, r.System = cmd.ProcessState.UserTime(), cmd.ProcessState.SystemTime()
	r.Exit = cmd.ProcessState.ExitCode()
	r.Stats = parseStats(stderr.String())
	if r.Peak = r.Stats.Peak; r.Peak == 0 {
		r.Peak = peakMemory(cmd.ProcessState)
		r.AtMost = r.Peak <= OwnPeak()
	}
	if r.Database, err = sizeOf(c.Database); err != nil {
		return r, err
	}
	if c.Quiet {
		return r, nil
	}
	r.Entries = lines
	if lines == 1 {
		if n, err := strconv.ParseInt(strings.TrimSpace(last), 10, 64); err == nil {
			r.Entries = n // printed by --count
		}
	}
	return r, nil
}

// do is Run of a case with Do.
func (c *Case) do(ctx context.Context) (r Run, err error) {
	r.Started = time.Now()
	if err := c.Do(ctx); err != nil {
		return r, err
	}
	r.Wall = time.Since(r.Started)
	r.Database, err = sizeOf(c.Database)
	return r, errors.Join(err, ctx.Err())
}

// sizeOf returns the size of a file, or the sum of those in a directory; 0 if there is none.
func sizeOf(path string) (size int64, err error) {
	if path == "" {
		return 0, nil
	}
	err = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return size, err
}

// countLines reads r to its end and counts lines. only is the beginning of the
// text if it came in a single chunk.
func countLines(r io.Reader) (lines int64, only string, err error) {
	buf := make([]byte, 128<<10)
	for chunk := 0; ; chunk++ {
		n, err := r.Read(buf)
		lines += int64(bytes.Count(buf[:n], []byte("\n")))
		switch {
		case n > 0 && chunk == 0:
			only = string(buf[:min(n, 32)])
		case n > 0:
			only = ""
		}
		if err == io.EOF {
			return lines, only, nil
		}
		if err != nil {
			return 0, "", err
		}
	}
}

// A tail keeps the end of what is written to it: the statistics are there, and
// a program may print more than fits in memory.
type tail struct{ to *bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	const limit = 16 << 10
	if t.to.Len()+len(p) > limit {
		t.to.Reset()
	}
	t.to.Write(p[max(0, len(p)-limit):])
	return len(p), nil
}

// parseStats parses the output of ldx --stats: lines with a name and a number.
func parseStats(text string) (s Stats) {
	whole := map[string]*int64{
		"entries": &s.Entries, "directories": &s.Dirs, "errors": &s.Errors, "threads": &s.Threads, "system calls": &s.Calls,
	}
	for line := range strings.Lines(text) {
		at := strings.LastIndexByte(strings.TrimSpace(line), ' ')
		if at < 0 {
			continue
		}
		name, value := strings.TrimSpace(line[:at]), strings.ReplaceAll(strings.TrimSpace(line[at:]), ",", "")
		if to := whole[name]; to != nil {
			*to, _ = strconv.ParseInt(value, 10, 64)
		}
		switch {
		case name == "entries/call":
			s.PerCall, _ = strconv.ParseFloat(value, 64)
		case strings.HasPrefix(name, "peak memory") && value == "MiB":
			mebi, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimPrefix(name, "peak memory")), 64)
			s.Peak = int64(mebi * (1 << 20))
		}
	}
	return s
}

// FindTool looks up a program in PATH by its names, in order, and asks for its
// version.
func FindTool(name string, others ...string) (Tool, error) {
	var path string
	var err error
	for _, other := range append([]string{name}, others...) {
		if path, err = exec.LookPath(other); err == nil {
			break
		}
	}
	if err != nil {
		return Tool{}, fmt.Errorf("%s is not installed", name)
	}
	if path, err = filepath.Abs(path); err != nil {
		return Tool{}, err
	}
	return Tool{Name: name, Path: path, Version: askVersion(path)}, nil
}

// askVersion returns the version number in the first line printed by --version.
func askVersion(path string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return versionIn(line)
}

// versionIn returns the version number in a line such as "fd 10.5.0". Of ldx under the name fd it
// returns that it is ldx.
func versionIn(line string) string {
	if _, ldx, ok := strings.Cut(line, "(ldx "); ok {
		return "ldx " + strings.TrimSuffix(ldx, ")")
	}
	for word := range strings.FieldsSeq(line) {
		if word = strings.Trim(word, "v,()"); word != "" && '0' <= word[0] && word[0] <= '9' {
			return word
		}
	}
	words := strings.Fields(line)
	return words[len(words)-1]
}

// shownArgs returns the arguments without the paths of the place and the database.
func (c *Case) shownArgs() string {
	shown := make([]string, len(c.Args))
	for i, arg := range c.Args {
		switch arg {
		case "":
			arg = "''"
		case c.Place.Path:
			arg = c.Place.Label
		case c.Database:
			arg = "DB"
		}
		shown[i] = arg
	}
	return strings.Join(shown, " ")
}
