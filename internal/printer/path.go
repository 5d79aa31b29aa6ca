package printer

import (
	"bytes"
	"io/fs"

	"ldx/internal/dir"
	"ldx/internal/format"
)

// AppendPath appends a path, or the end of one, as the Style has the path of a result: the name in
// its own colour, what is before and after it in that of directories. e is the entry with that
// path; nil if the system must not be asked, so that only the name and the type count.
func (s Style) AppendPath(b, path []byte, kind fs.FileMode, e *dir.Entry) []byte {
	if s.Palette == nil {
		return s.appendText(b, format.Separate(path, s.Separator))
	}
	end := len(bytes.TrimRight(path, "/"))
	if end == 0 { // the root directory
		end = len(path)
	}
	start := bytes.LastIndexByte(path[:end], '/') + 1
	own := s.Palette.plainStyle(path[start:end], kind)
	if e != nil {
		own = s.Palette.style(e)
	}
	if own == s.Palette.kinds["di"] {
		return s.appendIn(b, own, path)
	}
	b = s.appendIn(b, s.Palette.kinds["di"], path[:start])
	b = s.appendIn(b, own, path[start:end])
	return s.appendIn(b, s.Palette.kinds["di"], path[end:])
}

// appendIn appends text in a colour.
func (s *Style) appendIn(b []byte, code string, text []byte) []byte {
	if len(text) == 0 {
		return b
	}
	if code == "" {
		return s.appendText(b, format.Separate(text, s.Separator))
	}
	b = append(append(append(b, "\x1b["...), code...), 'm')
	b = s.appendText(b, format.Separate(text, s.Separator))
	return append(b, "\x1b[0m"...)
}
