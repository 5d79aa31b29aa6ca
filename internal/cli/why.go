package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"ldx/internal/ignore"
)

// why tells, for each path that was asked about and each directory above it, which
// rule leaves it out or in, and returns the exit status.
func (s *search) why(w io.Writer) (status int, err error) {
	type row struct{ path, verdict, rule string }
	var rows []row
	width := 0
	add := func(path, verdict, rule string) {
		rows = append(rows, row{escape(path), verdict, escape(rule)})
		width = max(width, utf8.RuneCountInString(escape(path)))
	}
	for _, path := range s.flags.reason {
		root, steps, err := s.steps(path)
		if len(steps) == 0 && err == nil {
			add(path, "searched", "a path that is given is never left out")
		}
		out := "" // the directory that is left out
		for _, step := range steps {
			verdict, rule := s.verdict(&step)
			if out != "" {
				verdict, rule = "not reached", "in "+out
			} else if verdict != "shown" {
				out = root + step.Path
			}
			add(root+step.Path, verdict, rule)
			if out == "" && step.Link {
				out = root + step.Path + ", a link; -L follows it"
			}
		}
		if err != nil {
			tell(err)
			status = statusError
		}
	}
	for _, r := range rows {
		line := fmt.Sprintf("%-*s  %-11s  %s", width, r.path, r.verdict, r.rule)
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return status, err
		}
	}
	return status, nil
}

// steps returns the way to a path from the root that it is below, and how that
// root's paths begin.
func (s *search) steps(path string) (root string, steps []ignore.Step, err error) {
	if path == "" {
		return "", nil, errors.New(`--why "": the path is empty`)
	}
	for _, r := range s.roots {
		steps, ok, err := s.ignorer.Why(r.Path, path, s.flags.follow)
		if err != nil || ok {
			root = strings.TrimSuffix(filepath.ToSlash(filepath.Clean(r.Path)), "/") + "/"
			return strings.TrimPrefix(root, "./"), steps, err
		}
	}
	return "", nil, fmt.Errorf("--why %q: it is below none of the paths to search; name one that it is below: ldx --why %[1]s . DIRECTORY", path)
}

// verdict tells what becomes of an entry, and the rule that says so.
func (s *search) verdict(step *ignore.Step) (verdict, rule string) {
	switch hidden := step.Name[0] == '.' && !s.flags.hidden; {
	case step.Decision == ignore.Ignore:
		return "ignored", step.Rule()
	case hidden && step.Name == ".git" && step.Decision == ignore.Keep:
		return "hidden", "no rule reveals .git; -H does"
	case hidden && step.Decision == ignore.None:
		return "hidden", "its name begins with a dot; -H shows it"
	}
	return "shown", step.Rule()
}
