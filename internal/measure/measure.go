// Package measure times whole programs, sums up what it took and shows it.
//
// It knows nothing of what it measures but the lines a program prints, and those of
// ldx --stats; so ldx bench and the bench of this project's maintainers share it, and an
// old ldx can be measured too. What is fair is told in bench/README.md.
package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Caches says what the system may remember of the disk when a program starts.
type Caches string

// What it may remember.
const (
	Cold    Caches = "cold"    // nothing of files and directories: it has been dropped
	Warm    Caches = "warm"    // what the run before has read
	Unknown Caches = "unknown" // it was to be dropped, and could not be
)

// A Case is a program with its arguments, to be run many times.
type Case struct {
	Group    string // of the cases that take turns with this one, all cold or all warm
	Scenario string
	Tool     Tool
	Args     []string // the Tool's arguments; Place.Path among them is shown as Place.Label
	Place    Place
	Threads  int // 0: the tool's own choice
	Buffer   int // bytes; 0: the tool's own choice
	Cold     bool
	Quiet    bool // how many lines it prints says nothing
	Runs     []Run
}

// A Tool is a program to measure.
type Tool struct {
	Name    string
	Path    string // of the program
	Version string // as it tells itself
	Commit  string // it was built from, if known
}

// A Place is a directory to search, by a label that tells nothing of who owns it.
type Place struct {
	Path, Label string
	FileSystem  string // its type; "" if not known
	Disk        string // solid, rotational, memory or network; "" if not known
}

// A Run is one run of a program. Numbers that are not known are 0.
type Run struct {
	Started            time.Time
	Cache              Caches
	Wall, User, System time.Duration
	Peak               int64 // bytes of memory
	AtMost             bool  // Peak is that of the measuring program, which a child begins with
	Entries            int64 // found
	Stats              Stats
	Exit               int // its status; -1: it was ended by a signal
}

// Stats is what ldx --stats has told.
type Stats struct {
	Entries, Dirs, Errors, Threads int64
	Calls                          int64   // for directories and entries
	PerCall                        float64 // entries by directory calls
	Peak                           int64   // bytes
}

// run runs the case's program once, its output into a pipe that is read. An error is
// that it could not be run, or that ctx is done.
func (c *Case) run(ctx context.Context) (r Run, err error) {
	cmd := exec.CommandContext(ctx, c.Tool.Path, c.Args...)
	shield(cmd)
	var told bytes.Buffer
	cmd.Stderr = &tail{to: &told}
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
	in.Close()
	if err != nil {
		return r, err
	}
	lines, last, readErr := countLines(out)
	err = cmd.Wait()
	r.Wall = time.Since(r.Started)
	if err := errors.Join(readErr, ctx.Err()); err != nil {
		return r, err
	}
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return r, err
	}
	r.User, r.System = cmd.ProcessState.UserTime(), cmd.ProcessState.SystemTime()
	r.Exit = cmd.ProcessState.ExitCode()
	r.Stats = parseStats(told.String())
	if r.Peak = r.Stats.Peak; r.Peak == 0 {
		r.Peak = peakMemory(cmd.ProcessState)
		r.AtMost = r.Peak <= OwnPeak()
	}
	if c.Quiet {
		return r, nil
	}
	r.Entries = lines
	if lines == 1 {
		if n, err := strconv.ParseInt(strings.TrimSpace(last), 10, 64); err == nil {
			r.Entries = n // that of --count
		}
	}
	return r, nil
}

// countLines reads all there is and returns how many lines it was, and the text of the
// first chunk if it was the only one.
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

// A tail keeps the last of what is written to it: the statistics are there, and a
// program may have more to say than there is memory.
type tail struct{ to *bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	const most = 16 << 10
	if t.to.Len()+len(p) > most {
		t.to.Reset()
	}
	t.to.Write(p[max(0, len(p)-most):])
	return len(p), nil
}

// parseStats reads what ldx --stats writes: a name and a number in each line.
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

// FindTool looks a program up in PATH, by any of its names, and asks it for its version.
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

// askVersion returns the number in the first line of what --version prints.
func askVersion(path string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	for word := range strings.FieldsSeq(line) {
		if word = strings.Trim(word, "v,()"); word != "" && '0' <= word[0] && word[0] <= '9' {
			return word
		}
	}
	words := strings.Fields(line)
	return words[len(words)-1]
}

// shownArgs returns the arguments as they may be told to others.
func (c *Case) shownArgs() string {
	shown := make([]string, len(c.Args))
	for i, arg := range c.Args {
		if arg == c.Place.Path {
			arg = c.Place.Label
		}
		shown[i] = arg
	}
	return strings.Join(shown, " ")
}
