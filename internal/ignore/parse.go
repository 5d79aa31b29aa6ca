package ignore

import (
	"bytes"
	"fmt"
	"strings"

	"ldx/internal/glob"
)

// A file is a compiled rule file. It is immutable, and may be in force below
// several directories.
type file struct {
	path    string // as reported to users
	rules   []rule
	members []glob.Member // one glob for each rule
	set     *glob.Set     // built from members
	keeps   bool          // some rule begins with "!"
}

type rule struct {
	line    int    // the first is 1; 0: not from a file
	pattern string // as written
	keep    bool   // it begins with "!"
}

// A LineError reports an invalid line in a rule file. The rest of the file is
// in force.
type LineError struct {
	Path    string
	Line    int // the first is 1
	Pattern string
	Err     error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d: the rule %.60q matches nothing: %.200v", e.Path, e.Line, e.Pattern, e.Err)
}

func (e *LineError) Unwrap() error { return e.Err }

// parse compiles the lines of a rule file as git reads them (gitignore(5), and
// add_patterns_from_buffer in dir.c). It reports a line that cannot be compiled
// as a *LineError.
func parse(path string, data []byte, fold bool, report func(error)) *file {
	f := &file{path: path}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	lines := bytes.Count(data, []byte("\n")) + 1
	f.rules, f.members = make([]rule, 0, lines), make([]glob.Member, 0, lines)
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		pattern := parseLine(line)
		if err := f.add(n, pattern, glob.Options{Fold: fold}); err != nil {
			report(&LineError{Path: path, Line: n, Pattern: pattern, Err: err})
		}
	}
	f.compile()
	return f
}

// parseLine returns the pattern in a line; "" if it has none.
func parseLine(line []byte) string {
	if len(line) > 0 && line[0] == '#' {
		return ""
	}
	line = bytes.TrimSuffix(line, []byte("\r"))
	line, _, _ = bytes.Cut(line, []byte("\x00")) // git's string ends here
	trimmed := bytes.TrimRight(line, " ")
	if escapes := len(trimmed) - len(bytes.TrimRight(trimmed, `\`)); escapes%2 == 1 && len(trimmed) < len(line) {
		trimmed = line[:len(trimmed)+1] // keep the space after a backslash
	}
	return string(trimmed)
}

// add adds a pattern, with or without "!". The patterns "" and "/" match
// nothing.
func (f *file) add(line int, pattern string, opt glob.Options) error {
	text, keep := strings.CutPrefix(pattern, "!")
	text, dirs := strings.CutSuffix(text, "/")
	// With a slash other than at its end, it matches the path below the file's
	// directory.
	opt.Path = strings.Contains(text, "/")
	if text = strings.TrimPrefix(text, "/"); text == "" {
		return nil
	}
	compiled, err := glob.Compile(text, opt)
	if err != nil {
		return err
	}
	f.rules = append(f.rules, rule{line, pattern, keep})
	f.members = append(f.members, glob.Member{Glob: compiled, Dirs: dirs})
	f.keeps = f.keeps || keep
	return nil
}

// compile builds the set; nothing may be added after it.
func (f *file) compile() { f.set = glob.NewSet(f.members) }
