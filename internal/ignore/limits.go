package ignore

import (
	"errors"
	"fmt"
	"io/fs"

	"ldx/internal/dir"
)

// The limits bound what the files of a tree, which may be a stranger's, make a
// search read and keep. Those of configuration apply to each repository, and
// separately to the files of the user and the system.
const (
	maxIncludeDepth = 10 // MAX_INCLUDE_DEPTH in git's config.c
	maxConfigFiles  = 100
	maxConfigSize   = 1 << 20
	maxConditions   = 64 << 10 // bytes of includeIf's conditions

	maxRuleFile  = 64 << 20
	maxRuleLines = 1_000_000 // a short rule takes 200 times its size in memory

	maxPath    = 4096     // PATH_MAX: git opens no repository with a longer path
	maxPointer = 64 << 10 // of HEAD, commondir, and .git as a file: each holds one path
)

// What is reported of a file beyond a limit.
var (
	errIncludeDepth = fmt.Errorf("files of configuration include each other more than %d deep; the rest is not applied", maxIncludeDepth)
	errConfigFiles  = fmt.Errorf("more than %d files of configuration are included; the rest is not applied", maxConfigFiles)
	errConfigSize   = fmt.Errorf("more than %d MiB of configuration, with what is included; the rest is not applied", maxConfigSize>>20)
	errConditions   = fmt.Errorf("more than %d KiB of conditions for including; the rest is not applied", maxConditions>>10)
	errRuleFile     = fmt.Errorf("more than %d MiB; none of its rules apply", maxRuleFile>>20)
	errRuleLines    = fmt.Errorf("more than %d lines; none of its rules apply", maxRuleLines)
	errPointer      = fmt.Errorf("more than %d KiB; it is not applied", maxPointer>>10)
)

// A FileError reports that a file, or the rest of it, is not applied: one of
// Options.Files that cannot be read, or any that is beyond a limit. Other files
// are applied.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// reject reports a file that is beyond a limit, once.
func (ig *Ignorer) reject(path string, reason error) {
	err := &FileError{&fs.PathError{Op: "read", Path: ig.told(path), Err: reason}}
	if _, known := ig.rejected.LoadOrStore(err.Error(), true); !known {
		ig.opt.Report(err)
	}
}

// rejectLarge rejects the file that err is about, if it was too large to be read.
func (ig *Ignorer) rejectLarge(err, reason error) bool {
	var path *fs.PathError
	if !errors.Is(err, dir.ErrTooLarge) || !errors.As(err, &path) {
		return false
	}
	ig.reject(path.Path, reason)
	return true
}
