package spawn

import (
	"slices"
	"sync"
)

// A Batch runs commands on many results at once: on as many as the system
// allows, then again on the rest. It is safe for concurrent use.
type Batch struct {
	opt        Options
	maxResults int // results at a time; 0: as many as there is space for

	names    []string // the commands' programs, as given
	programs []string // their paths
	space    []int    // space for the arguments of each, in the system's measure

	mu     sync.Mutex
	texts  []arguments // the arguments so far, by command
	n      int         // number of results so far
	failed bool
	broken bool // no further command can run
}

// arguments holds many arguments in one buffer: one allocation for each would
// take as long as the walk.
type arguments struct {
	text []byte
	ends []int
	size int // with the command's fixed arguments and the environment, in the measure of space
}

// NewBatch returns a Batch whose commands have the standard input and outputs
// in opt. A command gets at most maxResults results at a time; 0 is no limit
// but the system's.
func NewBatch(opt Options, maxResults int) *Batch {
	b := &Batch{opt: opt, maxResults: maxResults, texts: make([]arguments, len(opt.Commands))}
	for _, c := range opt.Commands {
		name := string(c.args[0].Append(nil, nil, ""))
		program, _ := c.program(name) // running it reports the error
		b.names, b.programs, b.space = append(b.names, name), append(b.programs, program), append(b.space, spaceFor(program))
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

// Add adds a result, a path and its fields. If there is no space for it, Add first runs the commands
// on the results so far. The error is ErrStopped.
func (b *Batch) Add(text []byte) error {
	on := newResult(text, b.opt.Fields)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken {
		return ErrStopped
	}
	added, err := b.append(&on)
	if err == nil && !added {
		b.run()
		if b.broken {
			return ErrStopped
		}
		_, err = b.append(&on) // a single result is passed on whatever its size
	}
	if err != nil {
		b.failed = true
		b.opt.Report(err)
		return nil
	}
	b.n++
	return nil
}

// append adds the arguments for a result. added is false if there is no space
// for them beside others. It returns an error if the commands cannot be given
// the path.
func (b *Batch) append(on *result) (added bool, err error) {
	added = b.maxResults == 0 || b.n < b.maxResults
	for i, c := range b.opt.Commands {
		a := &b.texts[i]
		from := len(a.text)
		for n, arg := range c.args {
			if arg.Placeholders() {
				a.text = on.append(a.text, arg, b.opt.Separator)
				b.opt.warnDash(b.names[i], c.args[:n], arg, a.text[from:])
			}
		}
		arg := a.text[from:]
		a.size += sizeOf(arg)
		a.ends = append(a.ends, len(a.text))
		added = added && a.size <= b.space[i]
		if err == nil {
			err = unusable(b.names[i], b.programs[i], on.path, arg)
		}
	}
	if err == nil && (added || b.n == 0) {
		return true, nil
	}
	for i := range b.texts {
		b.texts[i].cut(b.n)
	}
	return false, err
}

// cut keeps the first n arguments.
func (a *arguments) cut(n int) {
	for len(a.ends) > n {
		from := a.start(len(a.ends) - 1)
		a.size -= sizeOf(a.text[from:])
		a.text, a.ends = a.text[:from], a.ends[:len(a.ends)-1]
	}
}

// start returns the offset of argument i in text.
func (a *arguments) start(i int) int {
	if i == 0 {
		return 0
	}
	return a.ends[i-1]
}

// Close runs the commands on the remaining results, and reports whether all
// commands succeeded.
func (b *Batch) Close() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n > 0 && !b.broken {
		b.run()
	}
	return !b.failed
}

func (b *Batch) run() {
	for i := range b.opt.Commands {
		b.runOn(i, 0, b.n)
	}
	b.reset()
}

// runOn runs command i on the results [from, to). If that is too long for the
// system after all, it runs the command on each half.
func (b *Batch) runOn(i, from, to int) {
	err := b.start(i, from, to)
	if err == nil {
		return
	}
	if tooLong(err) && to-from > 1 {
		middle := (from + to) / 2
		b.runOn(i, from, middle)
		if !b.broken {
			b.runOn(i, middle, to)
		}
		return
	}
	b.failed = true
	a := &b.texts[i]
	arg := a.text[a.start(from):a.ends[from]]
	switch {
	case err == ErrStopped, brokenPipe(err, b.opt.Stdout) != nil:
		b.broken = true
	case exited(err):
		if err = signalled(b.names[i], nil, err); !exited(err) {
			b.opt.Report(err)
		}
	case tooLong(err) && sizeOf(arg) > b.space[i]/2: // a shorter one may fit
		b.opt.Report(&ArgumentError{Command: b.names[i], Path: string(arg), Err: err})
	default:
		if scarce(err) {
			err = &scarceError{err}
		}
		b.opt.Report(err)
		b.broken = true
	}
}

// start runs command i on the results [from, to).
func (b *Batch) start(i, from, to int) error {
	c := b.opt.Commands[i]
	var args []string
	for _, arg := range c.args {
		if arg.Placeholders() {
			args = b.texts[i].appendTo(args, from, to)
		} else {
			args = append(args, string(arg.Append(nil, nil, "")))
		}
	}
	program, err := c.program(args[0])
	if err != nil {
		return err
	}
	if b.opt.Before != nil {
		switch err := b.opt.Before("", args); {
		case err == ErrSkip:
			return nil
		case err != nil:
			return err
		}
	}
	return b.opt.run("", program, args)
}

// appendTo appends the arguments [from, to), as parts of one string.
func (a *arguments) appendTo(args []string, from, to int) []string {
	start := a.start(from)
	text := string(a.text[start:a.ends[to-1]])
	args = slices.Grow(args, to-from+1)
	for i := from; i < to; i++ {
		args = append(args, text[a.start(i)-start:a.ends[i]-start])
	}
	return args
}
