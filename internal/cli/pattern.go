package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"ldx/internal/filter"
	"ldx/internal/match"
	"ldx/internal/term"
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
		paths = args[1:]
		if args[0] != "" || f.syntax != match.Glob { // fd's glob of nothing is any
			p.any = append([]string{args[0]}, p.any...)
		}
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
	for pattern := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
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
		if err := p.wantPaths(); err != nil {
			return err
		}
	}
	var err error
	if len(p.any)+len(p.flags.patternsFrom) > 0 {
		if opt.Pattern, err = p.compile(p.any, p.lines); err != nil {
			return err
		}
	}
	if opt.Pattern != nil && opt.Pattern.Dotted() && !p.flags.hidden && !p.flags.fullPath {
		return fmt.Errorf("the pattern %s matches nothing but names that begin with a dot, and these are left out unless -H is given", quotedPattern(p.any[0]))
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

// wantPaths returns an error if a pattern is a path, for it would match no name.
func (p *patterns) wantPaths() error {
	for i, pattern := range p.any {
		if p.lines == nil || p.lines[i].number == 0 {
			if err := p.wantsPath(pattern, i == 0 && p.flags.syntax == match.Regexp); err != nil {
				return err
			}
		} else if p.slashed(pattern) {
			return fmt.Errorf("%s:%d: the pattern %s has a slash, and no name has one: -p matches whole paths",
				p.lines[i].file, p.lines[i].number, quotedPattern(pattern))
		}
	}
	for _, list := range [][]string{p.flags.ands, p.flags.nots} {
		for _, pattern := range list {
			if err := p.wantsPath(pattern, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// slashed reports whether a pattern has a slash that stands for itself, and not one
// of those that a set has or lacks.
func (p *patterns) slashed(pattern string) bool {
	return strings.Contains(pattern, "/") && match.HasSlash(pattern, p.flags.syntax)
}

func (p *patterns) wantsPath(pattern string, dots bool) error {
	slash := p.slashed(pattern)
	mayBe := slash || dots && pattern == ".." || os.PathSeparator != '/' && strings.ContainsRune(pattern, os.PathSeparator)
	if !mayBe {
		return nil
	}
	switch info, err := os.Stat(pattern); {
	case err == nil && info.IsDir():
		return fmt.Errorf("the pattern %s is a directory; to search in it, give it after the pattern: %[2]s . %[1]s", quotedPattern(pattern), program)
	case !slash:
		return nil
	}
	return fmt.Errorf("the pattern %s has a slash, and no name has one: -p matches whole paths; "+
		"to search in a directory, give it after the pattern: %[2]s . %[1]s", quotedPattern(pattern), program)
}

// quoted returns a text as a shell takes it for one word.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// quotedPattern quotes a pattern for a message, and cuts it if it is long.
func quotedPattern(pattern string) string { return quoted(term.Head(pattern, 60)) }

// A patternError is a pattern that cannot be read. It is shown with a mark under
// what is wrong.
type patternError struct {
	line  line
	wrong *match.Error
}

func (e *patternError) Error() string {
	kind := "not a regular expression"
	switch {
	case e.wrong.TooLarge:
		kind = "too large"
	case e.wrong.Syntax == match.Glob:
		kind = "not a glob"
	}
	text := fmt.Sprintf("the pattern is %s: %s", kind, e.wrong.Reason)
	if e.line.number > 0 {
		text = fmt.Sprintf("%s:%d: %s", e.line.file, e.line.number, text)
	}
	if e.wrong.Glob {
		text += "; did you mean -g " + quotedPattern(e.wrong.Pattern) + "?"
	}
	return text
}

// shownColumns is how much of a pattern is shown around what is wrong.
const shownColumns = 68

// shown returns the pattern, or the part of it around what is wrong, and a line with
// the mark.
func (e *patternError) shown() (pattern, mark string) {
	text := strings.ReplaceAll(e.wrong.Pattern, "\t", " ") // which is as wide as one knows
	at, end := e.wrong.At, e.wrong.At+e.wrong.Len
	wrong := term.Head(text[at:end], shownColumns)
	left := shownColumns - columns(wrong)
	room := min(left/4, columns(term.Head(text[end:], left/4))) // for what follows
	before := term.Tail(text[:at], left-room)
	after := term.Head(text[end:], max(room, left-columns(before)))
	return term.Escape(before + wrong + after), strings.Repeat(" ", columns(before)) + "^" + strings.Repeat("~", max(0, columns(wrong)-1))
}

// columns returns how many columns a text takes on a terminal, where it is shown with escapes.
func columns(text string) int { return term.WidthString(term.Escape(text)) }
