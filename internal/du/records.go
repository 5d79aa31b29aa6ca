package du

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"time"
	"unicode/utf8"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/term"
)

// Records writes a Result for other programs: sizes in bytes, times as RFC 3339 has them.
type Records struct {
	Style
	TimeName string // what the time is called
	Escape   bool   // in CSV, for a terminal, which could take paths for commands
}

// A record is what is told of a node, or of all.
type record struct {
	Path    string `json:"path,omitempty"`
	Path64  string `json:"path_b64,omitempty"` // base64, where the path is not UTF-8
	Type    string `json:"type"`
	Depth   int    `json:"depth"`
	Size    uint64 `json:"size"`
	Entries uint64 `json:"entries"`
	ModTime string `json:"mtime,omitempty"`
	AccTime string `json:"atime,omitempty"`
	ChgTime string `json:"ctime,omitempty"`
}

func (s *Records) records(r *Result) iter.Seq[record] {
	return func(yield func(record) bool) {
		for n, path := range s.nodes(r) {
			if !yield(s.record(string(path), dir.TypeName(n.Type), int(n.depth), n.Sum)) {
				return
			}
		}
		if s.Total {
			yield(s.record("total", "total", 0, r.Total))
		}
	}
}

func (s *Records) record(path, kind string, depth int, sum Sum) record {
	one := record{Path: path, Type: kind, Depth: depth, Size: sum.Bytes, Entries: sum.Entries}
	if s.Time == "" || !known(sum.Latest) {
		return one
	}
	switch text := string(format.AppendTime(nil, sum.Latest.UTC(), time.RFC3339Nano)); s.TimeName {
	case "atime":
		one.AccTime = text
	case "ctime":
		one.ChgTime = text
	default:
		one.ModTime = text
	}
	return one
}

// WriteJSON writes an object for each node, on a line of its own.
func (s *Records) WriteJSON(to io.Writer, r *Result) error {
	w := bufio.NewWriterSize(to, 32<<10)
	encoder := newEncoder(w)
	for one := range s.records(r) {
		if !utf8.ValidString(one.Path) {
			one.Path, one.Path64 = "", base64.StdEncoding.EncodeToString([]byte(one.Path))
		}
		if err := encoder.Encode(one); err != nil {
			return err
		}
	}
	return w.Flush()
}

// newEncoder returns an encoder that leaves alone what only HTML would take for its own,
// but not what a terminal would.
func newEncoder(to io.Writer) *json.Encoder {
	encoder := json.NewEncoder(jsonWriter{to})
	encoder.SetEscapeHTML(false)
	return encoder
}

// A jsonWriter is for an encoder, which writes whole values.
type jsonWriter struct{ to io.Writer }

func (w jsonWriter) Write(p []byte) (int, error) {
	_, err := w.to.Write(term.EscapeJSON(p))
	return len(p), err
}

// WriteCSV writes a row for each node, after one of names (RFC 4180). Paths are their
// bytes unless they are escaped.
func (s *Records) WriteCSV(to io.Writer, r *Result) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"path", "type", "depth", "size", "entries", cmp.Or(s.TimeName, "mtime")}) // Error tells
	for one := range s.records(r) {
		_ = w.Write([]string{
			csvText(one.Path, s.Escape), one.Type, strconv.Itoa(one.Depth),
			strconv.FormatUint(one.Size, 10), strconv.FormatUint(one.Entries, 10), cmp.Or(one.ModTime, one.AccTime, one.ChgTime),
		})
	}
	w.Flush()
	return w.Error()
}

func csvText(text string, escape bool) string {
	if escape {
		return string(term.AppendEscaped(nil, []byte(text)))
	}
	return text
}
