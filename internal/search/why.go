package search

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"ldx/internal/ignore"
	"ldx/internal/term"
	"ldx/internal/walk"
)

// A Verdict says what becomes of one path, and which rule says so, if one does.
type Verdict struct{ Path, Outcome, Rule string }

// Why returns a Verdict for each entry on the way from the root that a path is below down to
// the path. The Verdicts that come with an error are those up to what could not be looked at.
func (o *Options) Why(path string) (way []Verdict, err error) {
	root, steps, err := o.steps(path)
	if len(steps) == 0 && err == nil {
		return []Verdict{{path, "searched", "a path that is given is never left out"}}, nil
	}
	out := "" // the directory that is left out
	for i := range steps {
		step := &steps[i]
		v := o.verdict(step)
		v.Path = root + step.Path
		switch {
		case out != "":
			v.Outcome, v.Rule = "not reached", "in "+out
		case v.Outcome != "shown":
			out = v.Path
		case step.Link:
			out = v.Path + ", a link; -L follows it"
		}
		way = append(way, v)
	}
	return way, err
}

// WriteVerdicts writes them to w in columns, a line each.
func WriteVerdicts(w io.Writer, verdicts []Verdict) error {
	width := 0
	for _, v := range verdicts {
		width = max(width, term.WidthString(term.Escape(v.Path)))
	}
	for _, v := range verdicts {
		path := term.Escape(v.Path)
		path += strings.Repeat(" ", width-term.WidthString(path))
		line := fmt.Sprintf("%s  %-11s  %s", path, v.Outcome, term.Escape(v.Rule))
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// steps returns the way to a path from the root that it is below, and what that root's paths
// begin with.
func (o *Options) steps(path string) (root string, steps []ignore.Step, err error) {
	if path == "" {
		return "", nil, errors.New(`--why "": the path is empty`)
	}
	for _, r := range o.Roots {
		steps, ok, err := o.Walk.Ignore.Why(r.Path, path, o.Walk.Follow)
		if err != nil || ok {
			root = strings.TrimSuffix(filepath.ToSlash(filepath.Clean(r.Path)), "/") + "/"
			return strings.TrimPrefix(root, "./"), steps, err
		}
	}
	return "", nil, fmt.Errorf("--why %q: it is below none of the paths to search; name one that it is below: "+
		"ldx --why %[1]s . DIRECTORY", path)
}

// verdict returns what becomes of an entry whose directory is entered.
func (o *Options) verdict(step *ignore.Step) Verdict {
	switch walk.Admit([]byte(step.Name), step.Decision, step.Hidden && !o.Walk.Hidden) {
	case walk.Ignored:
		return Verdict{Outcome: "ignored", Rule: step.Rule()}
	case walk.Hidden:
		return Verdict{Outcome: "hidden", Rule: whyHidden(step)}
	}
	return Verdict{Outcome: "shown", Rule: step.Rule()}
}

func whyHidden(step *ignore.Step) string {
	switch {
	case step.Decision == ignore.Keep:
		return "no rule reveals .git; -H does"
	case step.Name[0] != '.':
		return "it has the hidden attribute; -H shows it"
	}
	return "its name begins with a dot; -H shows it"
}
