package spawn

import (
	"errors"
	"fmt"
)

// Open opens a file or a directory, by its absolute path, with the program that the system has for
// it. It runs no shell. That program may have the standard input and outputs; Open waits for it if
// the system's opener does.
func Open(path string) error {
	err := open(path)
	if missing, ok := errors.AsType[*MissingError](err); ok {
		return fmt.Errorf("there is no %s, which opens files; -x PROGRAM opens them with another", missing.Name)
	}
	return err
}
