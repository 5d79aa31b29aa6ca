package gnufind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ldx/internal/command"
)

// addPruned adds -E for each X of X -prune -o Y, and returns the rest.
func (l *line) addPruned(alternatives []node) (rest node, err error) {
	for len(alternatives) > 1 && endsInPrune(alternatives[0]) {
		tests := alternatives[0].sub
		if err := l.exclude(tests[:len(tests)-1]); err != nil {
			return rest, err
		}
		alternatives = alternatives[1:]
		if len(alternatives) == 1 && !hasAction(alternatives[0]) {
			l.notes = append(l.notes, "without -print at the end, find prints what it prunes too")
		}
	}
	if len(alternatives) == 1 {
		return alternatives[0], nil
	}
	return node{op: anyOf, sub: alternatives}, nil
}

func endsInPrune(n node) bool {
	return n.op == allOf && len(n.sub) > 1 && n.sub[len(n.sub)-1].word == "-prune"
}

func hasAction(n node) bool { return isAction(n) || slices.ContainsFunc(n.sub, hasAction) }

// exclude adds -E for the entries that tests hold for.
func (l *line) exclude(tests []node) error {
	slash := ""
	if i := slices.IndexFunc(tests, func(n node) bool { return n.word == "-type" && n.args[0] == "d" }); i >= 0 {
		slash, tests = "/", slices.Concat(tests[:i], tests[i+1:])
	}
	if len(tests) != 1 {
		return errors.New("find's -prune has a counterpart in ldx only after one -name or -path")
	}
	names := tests
	switch tests[0].op {
	case anyOf:
		names = tests[0].sub
	case allOf:
		return l.exclude(slices.Concat(tests[0].sub, dirTest(slash)))
	}
	for _, n := range names {
		if n.op == allOf && len(n.sub) == 1 {
			n = n.sub[0]
		}
		switch n.word {
		case "-name":
			l.flags = append(l.flags, "-E", pattern{text: n.args[0]}.glob()+slash)
		case "-path", "-wholename":
			glob, ok := l.below(n.args[0])
			if !ok {
				return fmt.Errorf("find's -path %s has no counterpart in ldx", command.ShellWord(n.args[0]))
			}
			l.flags = append(l.flags, "-E", glob+slash)
		default:
			return fmt.Errorf("find's %s before -prune has no counterpart in ldx", describe(n))
		}
	}
	return nil
}

// dirTest returns the test for directories, if slash asks for it.
func dirTest(slash string) []node {
	if slash == "" {
		return nil
	}
	return []node{{word: "-type", args: []string{"d"}}}
}

// below returns a glob of -path as one of -E, which is for paths below the roots, if each * in it
// stands for whole names.
func (l *line) below(glob string) (string, bool) {
	body, all := strings.CutSuffix(glob, "/*")
	rest, anywhere := strings.CutPrefix(body, "*/")
	root := "./"
	if paths := l.parsed.paths; len(paths) > 0 {
		root = strings.TrimRight(paths[0], "/") + "/"
	}
	switch {
	case strings.ContainsAny(rest, `*?[\{`):
		return "", false
	case anywhere:
		for _, path := range l.parsed.paths {
			if strings.Contains(path+"/", rest+"/") {
				return "", false
			}
		}
		rest = "**/" + rest
	case len(l.parsed.paths) > 1 || !strings.HasPrefix(rest, root):
		return "", false
	default:
		rest = "/" + rest[len(root):]
	}
	if all {
		rest += "/*"
	}
	return rest, true
}
