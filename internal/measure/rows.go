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

// schema is the version of the columns. Each version adds some at the end.
const schema = 3

// columns are the columns of the rows; a row is one run. bench/README.md
// describes each.
var columns = []string{
	"schema", "run_id", "timestamp_utc", "host_id", "os", "kernel", "cpu_model", "cores", "mem_gib", "fs_type", "disk_kind",
	"tool", "tool_version", "commit", "scenario", "args", "dir_label", "entries", "files", "dirs", "bytes", "threads", "buf_bytes",
	"cache", "run_index", "wall_ms", "user_ms", "sys_ms", "max_rss_kib", "syscalls", "entries_per_call", "exit_code", "notes",
	"phase", "changed", "db_bytes", "sync_policy", "ops",
}

// columnsOf returns the columns of a version.
func columnsOf(schema int) []string {
	const added2, added3 = 3, 2
	switch schema {
	case 1:
		return columns[:len(columns)-added3-added2]
	case 2:
		return columns[:len(columns)-added3]
	}
	return columns
}

// schemaOf returns the version of a row of column names.
func schemaOf(heads []string) (int, error) {
	for version := range schema {
		if slices.Equal(heads, columnsOf(version+1)) {
			return version + 1, nil
		}
	}
	return 0, errors.New("the table does not have the columns of this version")
}

// Rows writes runs as CSV, each as soon as it is added, so that an interrupt
// loses nothing. Unknown values are empty.
type Rows struct {
	host   Host
	id     string
	schema int
	to     *bufio.Writer
	csv    *csv.Writer
}

// HostComment is what a table begins with; a description of the host follows.
const HostComment = "# ldx measurements: "

// NewRows begins a table with a comment that describes the host, and a row of
// column names.
func NewRows(w io.Writer, host Host) (*Rows, error) {
	r := newRows(w, host, schema)
	fmt.Fprintf(r.to, HostComment+"%s\n", strings.ReplaceAll(host.String(), `"`, ""))
	return r, r.write(columns)
}

// MoreRows continues a table begun by NewRows, with the columns that it has: it is read from
// table.
func MoreRows(w io.Writer, table io.Reader, host Host) (*Rows, error) {
	heads, err := newReader(table).Read()
	if err != nil {
		return nil, err
	}
	schema, err := schemaOf(heads)
	return newRows(w, host, schema), err
}

func newRows(w io.Writer, host Host, schema int) *Rows {
	to := bufio.NewWriter(w)
	return &Rows{host: host, id: fmt.Sprintf("%08x", rand.Uint32()), schema: schema, to: to, csv: csv.NewWriter(to)}
}

func newReader(table io.Reader) *csv.Reader {
	r := csv.NewReader(table)
	r.Comment = '#'
	return r
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

// Add writes the last run of a case.
func (r *Rows) Add(c *Case) error {
	h, run := &r.host, &c.Runs[len(c.Runs)-1]
	files, dirs := "", ""
	if s := run.Stats; s.Dirs > 0 {
		dirs = number(s.Dirs)
		if s.Errors == 0 {
			files = strconv.FormatInt(s.Entries-s.Dirs+1, 10) // without the place itself, which is listed but no entry
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
	row := []string{
		strconv.Itoa(r.schema), r.id, run.Started.UTC().Format(time.RFC3339), h.ID, h.OS, h.Kernel, h.CPU, strconv.Itoa(h.Cores), memory,
		c.Place.FileSystem, c.Place.Disk,
		c.Tool.Name, c.Tool.Version, c.Tool.Commit, c.Scenario, c.shownArgs(), c.Place.Label,
		entries, files, dirs, "", number(int64(c.Threads)), number(int64(c.Buffer)),
		string(run.Cache), strconv.Itoa(len(c.Runs)), millis(run.Wall), millis(run.User), millis(run.System), number(run.Peak >> 10),
		number(run.Stats.Calls), perCall(run.Stats.PerCall), strconv.Itoa(run.Exit), strings.Join(notes, "; "),
		c.Phase, c.Changed, number(run.Database), c.Sync, number(c.Ops),
	}
	return r.write(row[:len(columnsOf(r.schema))])
}

// number formats n; "" if it is 0, not known.
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

// ReadRows reads a table written by Rows, of this version or an older one. It returns a Case for each program of
// a scenario, with its runs and what is needed to summarize them. If a scenario
// was measured more than once, only the last measurement counts.
func ReadRows(r io.Reader) (cases []*Case, err error) {
	all, err := newReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("the table is empty")
	}
	if _, err := schemaOf(all[0]); err != nil {
		return nil, err
	}
	last, found := map[string]string{}, map[[5]string]*Case{}
	for _, row := range all[1:] {
		cell := func(name string) string {
			if i := slices.Index(columns, name); i < len(row) {
				return row[i]
			}
			return ""
		}
		parse := func(name string) float64 {
			n, numberErr := strconv.ParseFloat(cell(name), 64)
			if cell(name) != "" {
				err = errors.Join(err, numberErr)
			}
			return n
		}
		duration := func(name string) time.Duration { return time.Duration(parse(name) * float64(time.Millisecond)) }
		key := [5]string{cell("run_id"), cell("scenario"), cell("tool"), cell("phase"), cell("changed")}
		c := found[key]
		if c == nil {
			c = &Case{
				Scenario: cell("scenario"), Tool: Tool{Name: cell("tool"), Version: cell("tool_version"), Commit: cell("commit")},
				Place: Place{Label: cell("dir_label")}, Quiet: cell("entries") == "", Group: key[0],
				Phase: cell("phase"), Changed: cell("changed"),
			}
			found[key], last[c.Scenario] = c, key[0]
			cases = append(cases, c)
		}
		c.Runs = append(c.Runs, Run{
			Cache: Caches(cell("cache")), Wall: duration("wall_ms"), User: duration("user_ms"), System: duration("sys_ms"),
			Peak: int64(parse("max_rss_kib")) << 10, AtMost: strings.Contains(cell("notes"), noteAtMost),
			Entries: int64(parse("entries")), Database: int64(parse("db_bytes")), Exit: int(parse("exit_code")),
		})
	}
	return slices.DeleteFunc(cases, func(c *Case) bool { return c.Group != last[c.Scenario] }), err
}
