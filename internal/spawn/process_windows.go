package spawn

import (
	"os"
	"path/filepath"
	"syscall"
)

// prepare returns the program to start, and how, for args[1:] to arrive at the one
// that is meant.
func prepare(program string, args []string) (string, *syscall.SysProcAttr, error) {
	if !isBatchFile(program) {
		return program, nil, nil
	}
	line, err := batchFileLine(program, args[1:])
	if err != nil {
		return "", nil, err
	}
	return filepath.Join(os.Getenv("SystemRoot"), "System32", "cmd.exe"), &syscall.SysProcAttr{CmdLine: line}, nil
}

// batchFileMost is the longest command line of cmd.exe, in characters:
// https://learn.microsoft.com/troubleshoot/windows-client/shell-experience/command-line-string-limitation
const batchFileMost = 8191

// spaceFor returns how long the command line for a program may be.
func spaceFor(program string) int {
	if isBatchFile(program) {
		const head = 40 // cmd.exe and its flags
		return batchFileMost - head
	}
	return space()
}
