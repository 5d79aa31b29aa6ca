// Package spawn runs commands on results: one process for each result (Runner),
// or as few as can take them all (Batch). There is no shell.
//
//	run.go             -x: workers that run commands
//	output.go          what these write, held until it is its turn
//	gate.go            how many run at a time
//	batch.go           -X: arguments, up to what the system takes
//	limit_*.go         how much that is
package spawn

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"runtime"
	"sync"

	"ldx/internal/format"
)

// A Command is a program and its arguments, with placeholders. It is safe for
// concurrent use.
type Command struct {
	args  []*format.Template
	find  sync.Once // the program, if its name is no placeholder
	path  string
	found error
}

// NewCommand returns the Command that runs args[0] with the rest. If no argument
// has a placeholder, {} is added.
func NewCommand(args []string) (*Command, error) {
	if len(args) == 0 || args[0] == "" {
		return nil, errors.New("there is no command")
	}
	c := &Command{}
	some := false
	for _, arg := range args {
		t := format.Parse(arg)
		some = some || t.Placeholders()
		c.args = append(c.args, t)
	}
	if !some {
		c.args = append(c.args, format.Parse("{}"))
	}
	return c, nil
}

// NewBatchCommand is as NewCommand, for many results at once: there may be only
// one argument with placeholders, which is not the program.
func NewBatchCommand(args []string) (*Command, error) {
	c, err := NewCommand(args)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, arg := range c.args {
		if arg.Placeholders() {
			n++
		}
	}
	switch {
	case c.args[0].Placeholders():
		return nil, errors.New("the program cannot be a placeholder")
	case n > 1:
		return nil, errors.New("only one argument can have placeholders")
	}
	return c, nil
}

// program returns where the program of that name is. One that is always the same
// is looked for once.
func (c *Command) program(name string) (string, error) {
	if c.args[0].Placeholders() {
		return find(name)
	}
	c.find.Do(func() { c.path, c.found = find(name) })
	return c.path, c.found
}

func find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil || errors.Is(err, exec.ErrDot) && runtime.GOOS != "windows" { // PATH has the working directory
		return path, nil
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return "", &MissingError{name}
	}
	return "", fmt.Errorf("%s: %w", name, errors.Unwrap(err))
}

// A MissingError is that there is no program of that name.
type MissingError struct{ Name string }

func (e *MissingError) Error() string { return "there is no command " + e.Name }
