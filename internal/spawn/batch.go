package spawn

import (
	"errors"
	"os/exec"
	"slices"
	"sync"
)

// A Batch runs commands on many results at once: on as many as the system takes,
// and again on the rest. It is safe for concurrent use.
type Batch struct {
	opt  Options
	most int // results at a time; 0: as many as there is space for

	programs []string // of the commands
	space    []int    // for the arguments of each, in the system's measure

	mu     sync.Mutex
	texts  []arguments // for each command, of the results so far
	n      int         // results so far
	failed bool
	broken bool // a command does not exist
}

// arguments are many, in one piece: an allocation for each would take as long as
// the walk.
type arguments struct {
	text []byte
	ends []int
	size int // with the command's other arguments and the environment, as space is
}

// NewBatch returns a Batch that runs the commands with the standard input and
// outputs of opt.
func NewBatch(opt Options, most int) *Batch {
	b := &Batch{opt: opt, most: most, texts: make([]arguments, len(opt.Commands))}
	for _, c := range opt.Commands {
		program, _ := c.program(string(c.args[0].Append(nil, nil, ""))) // running it will tell
		b.programs, b.space = append(b.programs, program), append(b.space, spaceFor(program))
	}
	b.reset()
	return b
}

func (b *Batch) reset() {
	b.n = 0
	for i, c := range b.opt.Commands {
		a := &b.texts[i]
		a.text, a.ends, a.size = a.text[:0], a.ends[:0], environment()
		for _, arg := range c.args {
			if !arg.Placeholders() {
				a.size += sizeOf(arg.Append(nil, nil, ""))
			}
		}
	}
}

// Add adds a result. If there is no space for it, the commands are first run on
// those so far. The error is ErrStopped.
func (b *Batch) Add(path []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken {
		return ErrStopped
	}
	if err := b.refuses(path); err != nil {
		b.failed = true
		b.opt.Report(err)
		return nil
	}
	if !b.append(path) {
		b.run()
		if b.broken {
			return ErrStopped
		}
		b.append(path) // alone, it goes to the command whatever its size
	}
	b.n++
	return nil
}

// refuses returns an error if a command cannot be given the result.
func (b *Batch) refuses(path []byte) error {
	for _, program := range b.programs {
		if err := refuse(program, path); err != nil {
			return err
		}
	}
	return nil
}

// append adds the arguments for a result, unless there is no space for them beside
// others.
func (b *Batch) append(path []byte) bool {
	fits := b.most == 0 || b.n < b.most
	for i, c := range b.opt.Commands {
		a := &b.texts[i]
		from := len(a.text)
		for _, arg := range c.args {
			if arg.Placeholders() {
				a.text = arg.Append(a.text, path, b.opt.Separator)
			}
		}
		a.size += sizeOf(a.text[from:])
		a.ends = append(a.ends, len(a.text))
		fits = fits && a.size <= b.space[i]
	}
	if fits || b.n == 0 {
		return true
	}
	for i := range b.texts {
		a := &b.texts[i]
		a.ends = a.ends[:b.n]
		a.text = a.text[:a.ends[b.n-1]]
	}
	return false
}

// Close runs the commands on the results that are left, and reports whether all
// have succeeded.
func (b *Batch) Close() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n > 0 && !b.broken {
		b.run()
	}
	return !b.failed
}

func (b *Batch) run() {
	for i, c := range b.opt.Commands {
		var args []string
		for _, arg := range c.args {
			if arg.Placeholders() {
				args = b.texts[i].appendTo(args)
			} else {
				args = append(args, string(arg.Append(nil, nil, "")))
			}
		}
		program, err := c.program(args[0])
		if err == nil {
			err = b.opt.run(program, args)
		}
		if err == nil {
			continue
		}
		b.failed = true
		if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) {
			b.opt.Report(err)
			b.broken = true
		}
	}
	b.reset()
}

// appendTo appends the arguments, as parts of one string.
func (a *arguments) appendTo(args []string) []string {
	text, from := string(a.text), 0
	args = slices.Grow(args, len(a.ends)+1)
	for _, end := range a.ends {
		args = append(args, text[from:end])
		from = end
	}
	return args
}
