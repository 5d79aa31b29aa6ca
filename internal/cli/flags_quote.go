package cli

import (
	"os"

	"ldx/internal/command"
	"ldx/internal/term"
)

// quoting is how paths that are printed are quoted.
type quoting uint8

const (
	quoteAuto quoting = iota // escaped on a terminal
	quoteShell
	quoteC
	quoteNever
)

// quoteFlag says how paths are quoted.
type quoteFlag struct{ quote command.OneOf[quoting] }

func (f *quoteFlag) addTo(set *command.Flags) {
	f.quote.Words = []command.Word[quoting]{
		{Name: "auto", Value: quoteAuto}, {Name: "shell", Value: quoteShell}, {Name: "c", Value: quoteC}, {Name: "never", Value: quoteNever},
	}
	set.Add(&f.quote, "quote", "", "quote paths, and what placeholders of --format stand for; `HOW`: auto (on a terminal, "+
		"characters that it does not show are escaped), shell (words of a shell), c (strings of C), never")
}

func (f *quoteFlag) conflicts() [][2]string {
	return command.Pairs("quote", "json", "csv", "tree", "count-by", "columns", "print0", "cd", "open")
}

// given reports whether paths are in quotes, or as they are wherever they go.
func (f *quoteFlag) given() bool { return f.quote.Value != quoteAuto }

// function returns what quotes a path, or nil.
func (f *quoteFlag) function() func(b, path []byte) []byte {
	switch f.quote.Value {
	case quoteShell:
		return term.AppendShell
	case quoteC:
		return term.AppendC
	}
	return nil
}

// escapes reports whether what a terminal does not show is escaped.
func (f *quoteFlag) escapes() bool { return !f.given() && term.IsTerminal(os.Stdout) }
