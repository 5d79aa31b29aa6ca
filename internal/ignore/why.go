package ignore

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/glob"
)

// A Step is the verdict of the rules on one entry on the way down from a root.
type Step struct {
	Path     string // below the root, with slashes; a directory's ends in a slash
	Name     string
	Link     bool // a symbolic link that is not followed
	Hidden   bool // as dir.Entry.Hidden
	Decision Decision
	// The deciding rule, if any: its file or flag, its line if it is in a file,
	// and its pattern.
	Source  string
	Line    int
	Pattern string
}

// Why returns a Step for each entry from below a root down to path. ok is false
// if path is not below the root. The error is an *fs.PathError.
func (ig *Ignorer) Why(root, path string, follow bool) (steps []Step, ok bool, err error) {
	below, ok := ig.below(root, path)
	if !ok {
		return nil, false, nil
	}
	r := ig.Root(root)
	at := r.root
	for name := range strings.FieldsFuncSeq(below, func(r rune) bool { return r == '/' }) {
		look(at, specialNames, func(d *dir.Dir, names Names) { r = r.enter(d.ReadFile, names&ig.wanted, at) })
		fi, err := os.Lstat(at + name)
		if err != nil {
			return steps, true, err
		}
		hidden := dir.Hidden(fi)
		if follow && fi.Mode().Type() == fs.ModeSymlink {
			if target, err := os.Stat(at + name); err == nil {
				fi = target
			}
		}
		step := r.why(at+name, name, fi.IsDir())
		step.Hidden = hidden
		step.Link = fi.Mode().Type() == fs.ModeSymlink
		steps = append(steps, step)
		at += name + "/"
	}
	return steps, true, nil
}

// below returns path relative to a root, with slashes. If path begins with the
// root as typed, links in both stay; otherwise they are resolved.
func (ig *Ignorer) below(root, path string) (below string, ok bool) {
	slashed := filepath.ToSlash(path)
	dots := strings.Contains("/"+slashed+"/", "/../") || strings.Contains("/"+filepath.ToSlash(root)+"/", "/../")
	if rel, err := filepath.Rel(root, path); err == nil && !dots {
		if rel = filepath.ToSlash(rel); rel == "." {
			return "", true
		} else if rel != ".." && !strings.HasPrefix(rel, "../") {
			return rel, true
		}
	}
	above, name := filepath.Split(strings.TrimRight(slashed, "/"))
	if name == "." || name == ".." {
		above, name = path, ""
	}
	top, full := ig.absolutePath(root), ig.absolutePath(above)+name
	if withSlash(full) == top {
		return "", true
	}
	return strings.CutPrefix(full, top)
}

// why returns the Step of one entry in the directory that has the rules.
func (r *Rules) why(path, name string, isDir bool) Step {
	subject := glob.Subject{AppendPath: func(b []byte) []byte { return append(b, path...) }}
	subject.Reset([]byte(name), isDir)
	step := Step{Path: path[len(r.root):], Name: name}
	if isDir {
		step.Path += "/"
	}
	n, l := r.decide(&subject)
	if l != nil {
		rule := l.rules[n]
		step.Source, step.Line, step.Pattern, step.Decision = l.path, rule.line, rule.pattern, Ignore
		if rule.keep {
			step.Decision = Keep
		}
	}
	if isDir && step.Decision != Ignore {
		for _, name := range r.ignorer.opt.Contain {
			look(path, []string{name}, func(_ *dir.Dir, has Names) {
				if has != 0 {
					step.Source, step.Line, step.Pattern, step.Decision = "--ignore-contain", 0, name, Ignore
				}
			})
		}
	}
	return step
}

// Rule returns the deciding rule as it is shown to users, or "".
func (s *Step) Rule() string {
	switch {
	case s.Source == "":
		return ""
	case s.Line == 0:
		return s.Source + " " + s.Pattern
	}
	return fmt.Sprintf("%s:%d: %s", s.Source, s.Line, s.Pattern)
}
