package command

import (
	"io"
	"strings"
)

// Functions of shells that change to the directory which PROGRAM --cd prints: as it is, with a NUL
// after it. What PROGRAM prints is never run: with --help in the arguments it is no directory.
const (
	posixChangeDir = `
# NAME PATTERN [PATH ...] changes to the directory of the first result.
NAME() {
	local place
	place=$(command PROGRAM --cd -0 "$@" | LC_ALL=C tr '\0' /)
	case $place in
	'') return 1 ;;
	*/) cd -- "${place%/}" ;;
	*) printf '%s\n' "$place" ;;
	esac
}
`
	fishChangeDir = `
function NAME --description 'Change to the directory of the first result'
	set -l place (command PROGRAM --cd -0 $argv | string split0)
	if test $status -eq 0
		cd -- "$place"
	else
		test -n "$place"; and printf %s "$place"
	end
end
`
	powershellChangeDir = `
# NAME PATTERN [PATH ...] changes to the directory of the first result.
function NAME {
    $place = (& (Get-Command -CommandType Application PROGRAM)[0] --cd -0 @args) -join [string][char]10
    if ($LASTEXITCODE -eq 0) { Set-Location -LiteralPath $place.TrimEnd([char]0) }
}
`
)

// WriteChangeDir writes a function of a shell that changes to the directory of the first result of
// the program. Shells without one get nothing.
func WriteChangeDir(w io.Writer, shell, name, program string) error {
	text := ""
	switch shell {
	case "bash", "zsh":
		text = posixChangeDir
	case "fish":
		text = fishChangeDir
	case "powershell":
		text = powershellChangeDir
	}
	_, err := io.WriteString(w, strings.NewReplacer("NAME", name, "PROGRAM", program).Replace(text))
	return err
}
