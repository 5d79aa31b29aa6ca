package spawn

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// Options configures how commands run.
type Options struct {
	Commands  []*Command // run in this order for each result, until one fails
	Fields    int        // that each result has after its path, with a NUL before each
	Separator string     // replaces the slashes of a path; "": slashes stay
	Workers   int        // commands at a time; 1: a command has the standard input and outputs itself
	Null      bool       // write a NUL after each result's output
	InDir     bool       // run the commands for a result in its directory; its path is ./NAME there
	Ordered   bool       // write outputs in the order of the results

	// Label, if set, appends a header for a path to b; it is written before the output.
	Label func(b, path []byte) []byte

	// Before, if set, is called with each command and the directory it is to run in, one at a
	// time. The command does not run if the error is ErrSkip, and no other one if it is ErrStopped.
	Before func(dir string, args []string) error

	// Dashed, if set, is called with each command and an argument that it may take for a flag,
	// because a name begins with a dash. Workers may call it concurrently.
	Dashed func(command, arg string)

	// Descriptors, if not 0, is the maximum number of file descriptors for
	// commands until Close is called. If one command needs more, a Runner holds
	// the results until then.
	Descriptors int

	Stdin          io.Reader // for a single worker; other commands have an empty input
	Stdout, Stderr io.Writer
	Report         func(error) // receives the errors of commands that cannot run; workers may call it concurrently
}

// ErrStopped means that no further result is taken: a command does not exist,
// the output is a broken pipe, or the system has too few resources to run a
// command.
var ErrStopped = errors.New("stopped")

// ErrSkip means that a command is not to run.
var ErrSkip = errors.New("skipped")

// A Runner runs commands on each result, by workers of its own. The outputs of
// different results are never mixed. It is safe for concurrent use.
type Runner struct {
	opt     Options
	direct  bool     // commands have the standard outputs themselves
	null    *os.File // standard input of commands that do not have ldx's
	bound   int      // maximum bytes held of a result's outputs
	gate    gate
	order   *order // nil: outputs are written as they come
	asking  sync.Mutex
	results chan []byte
	late    bool // results are held until Close
	mu      sync.Mutex
	held    [][]byte
	workers sync.WaitGroup
	failed  atomic.Bool
	stopped atomic.Bool
	broken  atomic.Bool // an output cannot be written

	turn sync.Mutex // held by the result whose output is being written
	err  error      // the error of writing to Stdout or Stderr; guarded by turn
}

const (
	// maxWorkers keeps a typo from using up all of the system's processes.
	maxWorkers = 1024
	// commandDescriptors is the number of descriptors to start a command: both
	// ends of two pipes and of a third that reports whether it started, and a
	// process handle.
	commandDescriptors = 7
)

// NewRunner starts the workers. The Runner must be closed.
func NewRunner(opt Options) *Runner {
	opt.Workers = min(opt.Workers, maxWorkers)
	null, _ := os.Open(os.DevNull) // nil: the commands have no standard input
	r := &Runner{opt: opt, null: null, bound: outputBound(opt.Workers), results: make(chan []byte, 4*opt.Workers)}
	limit := opt.Workers
	if n := opt.Descriptors; n >= commandDescriptors {
		limit = min(limit, n/commandDescriptors)
	} else {
		r.late = n > 0
	}
	r.direct = opt.Workers == 1
	r.gate.init(limit)
	if opt.Ordered && !r.direct {
		r.order = newOrder()
		r.gate.passIdle = true
	}
	for range opt.Workers {
		r.workers.Go(func() {
			for text, number, ok := r.next(); ok; text, number, ok = r.next() {
				o := &output{r: r, number: number}
				switch {
				case !r.stopped.Load():
					if !r.run(newResult(text, opt.Fields), o) {
						r.failed.Store(true)
					}
				case r.order != nil:
					o.close(false)
				}
			}
		})
	}
	return r
}

// next returns the next result and its number, or false at the end.
func (r *Runner) next() (result []byte, number int, ok bool) {
	if r.order == nil {
		result, ok = <-r.results
		return result, 0, ok
	}
	return r.order.take(r.results)
}

// Run queues the commands for a result, a path and its fields; the Runner keeps it. Run blocks
// while all workers are busy and the queue is full. The error is ErrStopped.
func (r *Runner) Run(result []byte) error {
	if r.stopped.Load() {
		return ErrStopped
	}
	if !r.late {
		r.results <- result
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = append(r.held, result)
	return nil
}

// Close waits for all commands, and reports whether all succeeded. It returns
// the error of writing their output, if any.
func (r *Runner) Close() (bool, error) {
	for _, result := range r.held {
		r.results <- result
	}
	close(r.results)
	r.workers.Wait()
	if r.null != nil {
		_ = r.null.Close()
	}
	return !r.failed.Load(), r.err
}

// run runs the commands on one result, and reports whether all succeeded.
func (r *Runner) run(on result, o *output) bool {
	r.gate.enter()
	defer r.gate.leave()
	ok := true
	if r.opt.Label != nil {
		o.add(r.opt.Label(nil, on.path), &o.stdout, r.opt.Stdout)
	}
	for _, c := range r.opt.Commands {
		if err := r.runCommand(c, on, o); err != nil {
			r.report(err)
			ok = false
			break
		}
	}
	o.close(r.opt.Null)
	return ok
}

func (r *Runner) runCommand(c *Command, on result, o *output) error {
	dir := ""
	if r.opt.InDir {
		dir, on.path = inDir(on.path)
	}
	program, args, err := r.opt.build(c, &on)
	if err != nil {
		return err
	}
	switch err := r.before(dir, args); {
	case err == ErrSkip:
		return nil
	case err != nil:
		return err
	}
	err = r.start(dir, program, args, o)
	if tooLong(err) {
		return &ArgumentError{Command: args[0], Path: string(on.path), Err: err}
	}
	return signalled(args[0], on.path, err)
}

// build returns the program and the arguments of a command for a result.
func (o *Options) build(c *Command, on *result) (program string, args []string, err error) {
	args = make([]string, len(c.args))
	for i, arg := range c.args {
		args[i] = string(on.append(nil, arg, o.Separator))
	}
	program, err = c.program(args[0])
	if err == nil && o.InDir && filepath.Base(program) != program {
		program, err = filepath.Abs(program) // it was found from here
	}
	if err != nil {
		return "", nil, err
	}
	for i, arg := range c.args {
		if !arg.Placeholders() {
			continue
		}
		if err := unusable(args[0], program, on.path, []byte(args[i])); err != nil {
			return "", nil, err
		}
		o.warnDash(args[0], c.args[:i], arg, []byte(args[i]))
	}
	return program, args, nil
}

// before reports whether a command is to run, by its error.
func (r *Runner) before(dir string, args []string) error {
	if r.opt.Before == nil {
		return nil
	}
	r.asking.Lock()
	defer r.asking.Unlock()
	if r.stopped.Load() {
		return ErrStopped
	}
	err := r.opt.Before(dir, args)
	if err == ErrStopped {
		r.stopped.Store(true)
	}
	return err
}

// inDir returns the directory of a path, and the path from there.
func inDir(path []byte) (dir string, below []byte) {
	i := bytes.LastIndexByte(path, '/')
	below = append([]byte("./"), path[i+1:]...)
	switch {
	case i < 0:
		return ".", below
	case i == 0:
		return "/", below
	}
	return string(path[:i]), below
}

// start runs a process. If the system lacks resources for it, start waits until
// another process has ended.
func (r *Runner) start(dir, program string, args []string, o *output) error {
	for !r.direct && !o.turn {
		err := r.capture(dir, program, args, o)
		switch {
		case !scarce(err):
			return err
		case r.order != nil:
			o.takeTurn() // those before it have ended then
		case r.gate.single():
			r.direct = true // needs fewer descriptors; no other result has passed the gate
		default:
			r.gate.narrow()
			if r.stopped.Load() {
				return ErrStopped
			}
		}
	}
	for {
		left := r.gate.leavers()
		err := r.runDirect(dir, program, args, o)
		if !scarce(err) {
			return err
		}
		if !r.gate.awaitLeaver(left) {
			return &scarceError{err}
		}
	}
}

// runDirect runs a process that has the standard outputs, while o has the turn.
// With a single worker it has the standard input too.
func (r *Runner) runDirect(dir, program string, args []string, o *output) error {
	if !o.takeTurn() {
		return ErrStopped
	}
	opt := r.opt
	if opt.Workers > 1 && r.null != nil {
		opt.Stdin = r.null
	}
	err := opt.run(dir, program, args)
	if broken := brokenPipe(err, opt.Stdout); broken != nil {
		o.fail(broken)
	}
	return err
}

// run runs a process that has the standard input and outputs.
func (o *Options) run(dir, program string, args []string) error {
	program, how, err := prepare(program, args)
	if err != nil {
		return err
	}
	cmd := exec.Cmd{Path: program, Args: args, Dir: dir, SysProcAttr: how, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr}
	return cmd.Run()
}

// capture runs a process without input and sends its output to o. It is like
// exec.Cmd.Run, but does not make a new environment and open /dev/null each
// time.
func (r *Runner) capture(dir, program string, args []string, o *output) error {
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
	process, err := os.StartProcess(program, args, &os.ProcAttr{Dir: dir, Files: []*os.File{r.null, outWrite, errWrite}, Sys: how})
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

// report reports an error, except that a command has failed, which the command
// reports itself. An error that affects all results is reported once.
func (r *Runner) report(err error) {
	if exited(err) || errors.Is(err, ErrStopped) || r.broken.Load() {
		return
	}
	_, missing := errors.AsType[*MissingError](err)
	_, scarce := errors.AsType[*scarceError](err)
	if (missing || scarce) && r.stopped.Swap(true) {
		return
	}
	r.opt.Report(err)
}

// exited reports whether err means that a process ran and failed.
func exited(err error) bool {
	_, ok := errors.AsType[*exec.ExitError](err)
	return ok
}
