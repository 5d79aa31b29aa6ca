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
// it uses Commands, Fields, Separator, Stderr and Report.
func NewTest(opt Options) *Test {
	opt.Stdin, opt.Stdout = nil, nil
	return &Test{opt: opt, slots: make(chan struct{}, max(1, min(opt.Workers, maxWorkers)))}
}

// Passes reports whether all commands succeed on a result, a path and its fields. The first that fails is the last that
// runs. The error is ErrStopped if no command can run; Report got the reason.
func (t *Test) Passes(text []byte) (bool, error) {
	on := newResult(text, t.opt.Fields)
	t.slots <- struct{}{}
	defer func() { <-t.slots }()
	for _, c := range t.opt.Commands {
		err := t.run(c, &on)
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

func (t *Test) run(c *Command, on *result) error {
	program, args, err := t.opt.build(c, on)
	if err != nil {
		return err
	}
	return signalled(args[0], on.path, t.opt.run("", program, args))
}
