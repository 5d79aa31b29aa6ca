package spawn

import (
	"errors"
	"sync"
)

// A Test runs commands to find out whether they succeed on a result. They have no input, and
// their standard output is discarded. It is safe for concurrent use.
type Test struct {
	opt   Options
	slots chan struct{}
	gone  sync.Once
}

// NewTest returns a Test that runs at most opt.Workers commands at a time. Of the other options
// it uses Commands, Separator, Stderr and Report.
func NewTest(opt Options) *Test {
	opt.Stdin, opt.Stdout = nil, nil
	return &Test{opt: opt, slots: make(chan struct{}, max(1, min(opt.Workers, maxWorkers)))}
}

// Passes reports whether all commands succeed on a path. The first that fails is the last that
// runs. The error is ErrStopped if no command can run; Report got the reason.
func (t *Test) Passes(path []byte) (bool, error) {
	t.slots <- struct{}{}
	defer func() { <-t.slots }()
	for _, c := range t.opt.Commands {
		err := t.run(c, path)
		_, missing := errors.AsType[*MissingError](err)
		switch {
		case err == nil:
			continue
		case missing, scarce(err):
			t.gone.Do(func() { t.opt.Report(err) })
			return false, ErrStopped
		case !exited(err):
			t.opt.Report(err)
		}
		return false, nil
	}
	return true, nil
}

func (t *Test) run(c *Command, path []byte) error {
	args := make([]string, len(c.args))
	for i, arg := range c.args {
		args[i] = string(arg.Append(nil, path, t.opt.Separator))
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
	return signalled(args[0], path, t.opt.run("", program, args))
}
