package glob

import (
	"errors"
	"fmt"
	"strings"
)

// A compiler compiles a glob to instructions.
type compiler struct {
	Options
	pattern string
	at      int  // offset in pattern
	special int  // offset of the first special character
	open    bool // a "[" is unclosed, so the rest of the pattern has no set
	prog    []inst
	sets    []byteSet
	braced  int // depth of nested braces
	joined  int // if not -1, the instruction here may continue an element
	targets int // no opSplit or opJump leads further than this
}

func (c *compiler) compile() error {
	c.special = strings.IndexAny(c.pattern, `*?[\`)
	for c.at < len(c.pattern) {
		if err := c.next(); err != nil {
			return err
		}
	}
	return nil
}

// next compiles the next part of the pattern.
func (c *compiler) next() error {
	b := c.pattern[c.at]
	switch {
	case b == '\\':
		return c.escape()
	case b == '?':
		c.at++
		if c.Path {
			c.emit(inst{op: opNotSlash})
		} else {
			c.emit(inst{op: opAny})
		}
	case b == '*':
		c.stars()
	case b == '[' && !c.open:
		return c.set()
	case b == '{' && c.Shell:
		return c.braces()
	default:
		c.at++
		c.literal(b)
	}
	return nil
}

func (c *compiler) emit(in inst) { c.prog = append(c.prog, in) }

func (c *compiler) literal(b byte) {
	if c.Fold {
		b = lower(b)
	}
	c.emit(inst{op: opByte, byte: b})
}

// escape compiles a backslash and the character after it. With case ignored,
// git folds the text but not an escaped letter, so an uppercase one never
// matches.
func (c *compiler) escape() error {
	if c.at+1 == len(c.pattern) {
		return errors.New(`it ends in a single \; write \\ for a literal \`)
	}
	b := c.pattern[c.at+1]
	c.at += 2
	if c.Shell {
		c.literal(b)
	} else {
		c.emit(inst{op: opByte, byte: b})
	}
	return nil
}

// stars compiles "*", "**" and more. In a path, two or more that are a whole
// element match slashes too; with a slash after them they also match nothing.
// (Git cuts off the part before the first special character, and stars there
// count as the beginning of an element: "a**/b" matches "ab" and "ax/b".)
func (c *compiler) stars() {
	from := c.at
	for c.at < len(c.pattern) && c.pattern[c.at] == '*' {
		c.at++
	}
	rest := c.pattern[c.at:]
	begins := from == 0 || strings.IndexByte(c.bounds(), c.pattern[from-1]) >= 0
	cut := !begins && !c.Shell && from == c.special
	ends := rest == "" || strings.IndexByte(c.bounds(), rest[0]) >= 0 || strings.HasPrefix(rest, `\/`)
	switch {
	case !c.Path:
		c.emit(inst{op: opManyAny})
	case c.at-from < 2 || !begins && !cut || !ends:
		c.emit(inst{op: opManyNotSlash})
	case rest != "" && rest[0] == '/':
		c.at++
		if begins && c.targets == len(c.prog) && c.targets > 0 && c.prog[c.targets-3].op == opSplit {
			return // a repetition changes nothing
		}
		c.emit(inst{op: opSplit, arg: 3})
		c.emit(inst{op: opManyAny})
		c.emit(inst{op: opByte, byte: '/'})
		c.targets = len(c.prog)
		if cut {
			c.joined = len(c.prog)
		}
	default:
		c.emit(inst{op: opManyAny})
	}
}

// bounds returns the characters that may be on either side of an element.
func (c *compiler) bounds() string {
	if c.braced > 0 {
		return "/{,}"
	}
	return "/"
}

// braces compiles "{a,b}" to
//
//	split 2nd;  a;  jump end;  2nd: b;  end:
func (c *compiler) braces() error {
	var (
		jumps []int
		split int
	)
	c.braced++
	for c.at < len(c.pattern) && c.pattern[c.at] != '}' {
		c.at++ // the "{", or a ","
		split = len(c.prog)
		c.emit(inst{op: opSplit})
		for c.at < len(c.pattern) && c.pattern[c.at] != ',' && c.pattern[c.at] != '}' {
			if err := c.next(); err != nil {
				return err
			}
		}
		jumps = append(jumps, len(c.prog))
		c.emit(inst{op: opJump})
		c.prog[split].arg = int32(len(c.prog) - split)
	}
	if c.at == len(c.pattern) {
		return errors.New(`a { is not closed; write \{ for a literal {`)
	}
	c.at++
	c.braced--
	c.prog[split].arg = 1 // the last alternative
	for _, i := range jumps {
		c.prog[i].arg = int32(len(c.prog) - i)
	}
	c.targets = len(c.prog)
	return nil
}

// set compiles "[...]". A "]" or "-" is a literal if it comes first, and so is
// a "-" that comes last or after a range or a class. Git folds the text to
// lowercase, but not the set: with case ignored, "[A]" never matches and
// "[A-C]" does.
func (c *compiler) set() error {
	var (
		set     byteSet
		p       = c.pattern[c.at+1:]
		i       = 0
		before  = -1 // the character that begins a range if "-" follows
		end     = -1 // offset of the next "]"
		negated = strings.HasPrefix(p, "!") || strings.HasPrefix(p, "^")
	)
	if negated {
		i++
	}
	for first := true; i < len(p) && (first || p[i] != ']'); first = false {
		if end < i {
			if end = strings.IndexByte(p[i:], ']') + i; end < i {
				end = len(p)
			}
		}
		class, size := className(p[i:end])
		switch {
		case size > 0:
			if !addClass(&set, class, c.Fold) {
				return fmt.Errorf("there is no character class [:%s:]", class)
			}
			i += size
			before = -1
		case p[i] == '-' && before >= 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			if p[i] == '\\' {
				i++
			}
			if i == len(p) {
				continue
			}
			addRange(&set, byte(before), p[i], c.Fold)
			i++
			before = -1
		default:
			if p[i] == '\\' {
				i++
			}
			if i == len(p) {
				continue
			}
			addRange(&set, p[i], p[i], c.Fold && c.Shell)
			before = int(p[i])
			i++
		}
	}
	if i >= len(p) {
		if c.Shell {
			c.at++
			c.open = true
			c.literal('[')
			return nil
		}
		return errors.New(`a [ is not closed; write \[ for a literal [`)
	}
	if negated {
		set.invert()
	}
	if c.Path {
		set.remove('/')
	}
	c.emit(inst{op: opSet, arg: int32(len(c.sets))})
	c.sets = append(c.sets, set)
	c.at += 1 + i + 1
	return nil
}

// addRange adds the bytes from lo to hi, and with fold their lowercase too.
func addRange(set *byteSet, lo, hi byte, fold bool) {
	for b := int(lo); b <= int(hi); b++ {
		set.add(byte(b))
		if fold {
			set.add(lower(byte(b)))
		}
	}
}

// className returns the name in "[:name:]" and the size of the whole. p ends
// before the "]". size is 0 if p is no class.
func className(p string) (name string, size int) {
	if len(p) < 3 || !strings.HasPrefix(p, "[:") || !strings.HasSuffix(p, ":") {
		return "", 0
	}
	return p[2 : len(p)-1], len(p) + 1
}

// classes are POSIX's, restricted to ASCII. The class space is git's.
var classes = map[string]func(b byte) bool{
	"alnum":  func(b byte) bool { return isLetter(b) || isDigit(b) },
	"alpha":  isLetter,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
	"digit":  isDigit,
	"graph":  func(b byte) bool { return b > ' ' && b < 0x7f },
	"lower":  func(b byte) bool { return 'a' <= b && b <= 'z' },
	"print":  func(b byte) bool { return b >= ' ' && b < 0x7f },
	"punct":  func(b byte) bool { return b > ' ' && b < 0x7f && !isLetter(b) && !isDigit(b) },
	"space":  func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' },
	"upper":  func(b byte) bool { return 'A' <= b && b <= 'Z' },
	"xdigit": func(b byte) bool { return isDigit(b) || 'a' <= lower(b) && lower(b) <= 'f' },
}

func isLetter(b byte) bool { return 'a' <= lower(b) && lower(b) <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }

// addClass adds the bytes of a class. It reports whether the class exists.
func addClass(set *byteSet, name string, fold bool) bool {
	has, ok := classes[name]
	if !ok {
		return false
	}
	for b := range 256 {
		if has(byte(b)) {
			set.add(byte(b))
			if fold {
				set.add(lower(byte(b)))
			}
		}
	}
	return true
}

// glob makes a Glob from the instructions, splitting off their ends.
func (c *compiler) glob() *Glob {
	literals := make([]byte, len(c.prog)) // the byte of each opByte
	for i := range c.prog {
		literals[i] = c.prog[i].byte
	}
	head := c.skip(0, isByte)
	front := c.skip(head, takesOne)
	tail := c.skipBack(max(front, c.targets), isByte)
	back := c.skipBack(max(front, c.targets), takesOne)
	g := &Glob{path: c.Path, fold: c.Fold, sets: c.sets, known: c.known(literals), head: literals[:head], tail: literals[tail:]}
	if head < front || back < tail { // otherwise the instructions need not be kept
		g.front, g.back = c.prog[head:front], c.prog[back:tail]
	}
	switch between := c.prog[front:back]; {
	case len(between) == 0:
		g.kind = nothing
	case len(between) == 1 && (between[0].op == opManyNotSlash || between[0].op == opManyAny && !c.Path):
		g.kind = name
	default:
		g.kind, g.prog = program, between
		g.minMiddle = minLen(between)
		if !c.Fold {
			g.need = needed(between, literals[front:])
		}
	}
	return g
}

func isByte(in inst) bool { return in.op == opByte }

func takesOne(in inst) bool { return in.op <= opNotSlash }

// skip returns the end of the run of instructions from from on that satisfy is.
func (c *compiler) skip(from int, is func(inst) bool) int {
	for from < len(c.prog) && is(c.prog[from]) {
		from++
	}
	return from
}

// skipBack returns the start of the run of last instructions that satisfy is,
// at least limit.
func (c *compiler) skipBack(limit int, is func(inst) bool) int {
	from := len(c.prog)
	for from > limit && is(c.prog[from-1]) {
		from--
	}
	return from
}

// minLen returns the minimum length of what the instructions match.
func minLen(prog []inst) (n int) {
	around := 0 // a path of execution skips the instructions before here
	for i, in := range prog {
		if in.op == opSplit || in.op == opJump {
			around = max(around, i+int(in.arg))
		} else if i >= around && takesOne(in) {
			n++
		}
	}
	return n
}

// needed returns the longest literal that every path of execution takes.
func needed(prog []inst, literals []byte) (longest []byte) {
	around := 0 // a path of execution skips the instructions before here
	for i := 0; i < len(prog); i++ {
		if op := prog[i].op; op == opSplit || op == opJump {
			around = max(around, i+int(prog[i].arg))
		}
		from := i
		for i < len(prog) && prog[i].op == opByte && i >= around {
			i++
		}
		if i-from > len(longest) {
			longest = literals[from:i]
		}
		if i > from {
			i--
		}
	}
	return longest
}

// known holds what all matching texts have in common; in lowercase if the glob
// ignores case.
type known struct {
	whole          bool   // the last element is prefix
	prefix, suffix []byte // the last element begins and ends with them
	head           []byte // the text begins with it
	need           []byte // the text has it somewhere
}

// known determines what all matching texts have in common. literals has the
// byte of each opByte.
func (c *compiler) known(literals []byte) known {
	from := 0 // start of the last element
	for i, in := range c.prog {
		if c.Path && in.op == opByte && in.byte == '/' {
			from = i + 1
		}
	}
	prefix, suffix := from, c.skipBack(max(from, c.targets), isByte)
	one := c.targets <= from && c.joined != from // it has one beginning, and no alternatives
	for _, in := range c.prog[from:] {
		if c.Path && in.op == opManyAny {
			one = false
		}
	}
	if one {
		prefix = c.skip(from, isByte)
	}
	return known{
		whole:  one && prefix == len(c.prog),
		prefix: literals[from:prefix],
		suffix: literals[suffix:],
		head:   literals[:c.skip(0, isByte)],
		need:   needed(c.prog, literals),
	}
}
