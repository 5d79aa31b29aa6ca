package measure

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

const noteAtMost = "max_rss_kib is at most that"

// schema is the number of what the columns mean.
const schema = 1

// columns are those of the rows, one for each run. bench/README.md says what each is.
var columns = []string{
	"schema", "run_id", "timestamp_utc", "host_id", "os", "kernel", "cpu_model", "cores", "mem_gib", "fs_type", "disk_kind",
	"tool", "tool_version", "commit", "scenario", "args", "dir_label", "entries", "files", "dirs", "bytes", "threads", "buf_bytes",
	"cache", "run_index", "wall_ms", "user_ms", "sys_ms", "max_rss_kib", "syscalls", "entries_per_call", "exit_code", "notes",
}

// Rows writes runs as CSV, each as soon as it is known, so that nothing is lost by an
// interrupt. What is not known is empty.
type Rows struct {
	host Host
	id   string
	to   *bufio.Writer
	csv  *csv.Writer
}

// NewRows begins a table with a comment that tells of the machine, and the names of the
// columns.
func NewRows(w io.Writer, host Host) (*Rows, error) {
	r := MoreRows(w, host)
	fmt.Fprintf(r.to, "# ldx measurements: %s\n", strings.ReplaceAll(host.String(), `"`, ""))
	return r, r.write(columns)
}

// MoreRows goes on with a table that NewRows has begun.
func MoreRows(w io.Writer, host Host) *Rows {
	to := bufio.NewWriter(w)
	return &Rows{host: host, id: fmt.Sprintf("%08x", rand.Uint32()), to: to, csv: csv.NewWriter(to)}
}

func (r *Rows) write(row []string) error {
	if err := r.csv.Write(row); err != nil {
		return err
	}
	r.csv.Flush()
	if err := r.csv.Error(); err != nil {
		return err
	}
	return r.to.Flush()
}

// Add writes the last of a case's runs.
func (r *Rows) Add(c *Case) error {
	h, run := &r.host, &c.Runs[len(c.Runs)-1]
	files, dirs := "", ""
	if s := run.Stats; s.Dirs > 0 {
		dirs = number(s.Dirs)
		if s.Errors == 0 {
			files = strconv.FormatInt(s.Entries-s.Dirs+1, 10) // the place itself is listed, and no entry
		}
	}
	memory, entries, notes := "", "", []string(nil)
	if run.AtMost && run.Peak > 0 {
		notes = append(notes, noteAtMost)
	}
	if n := run.Stats.Threads; n > 0 && n != int64(c.Threads) {
		notes = append(notes, fmt.Sprintf("%d threads started", n))
	}
	if !c.Quiet {
		entries = strconv.FormatInt(run.Seen(), 10)
	}
	if h.Memory > 0 {
		memory = fmt.Sprintf("%.1f", h.Memory)
	}
	return r.write([]string{
		strconv.Itoa(schema), r.id, run.Started.UTC().Format(time.RFC3339), h.ID, h.OS, h.Kernel, h.CPU, strconv.Itoa(h.Cores), memory,
		c.Place.FileSystem, c.Place.Disk,
		c.Tool.Name, c.Tool.Version, c.Tool.Commit, c.Scenario, c.shownArgs(), c.Place.Label,
		entries, files, dirs, "", number(int64(c.Threads)), number(int64(c.Buffer)),
		string(run.Cache), strconv.Itoa(len(c.Runs)), millis(run.Wall), millis(run.User), millis(run.System), number(run.Peak >> 10),
		number(run.Stats.Calls), perCall(run.Stats.PerCall), strconv.Itoa(run.Exit), strings.Join(notes, "; "),
	})
}

// number writes what is known.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func perCall(n float64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", n)
}

func millis(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()*1e3) }

// ReadRows reads a table that Rows has written: a Case for each program of a scenario and
// its runs, with what is needed to sum them up. Of a scenario that was measured again the
// last measurement counts.
func ReadRows(r io.Reader) (cases []*Case, err error) {
	table := csv.NewReader(r)
	table.Comment = '#'
	all, err := table.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || !slices.Equal(all[0], columns) {
		return nil, errors.New("the table does not have the columns of this version")
	}
	last, found := map[string]string{}, map[[3]string]*Case{}
	for _, row := range all[1:] {
		cell := func(name string) string { return row[slices.Index(columns, name)] }
		number := func(name string) float64 {
			n, numberErr := strconv.ParseFloat(cell(name), 64)
			if cell(name) != "" {
				err = errors.Join(err, numberErr)
			}
			return n
		}
		time := func(name string) time.Duration { return time.Duration(number(name) * float64(time.Millisecond)) }
		key := [3]string{cell("run_id"), cell("scenario"), cell("tool")}
		c := found[key]
		if c == nil {
			c = &Case{
				Scenario: cell("scenario"), Tool: Tool{Name: cell("tool"), Version: cell("tool_version"), Commit: cell("commit")},
				Place: Place{Label: cell("dir_label")}, Quiet: cell("entries") == "", Group: key[0],
			}
			found[key], last[c.Scenario] = c, key[0]
			cases = append(cases, c)
		}
		c.Runs = append(c.Runs, Run{
			Cache: Caches(cell("cache")), Wall: time("wall_ms"), User: time("user_ms"), System: time("sys_ms"),
			Peak: int64(number("max_rss_kib")) << 10, AtMost: strings.Contains(cell("notes"), noteAtMost),
			Entries: int64(number("entries")), Exit: int(number("exit_code")),
		})
	}
	return slices.DeleteFunc(cases, func(c *Case) bool { return c.Group != last[c.Scenario] }), err
}
