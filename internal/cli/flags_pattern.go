package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"ldx/internal/command"
	"ldx/internal/filter"
	"ldx/internal/match"
)

// patternFlags say how patterns are written, and give more of them.
type patternFlags struct {
	syntax          match.Syntax
	letterCase      letterCase
	fullPath        bool
	ands, ors, nots command.Texts
	files           command.Files // --patterns-from
}

// letterCase says whether upper and lower case letters are the same.
type letterCase uint8

const (
	smartCase     letterCase = iota // unless a pattern has an uppercase letter
	caseSensitive                   // no
	ignoreCase                      // yes
)

func (f *patternFlags) addTo(set *command.Flags) {
	set.Section(sectionPattern)
	command.Choice(set, &f.syntax, match.Glob, "glob", "g", "patterns are globs, for the whole name: * ? [a-z] [!a-z] {a,b}, with -p also **")
	command.Choice(set, &f.syntax, match.Regexp, "regex", "", "patterns are regular expressions, found anywhere in the name (default)")
	command.Choice(set, &f.syntax, match.Fixed, "fixed-strings", "F", "patterns are literal strings, found anywhere in the name")
	set.Alias("fixed-strings", "literal")
	command.Choice(set, &f.syntax, match.Exact, "exact", "", "patterns are literal strings, for the whole name")
	command.Choice(set, &f.letterCase, caseSensitive, "case-sensitive", "s", "case-sensitive search; default: smart case")
	command.Choice(set, &f.letterCase, ignoreCase, "ignore-case", "i", "ignore case; smart case does unless a pattern has an uppercase letter")
	set.Bool(&f.fullPath, "full-path", "p", "match patterns against the absolute path instead of the name")
	set.Add(&f.ands, "and", "", "also require `PATTERN` to match; repeatable")
	set.Add(&f.ors, "or", "", "accept `PATTERN` as well; repeatable")
	set.Add(&f.nots, "not", "", "leave out what `PATTERN` matches; repeatable")
	set.Add(&f.files, "patterns-from", "", "accept any line of `FILE` as a pattern, - for stdin; all arguments are paths then; repeatable")
}

func (*patternFlags) conflicts(set *command.Flags) [][2]string {
	pairs := command.Pairs("fixed-strings", "exact")
	if !set.Given("regex") {
		pairs = append(pairs, command.Pairs("glob", "fixed-strings", "exact")...)
	}
	return pairs
}

// folds reports whether a glob that is not one of the patterns is in any case.
func (f *patternFlags) folds(glob string) bool {
	return f.letterCase == ignoreCase || f.letterCase == smartCase && !match.HasUpper(glob, match.Glob)
}

// patterns are all patterns of a search, and where they are from.
type patterns struct {
	flags *patternFlags
	any   []string
	lines []line // where any are from; nil: the command line
	fold  bool

	argument string   // "": none
	paths    []string // the other arguments
}

// A line is one of a file, numbered from 1; 0 is none.
type line struct {
	file   string
	number int
}

// read returns the patterns, with the one among the arguments, and the other arguments, which
// are paths.
func (f *patternFlags) read(args []string) (p patterns, paths []string, err error) {
	p = patterns{flags: f, any: f.ors}
	switch {
	case len(f.files) > 0:
		paths = args
		p.lines = make([]line, len(p.any))
		for _, file := range f.files {
			if err := p.readFile(file); err != nil {
				return p, nil, err
			}
		}
	case self.habits && !f.fullPath && len(args) == 1 && isPath(args[0]):
		paths = args
	case len(args) > 0:
		p.argument, paths = args[0], args[1:]
		if args[0] != "" || f.syntax != match.Glob { // fd's glob of nothing is any
			p.any = append([]string{args[0]}, p.any...)
		}
	}
	p.paths = paths
	p.fold = f.letterCase == ignoreCase || f.letterCase == smartCase && !p.hasUpper()
	return p, paths, nil
}

// readFile adds the lines of a file. An empty line would match every name, which nobody means,
// and is skipped.
func (p *patterns) readFile(file string) error {
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
	return slices.ContainsFunc(slices.Concat(p.any, p.flags.ands, p.flags.nots), func(pattern string) bool {
		return match.HasUpper(pattern, p.flags.syntax)
	})
}

// apply adds the compiled patterns to opt. hidden says that hidden names are searched.
func (p *patterns) apply(opt *filter.Options, hidden bool) error {
	if !p.flags.fullPath {
		if err := p.wantPaths(); err != nil {
			return err
		}
	}
	var err error
	if len(p.any)+len(p.flags.files) > 0 {
		if opt.Pattern, err = p.compile(p.any, p.lines); err != nil {
			return err
		}
	}
	if opt.Pattern != nil && opt.Pattern.Dotted() && !hidden && !p.flags.fullPath {
		return fmt.Errorf("the pattern %s matches nothing but names that begin with a dot, and these are left out unless -H is given",
			quotedPattern(p.any[0]))
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

// options returns what the patterns mean.
func (p *patterns) options() match.Options {
	return match.Options{Syntax: p.flags.syntax, Fold: p.fold, Path: p.flags.fullPath}
}

// highlighter returns what finds the patterns in names, or nil if there are none.
func (p *patterns) highlighter() *match.Highlighter {
	all := slices.Concat(p.any, p.flags.ands)
	if len(all) == 0 || !self.marks {
		return nil
	}
	return match.NewHighlighter(all, p.options())
}

// compile returns the Matcher of what any of the list matches.
func (p *patterns) compile(list []string, lines []line) (*match.Matcher, error) {
	m, err := match.New(list, p.options())
	if wrong, ok := errors.AsType[*match.Error](err); ok && wrong.Pattern != "" {
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
	for _, pattern := range slices.Concat(p.flags.ands, p.flags.nots) {
		if err := p.wantsPath(pattern, false); err != nil {
			return err
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
		return &advice{
			text:    fmt.Sprintf("the pattern %s is a directory; to search in it:", quotedPattern(pattern)),
			command: commandLine(append([]string{".", pattern}, p.paths...)...),
		}
	case !slash:
		return nil
	}
	return p.slashAdvice(pattern)
}
