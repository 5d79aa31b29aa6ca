package spawn

import (
	"errors"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
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
	system, err := windows.GetSystemDirectory()
	return filepath.Join(system, "cmd.exe"), &syscall.SysProcAttr{CmdLine: line}, err
}

// batchFileMost is the longest command line of cmd.exe, in characters:
// https://learn.microsoft.com/troubleshoot/windows-client/shell-experience/command-line-string-limitation
const batchFileMost = 8191

// refuse returns an error if the program cannot be given the argument.
func refuse(program string, arg []byte) error {
	if !isBatchFile(program) {
		return nil
	}
	_, err := batchFileLine(program, []string{string(arg)})
	return err
}

// spaceFor returns how long the command line for a program may be.
func spaceFor(program string) int {
	if isBatchFile(program) {
		const head = 40 // cmd.exe and its flags
		return batchFileMost - head - len(program)
	}
	return space()
}

func tooLong(err error) bool { return errors.Is(err, windows.ERROR_FILENAME_EXCED_RANGE) }
