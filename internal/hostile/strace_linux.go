package hostile

import (
	"strings"
	"sync"
	"testing"
)

// traces returns an error if strace does not work here.
var traces = sync.OnceValue(func() error {
	return command("strace", "-f", "-qq", "-o", "/dev/null", "true")
})

// Strace runs a command with faults in its system calls. inject is the argument
// of strace's option -e inject, such as "openat:error=EACCES:when=3+2", or
// several separated by spaces. A command that takes more than a minute fails
// the test.
func Strace(t testing.TB, inject, name string, args ...string) (stdout, stderr []byte, exit int) {
	t.Helper()
	if err := traces(); err != nil {
		t.Skip(err)
	}
	argv := []string{"-f", "-qq", "-o", "/dev/null"}
	for spec := range strings.FieldsSeq(inject) {
		argv = append(argv, "-e", "inject="+spec)
	}
	argv = append(append(argv, "--", name), args...)
	r := Run(t, Limits{}, "strace", argv...)
	if r.TimedOut {
		t.Fatalf("strace %q took too long; it printed %s%s", argv, r.Stdout, r.Stderr)
	}
	return r.Stdout, r.Stderr, r.Exit
}
