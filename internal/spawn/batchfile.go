package spawn

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Windows has cmd.exe run batch files, which takes the command line apart by rules
// of its own: what the C runtime's quoting makes of a name such as a"&calc may run
// another program. So arguments are all in quotes, and those are refused that cmd.exe
// reads in quotes too.

// isBatchFile reports whether Windows has cmd.exe run the program. It passes over
// dots and spaces at the end, as Windows does.
func isBatchFile(program string) bool {
	switch strings.ToLower(filepath.Ext(strings.TrimRight(program, ". "))) {
	case ".bat", ".cmd":
		return true
	}
	return false
}

// batchFileLine returns the command line by which cmd.exe runs a batch file with
// arguments, without its extensions being turned on or off by the registry.
func batchFileLine(program string, args []string) (string, error) {
	var line strings.Builder
	line.WriteString(`cmd.exe /e:ON /v:OFF /d /s /c "`)
	for i, arg := range append([]string{program}, args...) {
		if bad := strings.IndexAny(arg, "\"%\r\n\x00"); bad >= 0 {
			return "", fmt.Errorf("%s: the argument %s has a %q, which cmd.exe would not leave as it is; give it to a program that is no batch file", program, arg, arg[bad])
		}
		if i > 0 {
			line.WriteByte(' ')
		}
		// A backslash before the closing quote would be taken with it by what the
		// batch file passes the argument on to.
		rest := strings.TrimRight(arg, `\`)
		line.WriteString(`"` + arg + arg[len(rest):] + `"`)
	}
	line.WriteByte('"')
	return line.String(), nil
}
