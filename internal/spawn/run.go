package spawn

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
)

// Options says how commands are run.
type Options struct {
	Commands  []*Command // for each result, in this order, up to the first that fails
	Separator string     // for each slash of a path; "": a slash
	Workers   int        // commands at a time; 1: they have the standard input and outputs themselves
	Null      bool       // a NUL follows each result's output

	// Descriptors, if not 0, is how many file descriptors commands may take until Close is
	// called. If that is too few for one command, a Runner holds the results until then.
	Descriptors int

	Stdin          io.Reader // for a single worker; others have an empty one
	Stdout, Stderr io.Writer
	Report         func(error) // of a command that cannot be run; workers may call it at a time
}

// ErrStopped means that no further result is taken: a command does not exist, nobody
// reads the output, or the system lets no command run.
var ErrStopped = errors.New("stopped")

// A Runner runs commands on each result, by workers of its own. The outputs of
// different results are never mixed. It is safe for concurrent use.
type Runner struct {
	opt     Options
	direct  bool     // commands have the standard outputs themselves
	null    *os.File // what processes read if they cannot have the standard input
	bound   int      // of what is held of a result's outputs, in bytes
	gate    gate
	paths   chan []byte
	late    bool // paths are held until Close
	mu      sync.Mutex
	held    [][]byte
	workers sync.WaitGroup
	failed  atomic.Bool
	stopped atomic.Bool
	broken  atomic.Bool // an output cannot be written

	turn sync.Mutex // held by the result whose output is being written
	err  error      // of Stdout or Stderr; guarded by turn
}

const (
	// maxWorkers keeps a slip of the finger from taking all of the system's processes.
	maxWorkers = 1024
	// commandDescriptors is what starting a command takes: both ends of two pipes and of
	// a third that reports whether it could be started, and a handle of the process.
	commandDescriptors = 7
)

// NewRunner starts the workers. The Runner must be closed.
func NewRunner(opt Options) *Runner {
	opt.Workers = min(opt.Workers, maxWorkers)
	null, _ := os.Open(os.DevNull) // without, they have none at all
	r := &Runner{opt: opt, null: null, bound: outputBound(opt.Workers), paths: make(chan []byte, 4*opt.Workers)}
	limit := opt.Workers
	if n := opt.Descriptors; n >= commandDescriptors {
		limit = min(limit, n/commandDescriptors)
	} else {
		r.late = n > 0
	}
	r.direct = opt.Workers == 1
	r.gate.init(limit)
	for range opt.Workers {
		r.workers.Go(func() {
			for path := range r.paths {
				if !r.stopped.Load() && !r.run(path) {
					r.failed.Store(true)
				}
			}
		})
	}
	return r
}

// Run has the commands run on a path, which the Runner keeps. It waits while all
// workers have enough to do. The error is ErrStopped.
func (r *Runner) Run(path []byte) error {
	if r.stopped.Load() {
		return ErrStopped
	}
	if !r.late {
		r.paths <- path
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = append(r.held, path)
	return nil
}

// Close waits for all commands, and reports whether they all succeeded. The error is
// that of writing what they have written.
func (r *Runner) Close() (bool, error) {
	for _, path := range r.held {
		r.paths <- path
	}
	close(r.paths)
	r.workers.Wait()
	if r.null != nil {
		_ = r.null.Close()
	}
	return !r.failed.Load(), r.err
}

// run runs the commands on one path, and reports whether they succeeded.
func (r *Runner) run(path []byte) bool {
	r.gate.enter()
	defer r.gate.leave()
	o := output{r: r}
	ok := true
	for _, c := range r.opt.Commands {
		if err := r.runCommand(c, path, &o); err != nil {
			r.report(err)
			ok = false
			break
		}
	}
	o.close(r.opt.Null)
	return ok
}

func (r *Runner) runCommand(c *Command, path []byte, o *output) error {
	args := make([]string, len(c.args))
	for i, arg := range c.args {
		args[i] = string(arg.Append(nil, path, r.opt.Separator))
	}
	program, err := c.program(args[0])
	if err != nil {
		return err
	}
	for i, arg := range c.args {
		if !arg.Placeholders() {
			continue
		}
		if err := unusable(args[0], program, path, []byte(args[i])); err != nil {
			return err
		}
	}
	err = r.start(program, args, o)
	if tooLong(err) {
		return &ArgumentError{Command: args[0], Path: string(path), Err: err}
	}
	return signalled(args[0], path, err)
}

// start runs a process. If the system has too little for one more, that waits until
// another has ended.
func (r *Runner) start(program string, args []string, o *output) error {
	for !r.direct && !o.turn {
		err := r.capture(program, args, o)
		switch {
		case !scarce(err):
			return err
		case r.gate.single():
			r.direct = true // which takes less; nobody else has passed the gate
		default:
			r.gate.narrow()
			if r.stopped.Load() {
				return ErrStopped
			}
		}
	}
	for {
		left := r.gate.leavers()
		err := r.runDirect(program, args, o)
		if !scarce(err) {
			return err
		}
		if !r.gate.awaitLeaver(left) {
			return &scarceError{err}
		}
	}
}

// runDirect runs a process that has the standard outputs, and that of the only worker
// the standard input, while o has the turn.
func (r *Runner) runDirect(program string, args []string, o *output) error {
	if !o.takeTurn() {
		return ErrStopped
	}
	opt := r.opt
	if opt.Workers > 1 && r.null != nil {
		opt.Stdin = r.null
	}
	err := opt.run(program, args)
	if broken := brokenPipe(err, opt.Stdout); broken != nil {
		o.fail(broken)
	}
	return err
}

// run runs a process that has the standard input and outputs.
func (o *Options) run(program string, args []string) error {
	program, how, err := prepare(program, args)
	if err != nil {
		return err
	}
	cmd := exec.Cmd{Path: program, Args: args, SysProcAttr: how, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr}
	return cmd.Run()
}

// capture runs a process without input and gives what it writes to o. It is what
// exec.Cmd.Run does, without a new environment and a new /dev/null for each.
func (r *Runner) capture(program string, args []string, o *output) error {
	program, how, err := prepare(program, args)
	if err != nil {
		return err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	defer outRead.Close()
	errRead, errWrite, err := os.Pipe()
	if err != nil {
		_ = outWrite.Close()
		return err
	}
	defer errRead.Close()
	process, err := os.StartProcess(program, args, &os.ProcAttr{Files: []*os.File{r.null, outWrite, errWrite}, Sys: how})
	_ = outWrite.Close()
	_ = errWrite.Close()
	if err != nil {
		return err
	}
	o.copy(outRead, errRead)
	state, err := process.Wait()
	if err == nil && !state.Success() {
		return &exec.ExitError{ProcessState: state}
	}
	return err
}

// report reports an error, unless it is that a command has failed, which it has
// reported itself. What holds for all results alike is reported once.
func (r *Runner) report(err error) {
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) || errors.Is(err, ErrStopped) || r.broken.Load() {
		return
	}
	var missing *MissingError
	var scarce *scarceError
	if (errors.As(err, &missing) || errors.As(err, &scarce)) && r.stopped.Swap(true) {
		return
	}
	r.opt.Report(err)
}
