package ignore

import (
	"bytes"
	"fmt"
	"strings"

	"ldx/internal/glob"
)

// A file is a rule file, compiled. It is immutable, and may hold below several
// directories.
type file struct {
	path    string // as it is told
	rules   []rule
	members []glob.Member // the globs of rules
	set     *glob.Set     // of members
	keeps   bool          // some rule does
}

type rule struct {
	line    int    // the first is 1; 0 is not of a file
	pattern string // as it stands there
	keep    bool   // it begins with "!"
}

// A LineError reports a line in a rule file that matches nothing. The rest of
// the file holds.
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
// add_patterns_from_buffer in dir.c). A line that cannot be compiled goes to
// report, as a *LineError.
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

// parseLine returns the pattern in a line, or "".
func parseLine(line []byte) string {
	if len(line) > 0 && line[0] == '#' {
		return ""
	}
	line = bytes.TrimSuffix(line, []byte("\r"))
	line, _, _ = bytes.Cut(line, []byte("\x00")) // where git's string ends
	trimmed := bytes.TrimRight(line, " ")
	if escapes := len(trimmed) - len(bytes.TrimRight(trimmed, `\`)); escapes%2 == 1 && len(trimmed) < len(line) {
		trimmed = line[:len(trimmed)+1] // the space behind a backslash stays
	}
	return string(trimmed)
}

// add adds a pattern, with or without "!". One that is empty, or a slash, matches
// nothing.
func (f *file) add(line int, pattern string, opt glob.Options) error {
	text, keep := strings.CutPrefix(pattern, "!")
	text, dirs := strings.CutSuffix(text, "/")
	// A slash that is not at the end has it match the path from the file's
	// directory on.
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

// compile ends the adding.
func (f *file) compile() { f.set = glob.NewSet(f.members) }
