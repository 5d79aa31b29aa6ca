package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"ldx/internal/ignore"
)

// why tells, for each path that was asked about and each directory above it, which
// rule leaves it out or in, and returns the exit status.
func (s *search) why(w io.Writer) (status int, err error) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, path := range s.flags.reason {
		root, steps, err := s.steps(path)
		if err != nil {
			tell(err)
			status = statusError
			continue
		}
		if len(steps) == 0 {
			fmt.Fprintf(table, "%s\tsearched\twhat is given is never left out\n", escape(path))
		}
		out := "" // the directory that is left out
		for _, step := range steps {
			verdict, rule := s.verdict(&step)
			if out != "" {
				verdict, rule = "not reached", "in "+out
			} else if verdict != "shown" {
				out = escape(root + step.Path)
			}
			fmt.Fprintln(table, strings.TrimRight(fmt.Sprintf("%s\t%s\t%s", escape(root+step.Path), verdict, escape(rule)), "\t"))
		}
	}
	return status, table.Flush()
}

// steps returns the way to a path from the root that it is below, and how that
// root's paths begin.
func (s *search) steps(path string) (root string, steps []ignore.Step, err error) {
	for _, r := range s.roots {
		steps, ok, err := s.ignorer.Why(r.Path, path, s.flags.follow)
		if err != nil || ok {
			return strings.TrimPrefix(filepath.ToSlash(filepath.Clean(r.Path))+"/", "./"), steps, err
		}
	}
	return "", nil, fmt.Errorf("--why %q: it is below none of the paths to search; give one above it: ldx --why %[1]s . DIRECTORY", path)
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
