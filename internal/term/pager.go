package term

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

// ShowPage writes a text to f, a terminal: through $PAGER, or else through less if there is one.
// less ends at once if the text fits the screen.
func ShowPage(f *os.File, text []byte) error {
	if cmd := pager(); cmd != nil {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), f, os.Stderr
		if shown(cmd) {
			return nil
		}
	}
	_, err := f.Write(text)
	return err
}

// ShowManual shows a manual page on the terminal f with man, and its pager. It returns false
// if there is no man.
func ShowManual(f *os.File, name string, page []byte) bool {
	dir, err := os.MkdirTemp("", "ldx-man-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, name) // man takes what has a slash for a file
	if err := os.WriteFile(path, page, 0o600); err != nil {
		return false
	}
	cmd := exec.Command("man", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, f, os.Stderr
	return shown(cmd)
}

// pager returns the command that shows text page by page, or nil.
func pager() *exec.Cmd {
	if os.Getenv("TERM") == "dumb" {
		return nil
	}
	command, given := os.LookupEnv("PAGER")
	switch {
	case !given:
		return exec.Command("less", "-FRX")
	case strings.TrimSpace(command) == "" || command == "cat":
		return nil
	}
	args := []string{"sh", "-c", command}
	if _, err := exec.LookPath("sh"); err != nil {
		args = strings.Fields(command)
	}
	cmd := exec.Command(args[0], args[1:]...)
	if _, given := os.LookupEnv("LESS"); !given {
		cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	return cmd
}

// shown runs a pager, and reports whether there is one. An interrupt is the pager's: less
// takes it for an end of waiting, and must not be left alone with the terminal.
func shown(cmd *exec.Cmd) bool {
	const notFound = 127 // the status of a shell
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return ended.ExitCode() != notFound
	}
	return err == nil
}
