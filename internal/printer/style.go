package printer

import (
	"io/fs"
	"slices"

	"ldx/internal/dir"
	"ldx/internal/format"
	"ldx/internal/term"
)

// Style says what paths look like.
type Style struct {
	Separator string   // for each slash; "": a slash
	Slash     Slash    // after a directory's path
	Listed    bool     // results are paths of a list: with SlashAuto they have a slash if their Tag is set
	Palette   *Palette // nil: no colours
	Escape    bool     // escape names: a terminal could take them for commands

	// Quote, if set, appends a path in quotes. Paths have a single colour then.
	Quote func(b, path []byte) []byte

	// Matched, if set, appends the starts and ends of the parts of a name that patterns match, in
	// order; with MatchPaths of an absolute path. They are underlined, if there are colours.
	// Many workers may call it at a time.
	Matched    func(spans [][2]int, text []byte) [][2]int
	MatchPaths bool

	// Report, if set, gets the errors of reading links to show their targets.
	Report func(error)
	// Hyperlinks makes each result a hyperlink to the file. The roots must have their absolute
	// paths.
	Hyperlinks bool
	Host       string
}

// Slash says when a slash comes after the path of a directory.
type Slash uint8

// When it comes.
const (
	SlashAuto   Slash = iota // not in a Template, and not in a List
	SlashAlways              // in these too
	SlashNever
)

// isPlain reports whether paths are shown as they are, or with another character for each
// slash, and with a slash after a directory's.
func (s *Style) isPlain() bool {
	return len(s.Separator) <= 1 && s.Slash != SlashNever && !s.Listed && s.Palette == nil && !s.Escape && s.Quote == nil && !s.Hyperlinks
}

// mayNeed returns the fields that are asked for only of results whose colour depends on them.
func (s *Style) mayNeed() dir.Fields {
	if s.Palette == nil {
		return 0
	}
	return s.Palette.files | s.Palette.dirs
}

// appendPath appends the entry's path, and if slash is set and it is a directory a slash. A path
// that begins with a dash gets a ./ before it, or a command would take it for a flag.
func appendPath(b []byte, e *dir.Entry, slash bool) []byte {
	start := len(b)
	b = e.AppendPath(b)
	if b[start] == '-' {
		b = slices.Insert(b, start, '.', '/')
	}
	if slash && e.Type == fs.ModeDir && len(e.Name) > 0 {
		b = append(b, '/')
	}
	return b
}

// appendEntry appends the entry's path in the Style.
func (s *Style) appendEntry(b []byte, e *dir.Entry, slash bool) []byte {
	b = s.appendLink(b, e)
	switch {
	case s.Quote != nil:
		b = s.appendQuoted(b, e, slash)
	case s.Palette != nil:
		b = s.appendColoured(b, e, appendPath(nil, e, false), slash && e.Type == fs.ModeDir && len(e.Name) > 0)
	default:
		b = s.appendText(b, format.Separate(appendPath(nil, e, slash), s.Separator))
	}
	return s.appendLinkEnd(b)
}

// appendQuoted appends the entry's path in quotes, in its own colour.
func (s *Style) appendQuoted(b []byte, e *dir.Entry, slash bool) []byte {
	code := ""
	if s.Palette != nil {
		code = s.Palette.style(e)
	}
	if code != "" {
		b = append(append(append(b, "\x1b["...), code...), 'm')
	}
	b = s.Quote(b, format.Separate(appendPath(nil, e, slash), s.Separator))
	if code != "" {
		b = append(b, "\x1b[0m"...)
	}
	return b
}

// show returns what appends a value of a template as it is shown; nil: as it is.
func (s *Style) show() func(b, value []byte) []byte {
	if s.Quote == nil && s.Escape {
		return term.AppendEscaped
	}
	return s.Quote
}

const (
	linkStart = "\x1b]8;;"
	linkEnd   = "\x1b\\"
)

// appendLink begins a hyperlink to the file, if Hyperlinks is set.
func (s *Style) appendLink(b []byte, e *dir.Entry) []byte {
	if !s.Hyperlinks {
		return b
	}
	b = append(b, linkStart...)
	b = appendURL(b, s.Host, e.AppendAbsolute(nil))
	return append(b, linkEnd...)
}

func (s *Style) appendLinkEnd(b []byte) []byte {
	if !s.Hyperlinks {
		return b
	}
	return append(append(b, linkStart...), linkEnd...)
}

// appendColoured colours the path as fd does: the parents, and the slash at the end, in the
// colour of directories, the name in its own.
func (s *Style) appendColoured(b []byte, e *dir.Entry, path []byte, slash bool) []byte {
	name := len(path) - len(e.Name)
	dirs, own := s.Palette.kinds["di"], s.Palette.style(e)
	p := painter{style: s, b: b, spans: s.matchedIn(e, path), path: path}
	if name > 0 {
		p.paint(dirs, name)
	}
	p.paint(own, len(path))
	if slash {
		p.path = append(p.path, '/')
		p.paint(dirs, len(p.path))
	}
	if p.current != "" {
		p.b = append(p.b, "\x1b[0m"...)
	}
	return p.b
}

// matchedIn returns the parts of a result's path to be underlined.
func (s *Style) matchedIn(e *dir.Entry, path []byte) [][2]int {
	if s.Matched == nil {
		return nil
	}
	if !s.MatchPaths {
		return shift(s.Matched(nil, e.Name), len(path)-len(e.Name), len(path)-len(e.Name))
	}
	whole := e.AppendAbsolute(nil)
	shared := 0 // bytes that both end in
	for shared < min(len(path), len(whole)) && path[len(path)-1-shared] == whole[len(whole)-1-shared] {
		shared++
	}
	return shift(s.Matched(nil, whole), len(path)-len(whole), len(path)-shared)
}

// shift moves spans by an offset, and leaves out what is then before start.
func shift(spans [][2]int, offset, start int) [][2]int {
	kept := spans[:0]
	for _, span := range spans {
		if from, to := max(span[0]+offset, start), span[1]+offset; from < to {
			kept = append(kept, [2]int{from, to})
		}
	}
	return kept
}

// A painter appends a path in colours.
type painter struct {
	style   *Style
	b       []byte
	path    []byte
	done    int      // bytes of path that are painted
	spans   [][2]int // to be underlined, from done on
	current string   // the code that is in force
}

// paint appends the path as far as to, in a colour.
func (p *painter) paint(code string, to int) {
	const underlined = "4"
	marked := underlined
	if code != "" {
		marked = code + ";" + underlined
	}
	for len(p.spans) > 0 && p.spans[0][0] < to {
		p.append(code, p.spans[0][0])
		p.append(marked, min(p.spans[0][1], to))
		if p.spans[0][1] > to {
			break
		}
		p.spans = p.spans[1:]
	}
	p.append(code, to)
}

func (p *painter) append(code string, to int) {
	if to <= p.done {
		return
	}
	if code != p.current && p.current != "" {
		p.b = append(p.b, "\x1b[0m"...)
	}
	if code != p.current && code != "" {
		p.b = append(append(append(p.b, "\x1b["...), code...), 'm')
	}
	p.current = code
	p.b = p.style.appendText(p.b, format.Separate(p.path[p.done:to], p.style.Separator))
	p.done = to
}

func (s *Style) appendText(b, text []byte) []byte {
	if s.Escape {
		return term.AppendEscaped(b, text)
	}
	return append(b, text...)
}

// report reports the error of reading a link, unless the link has vanished.
func (s *Style) report(err error) {
	if err != nil && s.Report != nil && !dir.Vanished(err) {
		s.Report(err)
	}
}
