//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// nobody is a user who owns nothing.
const nobody = 65534

// asNobody makes a command run without root's permission to read everything.
func asNobody(cmd *exec.Cmd) {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

func unprivileged(ts *testscript.TestScript, neg bool, args []string) {
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	asNobody(cmd)
	if err := cmd.Run(); (err != nil) != neg {
		ts.Fatalf("%v: %v", args, err)
	}
}
