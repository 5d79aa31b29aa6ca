package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"ldx/internal/filter"
	"ldx/internal/match"
)

// patterns are all that a search has been given, and where from.
type patterns struct {
	any   []string
	lines []line // where any are from, if not the command line
	flags *findFlags
	fold  bool
}

// A line is one of a file, numbered from 1; 0 is none.
type line struct {
	file   string
	number int
}

// readPatterns tells the patterns among the arguments from the paths.
func (f *findFlags) readPatterns(args []string) (p patterns, paths []string, err error) {
	p = patterns{flags: f, any: f.ors}
	switch {
	case len(f.patternsFrom) > 0:
		paths = args
		p.lines = make([]line, len(p.any))
		for _, file := range f.patternsFrom {
			if err := p.read(file); err != nil {
				return p, nil, err
			}
		}
	case len(args) > 0:
		p.any, paths = append([]string{args[0]}, p.any...), args[1:]
	case len(p.any) == 0:
		p.any = []string{""}
	}
	p.fold = f.letters == anyCase || f.letters == smart && !p.hasUpper()
	return p, paths, nil
}

// read adds the lines of a file. An empty one would match every name, which nobody
// means, and is passed over.
func (p *patterns) read(file string) error {
	var (
		data []byte
		err  error
	)
	if file == "-" {
		data, err = io.ReadAll(os.Stdin)
	} else {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return fmt.Errorf("--patterns-from: %w", err)
	}
	n := 0
	for pattern := range strings.Lines(string(data)) {
		n++
		pattern = strings.TrimSuffix(strings.TrimSuffix(pattern, "\n"), "\r")
		if pattern != "" {
			p.any = append(p.any, pattern)
			p.lines = append(p.lines, line{file, n})
		}
	}
	return nil
}

func (p *patterns) hasUpper() bool {
	for _, list := range [][]string{p.any, p.flags.ands, p.flags.nots} {
		for _, pattern := range list {
			if match.HasUpper(pattern, p.flags.syntax) {
				return true
			}
		}
	}
	return false
}

// addTo compiles the patterns for a filter.
func (p *patterns) addTo(opt *filter.Options) error {
	if !p.flags.fullPath {
		for _, list := range [][]string{p.any, p.flags.ands, p.flags.nots} {
			for _, pattern := range list {
				if err := wantsPath(pattern); err != nil {
					return err
				}
			}
		}
	}
	var err error
	if opt.Pattern, err = p.compile(p.any, p.lines); err != nil {
		return err
	}
	if opt.Pattern.Dotted() && !p.flags.hidden && !p.flags.fullPath {
		return fmt.Errorf("the pattern '%s' matches nothing but names that begin with a dot, and these are left out unless -H is given", p.any[0])
	}
	for _, and := range p.flags.ands {
		m, err := p.compile([]string{and}, nil)
		if err != nil {
			return err
		}
		opt.And = append(opt.And, m)
	}
	if len(p.flags.nots) > 0 {
		opt.Not, err = p.compile(p.flags.nots, nil)
	}
	return err
}

// compile returns the Matcher of what any of the list matches.
func (p *patterns) compile(list []string, lines []line) (*match.Matcher, error) {
	m, err := match.New(list, match.Options{Syntax: p.flags.syntax, Fold: p.fold, Path: p.flags.fullPath})
	if wrong := (*match.Error)(nil); errors.As(err, &wrong) && wrong.Pattern != "" {
		e := &patternError{wrong: wrong}
		if lines != nil {
			e.line = lines[wrong.Index]
		}
		return nil, e
	}
	return m, err
}

// wantsPath returns an error for a pattern that is a path, for it would match no
// name.
func wantsPath(pattern string) error {
	info, err := os.Stat(pattern)
	isPath := strings.Contains(pattern, "/") || pattern == ".." || strings.ContainsRune(pattern, os.PathSeparator) && err == nil
	switch {
	case !isPath:
		return nil
	case err == nil && info.IsDir():
		return fmt.Errorf("the pattern '%s' is a directory; to search in it, give it after the pattern: ldx . %[1]s", pattern)
	}
	return fmt.Errorf("the pattern '%s' has a slash, and no name has one: -p matches whole paths; "+
		"to search in a directory, give it after the pattern: ldx . %[1]s", pattern)
}

// A patternError is a pattern that cannot be read. It is shown with a mark under
// what is wrong.
type patternError struct {
	line  line
	wrong *match.Error
}

func (e *patternError) Error() string {
	kind := "a regular expression"
	if e.wrong.Syntax == match.Glob {
		kind = "a glob"
	}
	text := fmt.Sprintf("the pattern is not %s: %s", kind, e.wrong.Reason)
	if e.line.number > 0 {
		text = fmt.Sprintf("%s:%d: %s", e.line.file, e.line.number, text)
	}
	if e.wrong.Glob {
		text += fmt.Sprintf("; did you mean the glob: ldx -g '%s'?", e.wrong.Pattern)
	}
	return text
}

// shown returns the pattern, and a line with the mark.
func (e *patternError) shown() (pattern, mark string) {
	at, end := e.wrong.At, e.wrong.At+e.wrong.Len
	before, wrong := escape(e.wrong.Pattern[:at]), escape(e.wrong.Pattern[at:end])
	blank := strings.Repeat(" ", len([]rune(before)))
	return before + wrong + escape(e.wrong.Pattern[end:]), blank + "^" + strings.Repeat("~", max(0, len([]rune(wrong))-1))
}
