// Package spawn runs commands on results: one process for each result (Runner),
// or as few processes as the system allows (Batch). It runs no shell.
//
//	run.go             -x: workers that run commands
//	output.go          their output, held until it can be written
//	gate.go            the number of commands that run at the same time
//	batch.go           -X: arguments, up to the system's limit
//	limit_*.go         that limit
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

// A Command is a program with arguments that may have placeholders. It is safe
// for concurrent use.
type Command struct {
	args  []*format.Template
	find  sync.Once // looks up the program, unless its name has a placeholder
	path  string
	found error
}

// A Parser reads an argument with placeholders.
type Parser func(arg string) (*format.Template, error)

// Paths is the Parser of placeholders for parts of the path alone.
func Paths(arg string) (*format.Template, error) { return format.Parse(arg), nil }

// NewCommand returns a Command that runs args[0] with the other arguments. If
// no argument has a placeholder, it adds {}.
func NewCommand(args []string, parse Parser) (*Command, error) {
	if len(args) == 0 || args[0] == "" {
		return nil, errors.New("no command given")
	}
	c := &Command{}
	some := false
	for _, arg := range args {
		t, err := parse(arg)
		if err != nil {
			return nil, err
		}
		some = some || t.Placeholders()
		c.args = append(c.args, t)
	}
	if !some {
		c.args = append(c.args, format.Parse("{}"))
	}
	return c, nil
}

// NewBatchCommand is like NewCommand, for many results at once: only one
// argument may have placeholders, and it must not be the program.
func NewBatchCommand(args []string, parse Parser) (*Command, error) {
	c, err := NewCommand(args, parse)
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

// program returns the path of the named program. A fixed name is looked up
// once.
func (c *Command) program(name string) (string, error) {
	if c.args[0].Placeholders() {
		return find(name)
	}
	c.find.Do(func() { c.path, c.found = find(name) })
	return c.path, c.found
}

func find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil || errors.Is(err, exec.ErrDot) && runtime.GOOS != "windows" { // PATH has the current directory
		return path, nil
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return "", &MissingError{name}
	}
	return "", fmt.Errorf("%s: %w", name, errors.Unwrap(err))
}

// A MissingError means that a program was not found.
type MissingError struct{ Name string }

func (e *MissingError) Error() string { return "command not found: " + e.Name }
