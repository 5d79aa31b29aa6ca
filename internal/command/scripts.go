package command

import (
	_ "embed"
	"io"
	"strings"
)

// The scripts that package cobra does not have, or not like this. The one for bash needs
// nothing but bash 3.2: not the functions of the package bash-completion, which macOS and most
// containers do not have.
var (
	//go:embed completion.bash
	bashScript string
	//go:embed completion.nu
	nushellScript string
)

func writeScript(w io.Writer, script, program string) error {
	_, err := io.WriteString(w, strings.ReplaceAll(script, "PROGRAM", program))
	return err
}
