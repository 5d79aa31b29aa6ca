package gnufind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ldx/internal/command"
	"ldx/internal/match"
)

// A line collects the parts of a command line of ldx.
type line struct {
	parsed *parser

	patterns [][]pattern // each entry must match one of each
	nots     []pattern
	caseOf   letterCase
	types    []string // values of -t: an entry has one of the types, and passes all restrictions such as x
	flags    []string // the other flags and their values
	actions  []string // flags for what is done with results
	exec     []string // -x or -X and its command
	notes    []string

	depth  bool   // -maxdepth or -mindepth is set
	paths  bool   // patterns are for paths
	sizes  bool   // there is a test of sizes, which in ldx are those of files
	pruned bool   // results are not entered
	action string // the last action
	root   bool   // find may find a given path itself, which ldx never does
}

// letterCase is whether the tests on names tell upper from lower case.
type letterCase uint8

const (
	anyCase letterCase = iota // no test has a letter
	exactCase
	foldedCase
)

// add adds what an expression asks for.
func (l *line) add(n node) error {
	if n.op == anyOf {
		rest, err := l.addPruned(n.sub)
		if err != nil {
			return err
		}
		if n = rest; n.op == anyOf {
			return l.addAny(n)
		}
	}
	if n.op != allOf {
		return l.addFactor(n)
	}
	l.root = true
	for i, sub := range n.sub {
		if sub.op == isTest && sub.word == "-prune" {
			l.pruned = true
			l.flags = append(l.flags, "--prune")
			continue
		}
		if (l.pruned || l.action != "") && !isAction(sub) {
			return fmt.Errorf("find's %s after %s has no counterpart in ldx", describe(sub), describe(n.sub[i-1]))
		}
		if err := l.addFactor(sub); err != nil {
			return err
		}
	}
	return nil
}

// describe names a part of an expression.
func describe(n node) string {
	switch {
	case n.op == notOf:
		return "! " + describe(n.sub[0])
	case n.op == isTest:
		return n.word
	case len(n.sub) > 0:
		return describe(n.sub[0])
	}
	return "()"
}

// addAny adds the tests that -o joins: an entry passes at least one.
func (l *line) addAny(n node) error {
	var patterns []pattern
	var types []string
	for _, sub := range n.sub {
		if sub.op == allOf && len(sub.sub) == 1 {
			sub = sub.sub[0]
		}
		if p, ok := patternOf(sub); ok {
			patterns = append(patterns, p)
		} else if sub.op == isTest && sub.word == "-type" {
			types = append(types, sub.args[0])
		} else {
			return fmt.Errorf("find's -o with %s has no counterpart in ldx, where --or is for names", describe(sub))
		}
	}
	switch {
	case len(types) == 0:
		l.patterns = append(l.patterns, patterns)
		return l.notePatterns(n)
	case len(patterns) == 0:
		return l.addTypes(strings.Join(types, ","))
	}
	return errors.New("find's -o of names and types has no counterpart in ldx")
}

// addFactor adds one of the tests or actions that all must hold.
func (l *line) addFactor(n node) error {
	if n.op == allOf && len(n.sub) == 1 {
		n = n.sub[0]
	}
	switch n.op {
	case anyOf:
		return l.addAny(n)
	case notOf:
		return l.addNot(n.sub[0])
	case allOf:
		for _, sub := range n.sub {
			if hasAction(sub) {
				return fmt.Errorf("find's %s between ( and ) has no counterpart in ldx", describe(sub))
			}
			if err := l.addFactor(sub); err != nil {
				return err
			}
		}
		return nil
	}
	if p, ok := patternOf(n); ok {
		l.patterns = append(l.patterns, []pattern{p})
		return l.notePatterns(n)
	}
	if isAction(n) {
		return l.addAction(n)
	}
	return l.addTest(n)
}

// addNot adds a test that must not hold.
func (l *line) addNot(n node) error {
	if n.op == allOf && len(n.sub) == 1 {
		n = n.sub[0]
	}
	if p, ok := patternOf(n); ok {
		if glob, ok := l.below(p.text); ok && p.word == "-path" && !folds(n.word) {
			l.flags = append(l.flags, "-E", glob)
			return nil
		}
		l.nots = append(l.nots, p)
		return l.notePatterns(n)
	}
	switch {
	case n.op == notOf:
		return l.addFactor(n.sub[0])
	case n.op == anyOf:
		for _, sub := range n.sub {
			if err := l.addNot(sub); err != nil {
				return err
			}
		}
		return nil
	case n.op == isTest && !isAction(n):
		return l.addNegated(n)
	}
	return fmt.Errorf("find's ! before %s has no counterpart in ldx", describe(n))
}

// patternOf returns the pattern of a test on names or paths.
func patternOf(n node) (pattern, bool) {
	if n.op != isTest {
		return pattern{}, false
	}
	word := strings.Replace(strings.Replace(n.word, "-i", "-", 1), "wholename", "path", 1)
	switch word {
	case "-name", "-path", "-regex":
		return pattern{word: word, text: n.args[0]}, true
	}
	return pattern{}, false
}

// notePatterns notes whether the patterns in n are for paths, and whether they tell upper from
// lower case. In ldx both are one thing for all patterns.
func (l *line) notePatterns(n node) error {
	for _, sub := range n.sub {
		if err := l.notePatterns(sub); err != nil {
			return err
		}
	}
	if p, ok := patternOf(n); ok && p.word != "-name" {
		l.paths = true
	}
	if n.op == isTest && n.args[0] == "" {
		return fmt.Errorf("find's %s '' has no counterpart in ldx", n.word)
	}
	if n.op != isTest || strings.ToLower(n.args[0]) == strings.ToUpper(n.args[0]) {
		return nil
	}
	want := exactCase
	if folds(n.word) {
		want = foldedCase
	}
	if l.caseOf != anyCase && l.caseOf != want {
		return fmt.Errorf("find's %s has no counterpart in ldx beside a test that is not: -i and -s are for all patterns", n.word)
	}
	l.caseOf = want
	return nil
}

// command returns the ldx line.
func (l *line) command() (string, error) {
	p := l.parsed
	if len(l.patterns)+len(l.nots) > 0 && p.pattern != "" {
		return "", fmt.Errorf("%s is a pattern already; give that or find's %s", command.ShellWord(p.pattern), firstName(p.words))
	}
	out := slices.Concat([]string{p.Name}, p.own)
	if !p.mixed() {
		out = append(out, "-u")
		l.notes = append(l.notes, "-u: hidden and ignored files too, as in find")
	}
	patterns, err := l.patternFlags()
	if err != nil {
		return "", err
	}
	for _, t := range l.types {
		out = append(out, "-t", t)
	}
	out = slices.Concat(out, l.flags, l.actions, patterns)
	paths := l.roots()
	if p.pattern != "" {
		if strings.HasPrefix(p.pattern, "-") {
			out = append(out, "--")
		}
		out = append(out, p.pattern)
	} else if len(paths) > 0 && len(patterns) == 0 {
		out = append(out, ".")
	}
	out = slices.Concat(out, paths, l.exec, p.exec)
	l.addNotes()
	return shown(out), nil
}

// roots returns the paths that the line must name.
func (l *line) roots() []string {
	if paths := l.parsed.paths; !slices.Equal(paths, []string{"."}) && !slices.Equal(paths, []string{"./"}) {
		return paths
	}
	return nil
}

// firstName returns the first word that is a test on names.
func firstName(words []string) string {
	for _, word := range words {
		if strings.HasSuffix(word, "name") || strings.HasSuffix(word, "path") || strings.HasSuffix(word, "regex") {
			return word
		}
	}
	return words[0]
}

// patternFlags returns the flags for the patterns, and at the end the first of them.
func (l *line) patternFlags() (flags []string, err error) {
	if len(l.patterns)+len(l.nots) == 0 {
		return nil, nil
	}
	syntax, before := match.Glob, ""
	if l.paths {
		syntax = match.Regexp
		if before, err = l.before(); err != nil {
			return nil, err
		}
	}
	var first string
	var others []string // as flags
	var texts []string
	add := func(flag string, p pattern) {
		text := p.glob()
		if l.paths {
			var wrong error
			text, wrong = p.expression(before)
			err = errors.Join(err, wrong)
		}
		texts = append(texts, text)
		if flag == "" {
			first = text
		} else {
			others = append(others, flag, text)
		}
	}
	slices.SortStableFunc(l.patterns, func(a, b []pattern) int { return len(b) - len(a) })
	for i, group := range l.patterns {
		switch {
		case i == 0:
			for j, p := range group {
				add([]string{"", "--or"}[min(j, 1)], p)
			}
		case len(group) > 1:
			return nil, errors.New("find's -o twice has no counterpart in ldx")
		default:
			add("--and", group[0])
		}
	}
	for _, p := range l.nots {
		add("--not", p)
	}
	if err != nil {
		return nil, err
	}
	return l.inOrder(l.modes(texts, syntax), first, others), nil
}

// inOrder returns the flags with the first pattern where a user would put it.
func (l *line) inOrder(flags []string, first string, others []string) []string {
	switch {
	case len(l.patterns) > 0 && strings.HasPrefix(first, "-"):
		return slices.Concat(flags, others, []string{"--", first})
	case len(l.patterns) > 0:
		return slices.Concat(flags, []string{first}, others)
	case len(l.roots()) == 0:
		return append(flags, others...)
	case l.paths:
		return slices.Concat(flags, []string{"."}, others)
	}
	return slices.Concat(flags, []string{"*"}, others)
}

// modes returns the flags for the case and the syntax of patterns.
func (l *line) modes(texts []string, syntax match.Syntax) (flags []string) {
	hasUpper := slices.ContainsFunc(texts, func(text string) bool { return match.HasUpper(text, syntax) })
	switch {
	case l.caseOf == exactCase && !hasUpper:
		flags = append(flags, "-s")
		l.notes = append(l.notes, "-s: case-sensitive")
	case l.caseOf == foldedCase && hasUpper:
		flags = append(flags, "-i")
	}
	if l.paths {
		l.notes = append(l.notes, "-p: the absolute path")
		return append(flags, "-p")
	}
	return append(flags, "-g")
}

// before returns what absolute paths have before those that find sees. In the current
// directory, whose paths begin with "./", that is without a slash at the end.
func (l *line) before() (string, error) {
	paths := l.parsed.paths
	here := strings.TrimSuffix(l.parsed.Absolute("."), "/")
	for i, path := range paths {
		relative := strings.TrimRight(strings.TrimPrefix(path, "./"), "/")
		absolute := l.parsed.Absolute(path)
		before, clean := strings.CutSuffix(absolute, relative)
		switch {
		case path == "." || path == "./":
			continue
		case !clean:
			return "", fmt.Errorf("find's %s with the path %s has no counterpart in ldx", firstName(l.parsed.words), command.ShellWord(path))
		}
		if i > 0 && before != here {
			return "", fmt.Errorf("find's %s with several paths has no counterpart in ldx", firstName(l.parsed.words))
		}
		here = before
	}
	return here, nil
}

// addNotes says what differs.
func (l *line) addNotes() {
	if l.sizes && !slices.Contains(l.types, "f") {
		l.notes = append(l.notes, "sizes are those of regular files")
	}
	if l.root && len(l.patterns) == 0 && !l.depth && !slices.Contains(l.types, "f") && !l.parsed.mixed() {
		l.notes = append(l.notes, "without the given path itself")
	}
}
