package hostile

import (
	"io"
	"os"
	"testing"
	"time"
)

// Limits says how a command runs. The zero value only limits its time.
type Limits struct {
	Time    time.Duration // after which its process group is killed; 0 is a minute
	Ulimits []string      // for the shell's ulimit, such as "-n 20"
	Nobody  bool          // as a user who owns nothing, if the test's is root
	OneCPU  bool
	Dir     string   // the working directory, which may be of Mount
	Env     []string // in addition
	Stdin   io.Reader
}

// A Result is what a command did.
type Result struct {
	Stdout, Stderr []byte
	Exit           int // -1 if it was killed by a signal
	State          *os.ProcessState
	TimedOut       bool // it was killed as its time was over
}

// Run runs a command under limits.
func Run(t testing.TB, limits Limits, name string, args ...string) Result {
	t.Helper()
	return Start(t, limits, name, args...).Wait()
}
