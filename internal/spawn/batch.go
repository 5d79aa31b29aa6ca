package spawn

import (
	"errors"
	"os/exec"
	"sync"
)

// A Batch runs commands on many results at once: on as many as the system takes,
// and again on the rest. It is safe for concurrent use.
type Batch struct {
	opt  Options
	most int // results at a time; 0: as many as there is space for

	mu     sync.Mutex
	args   [][]string // for each command, the arguments for the results so far
	n      int        // results so far
	sizes  []int      // of each command's arguments, in the system's measure
	failed bool
	broken bool // a command does not exist
}

// NewBatch returns a Batch that runs the commands with the standard input and
// outputs of opt.
func NewBatch(opt Options, most int) *Batch {
	b := &Batch{opt: opt, most: most, args: make([][]string, len(opt.Commands)), sizes: make([]int, len(opt.Commands))}
	b.reset()
	return b
}

func (b *Batch) reset() {
	b.n = 0
	for i, c := range b.opt.Commands {
		b.args[i], b.sizes[i] = nil, environment()
		for _, arg := range c.args {
			if !arg.Placeholders() {
				b.sizes[i] += sizeOf(string(arg.Append(nil, nil, "")))
			}
		}
	}
}

// Add adds a result. If there is no space for it, the commands are first run on
// those so far. The error is ErrStopped.
func (b *Batch) Add(path []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	args, fits := make([]string, len(b.args)), b.most == 0 || b.n < b.most
	for i, c := range b.opt.Commands {
		for _, arg := range c.args {
			if arg.Placeholders() {
				args[i] = string(arg.Append(nil, path, b.opt.Separator))
			}
		}
		fits = fits && b.sizes[i]+sizeOf(args[i]) <= space()
	}
	if !fits && b.n > 0 {
		b.run()
	}
	if b.broken {
		return ErrStopped
	}
	for i := range args {
		b.args[i] = append(b.args[i], args[i])
		b.sizes[i] += sizeOf(args[i])
	}
	b.n++
	return nil
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
				args = append(args, b.args[i]...)
			} else {
				args = append(args, string(arg.Append(nil, nil, "")))
			}
		}
		cmd, err := c.build(args)
		if err == nil {
			cmd.Stdin, cmd.Stdout, cmd.Stderr = b.opt.Stdin, b.opt.Stdout, b.opt.Stderr
			err = cmd.Run()
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
