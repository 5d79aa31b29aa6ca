package hostile

import (
	"io"
	"os"
	"testing"
	"time"
)

// Limits configures how a command runs. The zero value only limits its time.
type Limits struct {
	Time    time.Duration // kill the process group after this time; 0: a minute
	Ulimits []string      // for the shell's ulimit, such as "-n 20"
	Nobody  bool          // run as a user who owns nothing, if the test runs as root
	OneCPU  bool
	Dir     string   // the current directory; may be in a Mount
	Env     []string // added to the environment
	Stdin   io.Reader
}

// A Result is the outcome of a command.
type Result struct {
	Stdout, Stderr []byte
	Exit           int // -1 if killed by a signal
	State          *os.ProcessState
	TimedOut       bool // killed because its time was over
}

// Run runs a command within limits.
func Run(t testing.TB, limits Limits, name string, args ...string) Result {
	t.Helper()
	return Start(t, limits, name, args...).Wait()
}
