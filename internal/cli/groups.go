package cli

import (
	"fmt"
	"slices"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/match"
)

// groups are the groups of a search's patterns, for placeholders. They are compiled if one is looked
// up, and found only then.
type groups struct {
	patterns *patterns
	compiled *match.Groups
}

// LookUp is that of printer.Groups.
func (g *groups) LookUp(name string) (int, error) {
	number := '1' <= name[0] && name[0] <= '9'
	if !number && !g.mayName(name) {
		return -1, nil
	}
	if err := g.compile(); err != nil {
		return -1, err
	}
	switch i, ok := g.compiled.LookUp(name); {
	case ok:
		return i, nil
	case number:
		return -1, fmt.Errorf("%s; for the text give {{%s}}", g.lacking(), name)
	}
	return -1, nil
}

// lacking says why there is no group of a number.
func (g *groups) lacking() string {
	n := g.compiled.Len()
	switch {
	case g.patterns.flags.syntax != match.Regexp:
		return "only a regular expression has groups"
	case len(g.patterns.any) == 0:
		return "there is no pattern that has groups"
	case n == 0:
		return "the pattern has no groups: put what you want of the name into parentheses"
	}
	return "the pattern has only " + counted(int64(n), "group", "groups")
}

// mayName reports whether a group may have a name.
func (g *groups) mayName(name string) bool {
	return slices.ContainsFunc(g.all(), func(pattern string) bool { return strings.Contains(pattern, "<"+name+">") })
}

func (g *groups) all() []string { return slices.Concat(g.patterns.any, g.patterns.flags.ands) }

func (g *groups) compile() (err error) {
	switch {
	case g.compiled != nil:
	case g.patterns.flags.syntax == match.Regexp:
		g.compiled, err = match.NewGroups(g.patterns.any, g.patterns.flags.ands, g.patterns.options())
	default:
		g.compiled = &match.Groups{}
	}
	return err
}

// Names returns the names of groups.
func (g *groups) Names() []string {
	if !slices.ContainsFunc(g.all(), func(pattern string) bool { return strings.Contains(pattern, "<") }) || g.compile() != nil {
		return nil
	}
	return g.compiled.Names()
}

// Find returns what the groups that were looked up match of an entry.
func (g *groups) Find(e *dir.Entry) ([][]byte, error) {
	if g.patterns.flags.fullPath {
		return g.compiled.Find(e.AppendAbsolute(nil))
	}
	return g.compiled.Find(e.Name)
}
