package du

import (
	"bufio"
	"encoding/csv"
	"io"
	"iter"
	"strconv"
	"time"

	"ldx/internal/dir"
	"ldx/internal/property"
	"ldx/internal/term"
)

// Records writes a Result for other programs: sizes in bytes, times in RFC 3339.
type Records struct {
	Style
	Clock  dir.Fields // the field of the time to show, such as dir.ModTime; 0: none
	Escape bool       // escape paths in CSV: a terminal could take them for commands
}

// A record is what is written of a node, or of the total.
type record struct {
	path  []byte
	kind  string
	depth int
	sum   Sum
}

func (s *Records) records(r *Result) iter.Seq[record] {
	return func(yield func(record) bool) {
		for n, path := range s.nodes(r) {
			if !yield(record{path, property.TypeName(n.Type), int(n.depth), n.Sum}) {
				return
			}
		}
		if s.Total {
			yield(record{[]byte("total"), "total", 0, r.Total})
		}
	}
}

// time returns the latest time of a sum, or "" if there is none.
func (s *Records) time(sum Sum) string {
	if s.Clock == 0 || !property.Known(sum.Latest) {
		return ""
	}
	return string(property.AppendTime(nil, sum.Latest, time.UTC, time.RFC3339Nano))
}

// timeName returns the name of the time.
func (s *Records) timeName() string {
	if s.Clock == 0 {
		return property.TimeName(dir.ModTime)
	}
	return property.TimeName(s.Clock)
}

// WriteJSON writes an object for each node, on a line of its own.
func (s *Records) WriteJSON(to io.Writer, r *Result) error {
	w := bufio.NewWriterSize(to, 32<<10)
	var b []byte
	for one := range s.records(r) {
		b = term.AppendJSON(append(b[:0], '{'), "path", one.path)
		b = term.AppendJSON(append(b, ','), "type", []byte(one.kind))
		b = strconv.AppendInt(append(b, `,"depth":`...), int64(one.depth), 10)
		b = appendJSONSum(append(b, ','), one.sum)
		if text := s.time(one.sum); text != "" {
			b = term.AppendJSON(append(b, ','), s.timeName(), []byte(text))
		}
		_, _ = w.Write(append(b, '}', '\n')) // Flush returns the error
	}
	return w.Flush()
}

func appendJSONSum(b []byte, sum Sum) []byte {
	b = strconv.AppendUint(append(b, `"size":`...), sum.Bytes, 10)
	return strconv.AppendUint(append(b, `,"entries":`...), sum.Entries, 10)
}

// WriteCSV writes a header and a row for each node (RFC 4180). Paths are bytes, unless they
// are escaped.
func (s *Records) WriteCSV(to io.Writer, r *Result) error {
	w := csv.NewWriter(to)
	_ = w.Write([]string{"path", "type", "depth", "size", "entries", s.timeName()}) // Error returns it
	for one := range s.records(r) {
		_ = w.Write([]string{
			csvText(one.path, s.Escape), one.kind, strconv.Itoa(one.depth),
			strconv.FormatUint(one.sum.Bytes, 10), strconv.FormatUint(one.sum.Entries, 10), s.time(one.sum),
		})
	}
	w.Flush()
	return w.Error()
}

func csvText(text []byte, escape bool) string {
	if escape {
		text = term.AppendEscaped(nil, text)
	}
	return string(text)
}
