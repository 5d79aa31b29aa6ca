package dupes

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ldx/internal/match"
)

// A Keep is a rule that says which copies of a group are rather kept.
type Keep struct {
	compare func(a, b *Copy) int // negative if a is rather kept; nil: the first is
	glob    *Glob                // if set, decides alone
}

// KeepWords returns the words that ParseKeep knows, besides globs.
func KeepWords() []string { return []string{"first", "newest", "oldest", "shortest"} }

// ParseKeep returns the rule that a word or a glob stands for.
func ParseKeep(text string) (k Keep, err error) {
	switch text {
	case "first":
	case "newest":
		k.compare = func(a, b *Copy) int { return cmp.Compare(b.Modified, a.Modified) }
	case "oldest":
		k.compare = func(a, b *Copy) int { return cmp.Compare(a.Modified, b.Modified) }
	case "shortest":
		k.compare = func(a, b *Copy) int { return cmp.Compare(a.shortest(), b.shortest()) }
	default:
		if !strings.ContainsAny(text, "/*?[{") {
			return k, fmt.Errorf("give %s, or a glob with a / or a *", strings.Join(KeepWords(), ", "))
		}
		k.glob, err = ParseGlob(text)
	}
	return k, err
}

func (c *Copy) shortest() int {
	return len(slices.MinFunc(c.Names, func(a, b Name) int { return len(a.Path) - len(b.Path) }).Path)
}

// errNoRule means that no rule says which copy is kept.
var errNoRule = errors.New("no --keep says which copy to keep")

// pick returns the number of the copy that is kept by the rules in order; of those that none
// distinguishes, the first. The error is errNoRule if there are globs alone, and none of them
// matches.
func pick(rules []Keep, copies []Copy) (int, error) {
	left := make([]int, len(copies))
	for i := range left {
		left[i] = i
	}
	decided := false
	for _, k := range rules {
		if k.glob != nil {
			matched := slices.DeleteFunc(slices.Clone(left), func(i int) bool { return !k.glob.matchAny(&copies[i]) })
			if len(matched) > 0 {
				left, decided = matched, true
			}
			continue
		}
		decided = true
		if k.compare == nil {
			return left[0], nil
		}
		best := slices.MinFunc(left, func(i, j int) int { return k.compare(&copies[i], &copies[j]) })
		left = slices.DeleteFunc(left, func(i int) bool { return k.compare(&copies[i], &copies[best]) > 0 })
	}
	if !decided {
		return 0, errNoRule
	}
	return left[0], nil
}

// A Glob matches paths, and everything below a directory that it matches. One without a slash
// matches names, at any level.
type Glob struct {
	names, absolute bool
	matcher         *match.Matcher
}

// ParseGlob returns the Glob of a text. The error is a *match.Error.
func ParseGlob(text string) (*Glob, error) {
	text = strings.TrimPrefix(text, "./")
	if trimmed := strings.TrimRight(text, "/"); trimmed != "" {
		text = trimmed
	}
	m, err := match.New([]string{text}, match.Options{Syntax: match.Glob, Path: true})
	if err != nil {
		return nil, err
	}
	return &Glob{names: !strings.Contains(text, "/"), absolute: filepath.IsAbs(text), matcher: m}, nil
}

// matchAny reports whether the glob matches a name of a copy.
func (g *Glob) matchAny(c *Copy) bool {
	return slices.ContainsFunc(c.Names, func(n Name) bool { return g.match(&n) })
}

func (g *Glob) match(n *Name) bool {
	path := n.Absolute
	if !g.absolute && !g.names {
		path = strings.TrimPrefix(n.Path, "./")
	}
	for path != "" && path != "/" {
		text := path
		if g.names {
			text = path[strings.LastIndexByte(path, '/')+1:]
		}
		if ok, _ := g.matcher.Match([]byte(text)); ok { // a glob has no time limit, and so no error
			return true
		}
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return false
}
