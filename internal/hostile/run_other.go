//go:build !unix

package hostile

import (
	"os"
	"testing"
)

// A Process is a command running within limits.
type Process struct{}

// Start skips the test: there are no process groups and limits here.
func Start(t testing.TB, _ Limits, _ string, _ ...string) *Process {
	t.Helper()
	t.Skip("needs Unix")
	return nil
}

// Signal is never called.
func (*Process) Signal(os.Signal) {}

// Pid is never called.
func (*Process) Pid() int { return 0 }

// Wait is never called.
func (*Process) Wait() Result { return Result{} }
