package du

import (
	"bufio"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"time"
	"unicode/utf8"

	"ldx/internal/dir"
)

// Records writes a Result for other programs: sizes in bytes, times as RFC 3339 has them.
type Records struct{ Style }

// A record is what is told of a node, or of all.
type record struct {
	Path    string `json:"path,omitempty"`
	Path64  string `json:"path_b64,omitempty"` // base64, where the path is not UTF-8
	Type    string `json:"type"`
	Depth   int    `json:"depth"`
	Size    uint64 `json:"size"`
	Entries uint64 `json:"entries"`
	Time    string `json:"mtime,omitempty"`
}

func (s *Records) records(r *Result) iter.Seq[record] {
	return func(yield func(record) bool) {
		for n, path := range s.nodes(r) {
			one := record{Path: string(path), Type: dir.TypeName(n.Type), Depth: int(n.depth), Size: n.Bytes, Entries: n.Entries, Time: s.time(n.Sum)}
			if !yield(one) {
				return
			}
		}
		if s.Total {
			yield(record{Path: "total", Type: "total", Size: r.Total.Bytes, Entries: r.Total.Entries, Time: s.time(r.Total)})
		}
	}
}

func (s *Records) time(of Sum) string {
	if s.Time == "" {
		return ""
	}
	return of.when().UTC().Format(time.RFC3339Nano)
}

// WriteJSON writes an object for each node, on a line of its own.
func (s *Records) WriteJSON(to io.Writer, r *Result) error {
	w := bufio.NewWriterSize(to, 32<<10)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
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

// WriteCSV writes a row for each node, after one of names (RFC 4180). Paths are their
// bytes.
func (s *Records) WriteCSV(to io.Writer, r *Result) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"path", "type", "depth", "size", "entries", "mtime"}) // Error tells
	for one := range s.records(r) {
		_ = w.Write([]string{
			one.Path, one.Type, strconv.Itoa(one.Depth),
			strconv.FormatUint(one.Size, 10), strconv.FormatUint(one.Entries, 10), one.Time,
		})
	}
	w.Flush()
	return w.Error()
}
