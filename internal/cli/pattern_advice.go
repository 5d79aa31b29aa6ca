package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ldx/internal/command"
	"ldx/internal/match"
)

// isPath reports whether an argument can only be meant as a path: it is a directory, and has a
// slash or is "..".
func isPath(arg string) bool {
	if arg != ".." && !strings.ContainsRune(arg, '/') && !strings.ContainsRune(arg, os.PathSeparator) {
		return false
	}
	info, err := os.Stat(arg)
	return err == nil && info.IsDir()
}

// slashAdvice returns the error for a pattern with a slash, which matches no name. It has the
// command line that was probably meant.
func (p *patterns) slashAdvice(pattern string) error {
	const maxLen = 200
	if len(pattern) > maxLen {
		return fmt.Errorf("the pattern %s has a slash, and no name has one: -p matches whole paths", quotedPattern(pattern))
	}
	return &advice{
		text:    fmt.Sprintf("the pattern %s has a slash, and no name has one; try:", command.Quote(pattern)),
		command: commandLine(p.insteadOf(pattern)...),
	}
}

// insteadOf returns arguments that find what a pattern with a slash was meant to find.
func (p *patterns) insteadOf(pattern string) []string {
	syntax := p.flags.syntax
	if syntax == match.Regexp && looksLikeGlob(pattern) {
		syntax = match.Glob
	}
	plain := strings.TrimPrefix(pattern, "./")
	if syntax == match.Glob {
		return append(globForPaths(plain), p.paths...)
	}
	var mode []string
	switch syntax {
	case match.Fixed:
		mode = []string{"-F"}
	case match.Exact:
		mode = []string{"--exact"}
	}
	if dir, name := filepath.Split(pattern); dir != "" && name != "" && name != ".." && len(p.paths) == 0 {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return append(mode, name, filepath.Clean(dir))
		}
	}
	switch rest, anchored := strings.CutPrefix(plain, "^"); {
	case syntax == match.Exact:
		if absolute, err := filepath.Abs(plain); err == nil {
			plain = filepath.ToSlash(absolute)
		}
	case syntax == match.Regexp && anchored && !strings.HasPrefix(rest, "/"):
		plain = "/" + rest // -p matches absolute paths
	}
	return slices.Concat([]string{"-p"}, mode, []string{plain}, p.paths)
}

// globForPaths returns arguments for a glob of paths below the roots.
func globForPaths(glob string) []string {
	rest, anywhere := strings.CutPrefix(glob, "**/")
	switch {
	case anywhere && !strings.Contains(rest, "/"):
		return []string{"-g", rest}
	case anywhere, strings.HasPrefix(glob, "/"):
		return []string{"-p", "-g", glob}
	}
	return []string{"-p", "-g", "**/" + glob}
}

// looksLikeGlob reports whether a regular expression was probably meant as a glob: it has a *
// where a name or a part of one would begin, or after a letter.
func looksLikeGlob(pattern string) bool {
	for i := range len(pattern) {
		if pattern[i] == '*' && (i == 0 || strings.IndexByte(`.)]}\`, pattern[i-1]) < 0) {
			return !strings.ContainsAny(pattern, `()|+^$\`)
		}
	}
	return false
}
