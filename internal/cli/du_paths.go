package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ldx/internal/command"
	"ldx/internal/du"
	"ldx/internal/walk"
)

// roots returns what is counted, the paths or those of --files0-from. Paths are shown as du shows
// them.
func (f *duFlags) roots(paths []string, report func(error)) (roots []walk.Root, err error) {
	switch {
	case f.own.pathsFrom != "" && len(paths) > 0:
		return nil, command.Usagef("--files0-from excludes the path %s; leave one out", command.Quote(paths[0]))
	case f.own.pathsFrom != "":
		if paths, err = f.own.readPaths(report); err != nil {
			return nil, fmt.Errorf("--files0-from: %w", err)
		}
	case len(paths) == 0:
		paths = []string{"."}
	}
	for _, path := range paths {
		label := filepath.ToSlash(path)
		for len(label) > 1 && strings.HasSuffix(label, "//") {
			label = label[:len(label)-1]
		}
		roots = append(roots, walk.Root{Path: path, Label: label})
	}
	return roots, checkPaths(paths)
}

// readPaths returns the paths of --files0-from. Empty ones are reported and left out.
func (f *duOwn) readPaths(report func(error)) (paths []string, err error) {
	text, err := readInput(string(f.pathsFrom))
	if err != nil {
		return nil, err
	}
	n := 0
	for path := range bytes.SplitSeq(bytes.TrimSuffix(text, []byte{0}), []byte{0}) {
		n++
		switch {
		case len(text) == 0:
		case len(path) == 0:
			report(&walk.RootError{Err: fmt.Errorf("--files0-from: path %d of %s is empty", n, f.pathsFrom)})
		case f.pathsFrom == "-" && string(path) == "-":
			report(&walk.RootError{Err: errors.New("--files0-from: a path in standard input must not be -; give ./-")})
		default:
			paths = append(paths, string(path))
		}
	}
	return paths, nil
}

// readExcludes reads the globs of --exclude-from.
func (f *duOwn) readExcludes() error {
	for _, name := range f.excludeFrom {
		text, err := readInput(name)
		if err != nil {
			return fmt.Errorf("-X/--exclude-from: %w", err)
		}
		f.excludes = append(f.excludes, du.ParseExcludes(text)...)
	}
	return nil
}

// readInput reads a file, or standard input if its name is -.
func readInput(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}
