package spawn

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// An ArgumentError means that a command cannot be given a path. Other paths may be fine.
type ArgumentError struct {
	Command, Path string
	Err           error
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s cannot be given the path '%s': %v", e.Command, shorten(e.Path), e.Err)
}

func (e *ArgumentError) Unwrap() error { return e.Err }

// shorten leaves the middle out of a path that is too long for a message.
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

// A scarceError means that the system lets no command run, although none is running.
type scarceError struct{ err error }

func (e *scarceError) Error() string {
	return fmt.Sprintf("%v, not even one command at a time; ulimit -n and ulimit -u may have to be raised", e.err)
}

func (e *scarceError) Unwrap() error { return e.err }

var (
	errNUL     = errors.New("it has a NUL byte, which no argument can have")
	errTooLong = errors.New("the argument is too long")
)

// unusable returns why a program cannot be given the argument that it gets for a path,
// or nil. The program's name is what it was called by.
func unusable(name, program string, path, arg []byte) error {
	err := refuse(program, arg)
	if err != nil {
		return err
	}
	if bytes.IndexByte(arg, 0) >= 0 {
		err = errNUL
	} else if max := maxArgument(); max > 0 && len(arg) > max {
		err = fmt.Errorf("%w: %d bytes, and the system takes %d", errTooLong, len(arg), max)
	}
	if err != nil {
		err = &ArgumentError{Command: name, Path: string(path), Err: err}
	}
	return err
}
