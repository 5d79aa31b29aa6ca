package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// A suggester is a value that knows what may be typed for it, after what is typed already.
// What other values may be is unknown to the shell: it suggests files.
type suggester interface {
	suggest(typed string) ([]string, cobra.ShellCompDirective)
}

func only(words ...string) ([]string, cobra.ShellCompDirective) {
	return words, cobra.ShellCompDirectiveNoFileComp
}

// A boolean is set by a flag without a value.
type boolean bool

func (b *boolean) Set(s string) error {
	v, err := strconv.ParseBool(s)
	*b = boolean(v)
	return err
}

func (b *boolean) String() string { return strconv.FormatBool(bool(*b)) }
func (*boolean) Type() string     { return "bool" }

// A reset is the value of a flag that takes others back.
type reset struct{ of []*bool }

func (r *reset) Set(s string) error {
	v, err := strconv.ParseBool(s)
	for _, b := range r.of {
		*b = *b && !v
	}
	return err
}

func (*reset) String() string { return "" }
func (*reset) Type() string   { return "bool" }

type switched struct{ do func() }

func (w *switched) Set(s string) error {
	v, err := strconv.ParseBool(s)
	if v {
		w.do()
	}
	return err
}

func (*switched) String() string { return "" }
func (*switched) Type() string   { return "bool" }

type choice[T comparable] struct {
	to    *T
	value T
}

func (c *choice[T]) Set(s string) error {
	v, err := strconv.ParseBool(s)
	var zero T
	if v {
		*c.to = c.value
	} else if *c.to == c.value {
		*c.to = zero
	}
	return err
}

func (*choice[T]) String() string { return "" }
func (*choice[T]) Type() string   { return "bool" }

type parsed struct {
	parse func(string) error
	words func() []string
}

func (p *parsed) Set(s string) error { return p.parse(s) }
func (*parsed) String() string       { return "" }
func (*parsed) Type() string         { return "string" }

func (p *parsed) suggest(string) ([]string, cobra.ShellCompDirective) {
	if p.words == nil {
		return only()
	}
	return only(p.words()...)
}

// A Count is a whole number of at least Min.
type Count struct {
	N     int
	Given bool
	Min   int
}

// Or returns the number if it was given, else n.
func (c *Count) Or(n int) int {
	if c.Given {
		return c.N
	}
	return n
}

// Set reads a number.
func (c *Count) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < c.Min {
		return fmt.Errorf("give a whole number of at least %d, such as %d or %d", c.Min, max(c.Min, 1), c.Min+3)
	}
	c.N, c.Given = n, true
	return nil
}

func (*Count) String() string { return "" }

// Type is for package pflag.
func (*Count) Type() string                                        { return "N" }
func (*Count) suggest(string) ([]string, cobra.ShellCompDirective) { return only() }

// A OneOf is the value of one of Words. Value is the default until the flag is given.
type OneOf[T any] struct {
	Value T
	Given bool
	Words []Word[T]
}

// A Word is a name for a value. A synonym is neither suggested nor listed.
type Word[T any] struct {
	Name    string
	Value   T
	Synonym bool
}

// Names returns the words, to be listed in help.
func (o *OneOf[T]) Names() string {
	words, _ := o.suggest("")
	return strings.Join(words, ", ")
}

// Set reads a word.
func (o *OneOf[T]) Set(s string) error {
	i := slices.IndexFunc(o.Words, func(w Word[T]) bool { return w.Name == s })
	if i < 0 {
		return fmt.Errorf("give one of %s", o.Names())
	}
	o.Value, o.Given = o.Words[i].Value, true
	return nil
}

func (*OneOf[T]) String() string { return "" }

// Type is for package pflag.
func (*OneOf[T]) Type() string { return "WORD" }

func (o *OneOf[T]) suggest(string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, w := range o.Words {
		if !w.Synonym {
			names = append(names, w.Name)
		}
	}
	return only(names...)
}

// A Text is any text, which may be empty; Words are suggested.
type Text struct {
	Text  string
	Given bool
	Words []string
}

// Set keeps a text.
func (t *Text) Set(s string) error {
	t.Text, t.Given = s, true
	return nil
}

func (*Text) String() string { return "" }

// Type is for package pflag.
func (*Text) Type() string                                          { return "string" }
func (t *Text) suggest(string) ([]string, cobra.ShellCompDirective) { return only(t.Words...) }

// Texts are the values of a flag that may be repeated.
type Texts []string

// Set appends a text.
func (t *Texts) Set(s string) error {
	*t = append(*t, s)
	return nil
}

func (*Texts) String() string { return "" }

// Type is for package pflag.
func (*Texts) Type() string                                        { return "string" }
func (*Texts) suggest(string) ([]string, cobra.ShellCompDirective) { return only() }

// Files are the paths of a flag that may be repeated.
type Files []string

// Set appends a path.
func (f *Files) Set(s string) error { return (*Texts)(f).Set(s) }
func (*Files) String() string       { return "" }

// Type is for package pflag.
func (*Files) Type() string { return "string" }

// Dirs are the directories of a flag that may be repeated.
type Dirs []string

// Set appends a path.
func (d *Dirs) Set(s string) error { return (*Texts)(d).Set(s) }
func (*Dirs) String() string       { return "" }

// Type is for package pflag.
func (*Dirs) Type() string { return "string" }

func (*Dirs) suggest(string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// A File is a path.
type File string

// Set keeps a path.
func (f *File) Set(s string) error {
	*f = File(s)
	return notEmpty(s)
}

// notEmpty returns an error if a path is empty: it would be as if the flag were not given.
func notEmpty(path string) error {
	if path == "" {
		return errors.New("give a path")
	}
	return nil
}

func (*File) String() string { return "" }

// Type is for package pflag.
func (*File) Type() string { return "string" }

// A Dir is a directory.
type Dir string

// Set keeps a path.
func (d *Dir) Set(s string) error {
	*d = Dir(s)
	return notEmpty(s)
}

func (*Dir) String() string { return "" }

// Type is for package pflag.
func (*Dir) Type() string { return "string" }

func (*Dir) suggest(string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// Commas is texts with commas between them, of all times the flag is given; Words are
// suggested.
type Commas struct {
	Texts []string
	Words []string
}

// Set appends texts.
func (c *Commas) Set(s string) error {
	for text := range strings.SplitSeq(s, ",") {
		if text == "" {
			return errors.New("there is nothing between two commas; give one value, or several such as a,b")
		}
		c.Texts = append(c.Texts, text)
	}
	return nil
}

func (*Commas) String() string { return "" }

// Type is for package pflag.
func (*Commas) Type() string                                          { return "A,B" }
func (c *Commas) suggest(string) ([]string, cobra.ShellCompDirective) { return only(c.Words...) }

// Numbers is numbers from 1 with commas between them. The last time the flag is given counts.
type Numbers []int

// Set reads numbers.
func (n *Numbers) Set(s string) error {
	*n = nil
	for word := range strings.SplitSeq(s, ",") {
		one := Count{Min: 1}
		if err := one.Set(word); err != nil {
			return errors.New("give whole numbers of at least 1, such as 4 or 1,2,4")
		}
		*n = append(*n, one.N)
	}
	return nil
}

func (*Numbers) String() string { return "" }

// Type is for package pflag.
func (*Numbers) Type() string                                        { return "N,N" }
func (*Numbers) suggest(string) ([]string, cobra.ShellCompDirective) { return only() }
