//go:build unix

package process

import (
	"errors"
	"os/signal"
	"syscall"
)

// IgnoreBrokenPipe makes a write to a pipe without a reader fail instead of ending the
// process. Commands that are started would inherit that, so it is not for a search that
// starts some. (These get SIGHUP and SIGINT ignored if this process did. Nobody can know
// that of SIGTERM, SIGPIPE and the others: Go's runtime installs its handlers before anything
// else runs, and commands get the defaults.)
func IgnoreBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }

// IsBrokenPipe reports whether err comes from a pipe without a reader.
func IsBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
