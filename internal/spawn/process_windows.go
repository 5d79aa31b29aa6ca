package spawn

import (
	"errors"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// prepare returns the program to start and its attributes, so that args[1:]
// arrive unchanged.
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

// batchFileMax is the maximum length of cmd.exe's command line, in characters:
// https://learn.microsoft.com/troubleshoot/windows-client/shell-experience/command-line-string-limitation
const batchFileMax = 8191

// refuse returns an error if the program cannot be given the argument.
func refuse(program string, arg []byte) error {
	if !isBatchFile(program) {
		return nil
	}
	_, err := batchFileLine(program, []string{string(arg)})
	return err
}

// spaceFor returns the maximum length of the command line for a program.
func spaceFor(program string) int {
	if isBatchFile(program) {
		const head = 40 // cmd.exe and its flags
		return batchFileMax - head - len(program)
	}
	return space()
}

func tooLong(err error) bool { return errors.Is(err, windows.ERROR_FILENAME_EXCED_RANGE) }
