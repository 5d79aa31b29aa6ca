package ignore

import (
	"errors"
	"fmt"
	"io/fs"

	"ldx/internal/dir"
)

// These limits bound what the files of an untrusted tree make a search read and
// keep. Those on configuration apply to each repository, and separately to the
// files of the user and the system.
const (
	maxIncludeDepth = 10 // MAX_INCLUDE_DEPTH in git's config.c
	maxConfigFiles  = 100
	maxConfigSize   = 1 << 20
	maxConditions   = 64 << 10 // total bytes of includeIf conditions

	maxRuleFile  = 64 << 20
	maxRuleLines = 1_000_000 // in memory a short rule takes 200 times its size

	maxPath    = 4096     // PATH_MAX: git opens no repository with a longer path
	maxPointer = 64 << 10 // HEAD, commondir, and .git as a file: each holds one path
)

// The errors reported for a file that exceeds a limit.
var (
	errIncludeDepth = fmt.Errorf("configuration files include each other more than %d levels deep; the rest is not applied", maxIncludeDepth)
	errConfigFiles  = fmt.Errorf("more than %d included configuration files; the rest is not applied", maxConfigFiles)
	errConfigSize   = fmt.Errorf("more than %d MiB of configuration, included files counted; the rest is not applied", maxConfigSize>>20)
	errConditions   = fmt.Errorf("more than %d KiB of include conditions; the rest is not applied", maxConditions>>10)
	errRuleFile     = fmt.Errorf("more than %d MiB; none of its rules apply", maxRuleFile>>20)
	errRuleLines    = fmt.Errorf("more than %d lines; none of its rules apply", maxRuleLines)
	errPointer      = fmt.Errorf("more than %d KiB; it is not applied", maxPointer>>10)
)

// A FileError reports that a file, or the rest of it, is not applied: a file in
// Options.Files that cannot be read, or any file that exceeds a limit. Other
// files are applied.
type FileError struct{ Err error }

func (e *FileError) Error() string { return e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// reject reports a file that exceeds a limit, once.
func (ig *Ignorer) reject(path string, reason error) {
	err := &FileError{&fs.PathError{Op: "read", Path: ig.displayPath(path), Err: reason}}
	if _, known := ig.rejected.LoadOrStore(err.Error(), true); !known {
		ig.opt.Report(err)
	}
}

// rejectLarge reports the file in err if it was too large to read.
func (ig *Ignorer) rejectLarge(err, reason error) bool {
	failed, ok := errors.AsType[*fs.PathError](err)
	if !ok || !errors.Is(err, dir.ErrTooLarge) {
		return false
	}
	ig.reject(failed.Path, reason)
	return true
}
