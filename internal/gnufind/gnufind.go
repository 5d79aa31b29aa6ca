// Package gnufind translates command lines of GNU find to ldx, for users who type find's words.
//
//	gnufind.go   IsWord, Translate, and what the words are
//	parse.go     a line as find understands it: paths, tests, operators, actions
//	line.go      the ldx line for an expression, or the word that has no counterpart
//	prune.go     what is left out, as -E
//	actions.go   what is done with results, for that line
//	tests.go     tests on metadata, for that line
//	pattern.go   find's globs and regular expressions as ldx writes them
package gnufind

import (
	"strings"

	"ldx/internal/command"
)

// IsWord reports whether an argument is a word of find's that can hardly be meant as flags of
// ldx. Others, such as -ls and -o, are understood beside such a word.
func IsWord(arg string) bool {
	if len(arg) < 3 || arg[0] != '-' || arg[1] == '-' {
		return false
	}
	switch arg {
	case "-ls", "-and", "-or", "-uid", "-gid": // all are flags too: -l -s
		return false
	}
	_, known := arity(arg)
	return known
}

// arity returns how many arguments a word of find's takes; -1: those up to ; or +. It
// reports whether it is one.
func arity(word string) (n int, known bool) {
	switch word {
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-regextype",
		"-type", "-xtype", "-lname", "-ilname", "-maxdepth", "-mindepth", "-mtime", "-mmin", "-atime", "-amin", "-ctime",
		"-cmin", "-newer", "-anewer", "-cnewer",
		"-size", "-perm", "-user", "-group", "-uid", "-gid", "-links", "-inum", "-samefile", "-fstype", "-printf", "-fprint", "-fprint0",
		"-fls", "-used", "-context":
		return 1, true
	case "-fprintf":
		return 2, true
	case "-exec", "-execdir", "-ok", "-okdir":
		return -1, true
	case "-delete", "-print", "-print0", "-ls", "-prune", "-quit", "-empty", "-executable", "-readable", "-writable", "-nouser", "-nogroup",
		"-true", "-false", "-depth", "-xdev", "-mount", "-follow", "-daystart", "-noleaf", "-warn", "-nowarn", "-ignore_readdir_race",
		"-not", "-and", "-or":
		return 0, true
	}
	if clocks, ok := strings.CutPrefix(word, "-newer"); ok && len(clocks) == 2 { // -newermt
		return 1, strings.Contains("aBcm", clocks[:1]) && strings.Contains("aBcmt", clocks[1:])
	}
	return 0, false
}

// A Translation is what a line of find's is in ldx.
type Translation struct {
	Find    string   // find's words, as for a shell
	Command string   // the ldx line
	Notes   []string // what its flags are for, and what differs
}

// An Options says how to read what is not find's.
type Options struct {
	Name string // of the program
	// Own returns how many arguments at the beginning of args are a flag of the program with
	// its value; 0: none.
	Own func(args []string) int
	// Exists reports whether a path exists.
	Exists func(path string) bool
	// Absolute returns an absolute path, clean.
	Absolute func(path string) string
}

// Translate returns the ldx line that finds what find finds with these arguments, but for the
// paths themselves. The error says which word has no counterpart.
//
// Arguments may be mixed: flags of ldx stay as they are, and so does a pattern. Then hidden
// and ignored files are not asked for.
func Translate(args []string, o Options) (Translation, error) {
	p := parser{Options: o, args: args}
	expression, err := p.parse()
	if err != nil {
		return Translation{}, err
	}
	l := line{parsed: &p, caseOf: anyCase}
	if err := l.add(expression); err != nil {
		return Translation{}, err
	}
	text, err := l.command()
	return Translation{Find: shown(p.words), Command: text, Notes: l.notes}, err
}

// shown returns words as for a shell.
func shown(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		switch word {
		case "{}", "!":
			quoted[i] = word
		case ";", "(", ")":
			quoted[i] = `\` + word
		default:
			quoted[i] = command.ShellWord(word)
		}
	}
	return strings.Join(quoted, " ")
}
