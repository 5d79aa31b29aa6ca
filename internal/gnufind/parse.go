package gnufind

import (
	"fmt"
	"strings"

	"ldx/internal/command"
)

// A node is a part of find's expression.
type node struct {
	op   operator
	sub  []node   // of allOf, anyOf and notOf
	word string   // of a test or an action
	args []string // of word
}

type operator uint8

const (
	isTest operator = iota // or an action
	allOf                  // every sub must hold
	anyOf                  // one sub must
	notOf                  // the only sub must not
)

// A parser reads a line. Flags and a pattern of ldx are set aside.
type parser struct {
	Options
	args []string // what is still to be read

	words   []string // all that is find's, for messages
	paths   []string
	own     []string // flags of ldx
	exec    []string // -x or -X of ldx, which takes what is after it
	pattern string   // of ldx; "": none
	depth   int      // of parentheses
}

// mixed reports whether the line has parts that find does not have.
func (p *parser) mixed() bool { return len(p.own)+len(p.exec) > 0 || p.pattern != "" }

// parse reads all arguments.
func (p *parser) parse() (node, error) {
	expression, err := p.alternatives()
	if err == nil && len(p.args) > 0 {
		err = fmt.Errorf("find's %s has no ( before it", command.ShellWord(p.args[0]))
	}
	return expression, err
}

// next takes the next word of find's.
func (p *parser) next() string {
	word := p.args[0]
	p.args = p.args[1:]
	p.words = append(p.words, word)
	return word
}

// aside sets aside what is not find's, and reports whether a word of find's comes next.
func (p *parser) aside() bool {
	for len(p.args) > 0 {
		word := p.args[0]
		_, known := arity(word)
		switch n := p.Own(p.args); {
		case known || word == "!" || word == "(" || word == ")" || word == ",":
			return true
		case (word == "-o" || word == "-a") && p.operatorNext():
			return true
		case word == "--":
			for _, arg := range p.args[1:] {
				p.argument(arg)
			}
			p.args = nil
		case strings.HasPrefix(word, "-") && len(word) > 1:
			n = max(n, 1)
			if strings.HasPrefix(word, "--exec") || word[1] != '-' && strings.HasSuffix(strings.ToLower(word), "x") {
				p.exec = append(p.exec, p.args[:n]...)
			} else {
				p.own = append(p.own, p.args[:n]...)
			}
			p.args = p.args[n:]
		default:
			p.argument(word)
			p.args = p.args[1:]
		}
	}
	return false
}

// argument sets aside a path, or a pattern of ldx.
func (p *parser) argument(arg string) {
	if p.Exists(arg) || p.pattern != "" {
		p.paths = append(p.paths, arg)
	} else {
		p.pattern = arg
	}
}

// operatorNext reports whether -o or -a comes next, and not one of ldx's flags.
func (p *parser) operatorNext() bool {
	if len(p.words) == 0 || len(p.args) < 2 {
		return false
	}
	after := p.args[1]
	_, known := arity(after)
	return known || after == "(" || after == "!"
}

// alternatives reads what -o separates.
func (p *parser) alternatives() (node, error) {
	n := node{op: anyOf}
	for {
		sub, err := p.conjunction()
		if err != nil {
			return n, err
		}
		n.sub = append(n.sub, sub)
		if !p.aside() || p.args[0] != "-o" && p.args[0] != "-or" {
			break
		}
		p.next()
	}
	if len(n.sub) == 1 {
		return n.sub[0], nil
	}
	return n, nil
}

// conjunction reads tests that all must hold.
func (p *parser) conjunction() (node, error) {
	n := node{op: allOf}
	for p.aside() {
		switch word := p.args[0]; word {
		case "-o", "-or", ")":
			return n, nil
		case ",":
			return n, noCounterpart(word)
		case "-a", "-and":
			p.next()
			continue
		}
		sub, err := p.unary()
		if err != nil {
			return n, err
		}
		n.sub = append(n.sub, sub)
	}
	return n, nil
}

func (p *parser) unary() (node, error) {
	word := p.next()
	switch word {
	case "!", "-not":
		if !p.aside() || p.args[0] == ")" || p.args[0] == "," {
			return node{}, fmt.Errorf("find's %s needs a test after it", word)
		}
		sub, err := p.unary()
		return node{op: notOf, sub: []node{sub}}, err
	case "(":
		if p.depth++; p.depth > 100 {
			return node{}, noCounterpart("( in 100 others")
		}
		n, err := p.alternatives()
		if err == nil && len(p.args) == 0 {
			err = fmt.Errorf("find's ( is not closed; add a )")
		}
		if err == nil {
			p.next()
		}
		p.depth--
		return n, err
	}
	return p.test(word)
}

// test reads the arguments of a word.
func (p *parser) test(word string) (node, error) {
	n := node{word: word}
	count, known := arity(word)
	switch {
	case !known:
		return n, fmt.Errorf("find's %s is not expected here", word)
	case count < 0:
		return n, p.commandOf(&n)
	case len(p.args) < count:
		return n, fmt.Errorf("find's %s needs a value", word)
	}
	for range count {
		n.args = append(n.args, p.next())
	}
	return n, nil
}

// commandOf reads a command up to ; or +, which a shell's user may have forgotten. The last of
// n.args is which.
func (p *parser) commandOf(n *node) error {
	for len(p.args) > 0 {
		arg := p.next()
		if arg == ";" || arg == "+" && len(n.args) > 0 && n.args[len(n.args)-1] == "{}" {
			n.args = append(n.args, arg)
			break
		}
		n.args = append(n.args, arg)
	}
	if end := len(n.args) - 1; end < 0 || n.args[end] != ";" && n.args[end] != "+" {
		n.args = append(n.args, ";")
	}
	if len(n.args) == 1 {
		return fmt.Errorf("find's %s needs a command", n.word)
	}
	return nil
}

// noCounterpart is the error for a word of find's that ldx has nothing for.
func noCounterpart(word string) error {
	hint := ""
	switch word {
	case "-execdir", "-okdir":
		hint = "; -x runs commands in the current directory"
	case "-ok":
		hint = "; see what is found first, then add -x"
	case "-depth":
		hint = "; -x runs in no particular order"
	case "-fprint", "-fprint0", "-fprintf", "-fls":
		hint = "; redirect the output: > FILE"
	case "-lname", "-ilname":
		hint = "; -T l finds links, --format '{target}' shows where they lead"
	}
	return fmt.Errorf("find's %s has no counterpart in ldx%s", word, hint)
}
