package spawn

import (
	"bytes"

	"ldx/internal/format"
)

// A result is what a command is run on.
type result struct {
	path   []byte
	fields [][]byte // what placeholders other than the path's stand for, by their numbers
}

// newResult reads a result: a path and, after a NUL each, n fields.
func newResult(text []byte, n int) result {
	r := result{path: text}
	if n > 0 {
		r.fields = make([][]byte, n)
	}
	for i := n - 1; i >= 0; i-- {
		at := max(0, bytes.LastIndexByte(r.path, 0))
		r.path, r.fields[i] = r.path[:at], r.path[min(at+1, len(r.path)):]
	}
	return r
}

// append appends an argument of a command.
func (r *result) append(b []byte, arg *format.Template, separator string) []byte {
	if r.fields == nil {
		return arg.Append(b, r.path, separator)
	}
	return arg.Fill(b, &format.Values{
		Path:      r.path,
		Separator: separator,
		Field:     func(b []byte, n int) []byte { return append(b, r.fields[n]...) },
	})
}
