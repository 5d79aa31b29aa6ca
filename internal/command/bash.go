package command

import (
	_ "embed"
	"io"
	"strings"
)

// bashCompletion needs nothing but bash 3.2: not the functions of the package bash-completion,
// which macOS and most containers do not have.
//
//go:embed completion.bash
var bashCompletion string

func writeBash(w io.Writer, program string) error {
	_, err := io.WriteString(w, strings.ReplaceAll(bashCompletion, "PROGRAM", program))
	return err
}
