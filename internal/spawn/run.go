package spawn

import (
	"bytes"
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
	Workers   int        // so many at a time; 1: they have the standard input and outputs themselves
	Null      bool       // a NUL follows each result's output

	Stdin          io.Reader // for a single worker; others have an empty one
	Stdout, Stderr io.Writer
	Report         func(error) // of a command that cannot be run; workers may call it at a time
}

// ErrStopped is that no further result is taken: a command does not exist, or
// nobody reads the output.
var ErrStopped = errors.New("stopped")

// A Runner runs commands on each result, by workers of its own. The outputs of one
// result are written whole, the standard one first. It is safe for concurrent use.
type Runner struct {
	opt     Options
	null    *os.File // what processes read if they cannot have the standard input
	paths   chan []byte
	workers sync.WaitGroup
	failed  atomic.Bool
	stopped atomic.Bool

	write sync.Mutex
	err   error // of Stdout or Stderr
}

// mostWorkers keeps a slip of the finger from taking all of the system's processes.
const mostWorkers = 1024

// NewRunner starts the workers. The Runner must be closed.
func NewRunner(opt Options) *Runner {
	opt.Workers = min(opt.Workers, mostWorkers)
	null, _ := os.Open(os.DevNull) // without, they have none at all
	r := &Runner{opt: opt, null: null, paths: make(chan []byte, 4*opt.Workers)}
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
	r.paths <- path
	return nil
}

// Close waits for all commands, and reports whether they all succeeded. The error is
// that of writing what they have written.
func (r *Runner) Close() (bool, error) {
	close(r.paths)
	r.workers.Wait()
	if r.null != nil {
		_ = r.null.Close()
	}
	return !r.failed.Load(), r.err
}

// run runs the commands on one path, and reports whether they succeeded.
func (r *Runner) run(path []byte) bool {
	var stdout, stderr bytes.Buffer
	ok := true
	for _, c := range r.opt.Commands {
		args := make([]string, len(c.args))
		for i, arg := range c.args {
			args[i] = string(arg.Append(nil, path, r.opt.Separator))
		}
		program, err := c.program(args[0])
		switch {
		case err != nil:
		case r.opt.Workers == 1:
			err = r.opt.run(program, args)
		default:
			err = r.capture(program, args, &stdout, &stderr)
		}
		if err != nil {
			r.tell(err)
			ok = false
			break
		}
	}
	if r.opt.Null {
		stdout.WriteByte(0)
	}
	r.flush(&stdout, &stderr)
	return ok
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

// capture runs a process without input and adds what it writes. It is what
// exec.Cmd.Run does, without a new environment and a new /dev/null for each.
func (r *Runner) capture(program string, args []string, stdout, stderr *bytes.Buffer) error {
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
	done := make(chan struct{})
	go func() {
		_, _ = stderr.ReadFrom(errRead)
		close(done)
	}()
	_, _ = stdout.ReadFrom(outRead)
	<-done
	state, err := process.Wait()
	if err == nil && !state.Success() {
		return &exec.ExitError{ProcessState: state}
	}
	return err
}

func (r *Runner) flush(stdout, stderr *bytes.Buffer) {
	if stdout.Len() == 0 && stderr.Len() == 0 {
		return
	}
	r.write.Lock()
	defer r.write.Unlock()
	_, err := r.opt.Stdout.Write(stdout.Bytes())
	if _, failed := r.opt.Stderr.Write(stderr.Bytes()); err == nil {
		err = failed
	}
	if err != nil && r.err == nil {
		r.err = err
		r.stopped.Store(true)
	}
}

// tell reports an error, unless it is that a command has failed, which it has told
// itself. A command that does not exist is told once.
func (r *Runner) tell(err error) {
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return
	}
	if missing := (*MissingError)(nil); errors.As(err, &missing) && r.stopped.Swap(true) {
		return
	}
	r.opt.Report(err)
}
