package spawn

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// An ArgumentError means that a command cannot be given a path. Other paths may
// work.
type ArgumentError struct {
	Command, Path string
	Err           error
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s cannot be given the path '%s': %v", e.Command, shorten(e.Path), e.Err)
}

func (e *ArgumentError) Unwrap() error { return e.Err }

// shorten cuts the middle out of a path that is too long for a message.
func shorten(path string) string {
	const head, tail = 80, 100
	if len(path) <= head+tail {
		return path
	}
	whole := func(part string) string { return strings.ToValidUTF8(part, "") }
	return whole(path[:head]) + "..." + whole(path[len(path)-tail:])
}

// A SignalError means that a command was killed by a signal.
type SignalError struct{ Command, Path, Signal string }

func (e *SignalError) Error() string {
	text := e.Command + " was killed by " + e.Signal
	if e.Path != "" {
		text += ", with the path '" + shorten(e.Path) + "'"
	}
	return text
}

// A scarceError means that the system has too few resources to run a single
// command.
type scarceError struct{ err error }

func (e *scarceError) Error() string {
	return fmt.Sprintf("%v: not even one command can run; raise ulimit -n or ulimit -u", e.err)
}

func (e *scarceError) Unwrap() error { return e.err }

var (
	errNUL     = errors.New("it has a NUL byte, which an argument cannot have")
	errTooLong = errors.New("the argument is too long")
)

// unusable returns the reason why a program cannot be given arg, its argument
// for a path, or nil. name is the program's name as given.
func unusable(name, program string, path, arg []byte) error {
	err := refuse(program, arg)
	if err != nil {
		return err
	}
	if bytes.IndexByte(arg, 0) >= 0 {
		err = errNUL
	} else if limit := maxArgument(); limit > 0 && len(arg) > limit {
		err = fmt.Errorf("%w: %d bytes; the maximum is %d", errTooLong, len(arg), limit)
	}
	if err != nil {
		err = &ArgumentError{Command: name, Path: string(path), Err: err}
	}
	return err
}
