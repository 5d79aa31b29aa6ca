package spawn

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Windows runs batch files with cmd.exe, which parses the command line by rules
// of its own: what the C runtime's quoting makes of a name such as a"&calc may
// run another program. So every argument is quoted, and characters special to
// cmd.exe even in quotes are refused.

// isBatchFile reports whether Windows runs the program with cmd.exe. Like
// Windows it ignores dots and spaces at the end.
func isBatchFile(program string) bool {
	switch strings.ToLower(filepath.Ext(strings.TrimRight(program, ". "))) {
	case ".bat", ".cmd":
		return true
	}
	return false
}

// batchFileLine returns the command line for cmd.exe to run a batch file. Its
// flags override the registry's settings for extensions.
func batchFileLine(program string, args []string) (string, error) {
	var line strings.Builder
	line.WriteString(`cmd.exe /e:ON /v:OFF /d /s /c "`)
	for i, arg := range append([]string{program}, args...) {
		if bad := strings.IndexAny(arg, "\"%\r\n\x00"); bad >= 0 {
			return "", fmt.Errorf("%s: the argument %s has a %q, which cmd.exe would change; use a program that is not a batch file",
				program, arg, arg[bad])
		}
		if i > 0 {
			line.WriteByte(' ')
		}
		// A backslash before the closing quote would escape it for the program
		// that the batch file passes the argument to.
		rest := strings.TrimRight(arg, `\`)
		line.WriteString(`"` + arg + arg[len(rest):] + `"`)
	}
	line.WriteByte('"')
	return line.String(), nil
}
