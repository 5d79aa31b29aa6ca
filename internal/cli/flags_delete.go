package cli

import (
	"bufio"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"

	"ldx/internal/command"
	"ldx/internal/format"
	"ldx/internal/search"
	"ldx/internal/term"
	"ldx/internal/trash"
)

// deleteFlags say whether results are deleted or moved to the trash.
type deleteFlags struct{ delete, trash, yes, dryRun, verbose, mounts bool }

func (f *deleteFlags) addTo(set *command.Flags) {
	set.Section(sectionRun)
	set.Bool(&f.delete, "delete", "", "delete the results, after a question on the terminal; a directory only if it is empty then")
	set.Bool(&f.trash, "trash", "", "move the results to the trash, after a question; a directory with all that is in it")
	set.Bool(&f.yes, "yes", "", "do not ask before deleting or moving; needed where there is no terminal")
	set.Bool(&f.dryRun, "dry-run", "", "print what would be deleted or moved, or the commands of -x and -X, and do nothing")
	set.Bool(&f.verbose, "verbose", "v", "print what is deleted or moved to the trash")
	set.Bool(&f.mounts, "no-one-file-system", "", "delete on other file systems too, mounted below the paths")
}

func (f *deleteFlags) conflicts(*command.Flags) [][2]string {
	others := []string{
		"exec", "exec-batch", "format", "list-details", "columns", "json", "csv", "tree", "count-by", "sort", "sortr", "count", "quiet",
		"max-results", "max-one-result", "prune", "unverified",
	}
	return slices.Concat(
		command.Pairs("delete", append(others, "trash")...),
		command.Pairs("trash", others...),
		command.Pairs("dry-run", "yes", "verbose"),
		command.Pairs("one-file-system", "no-one-file-system"),
	)
}

// given reports whether results are deleted or moved to the trash.
func (f *deleteFlags) given() bool { return f.delete || f.trash }

// check returns an error if flags were given that --delete does not go with, or that need it.
func (f *deleteFlags) check(set *command.Flags, follows, runs bool) error {
	switch {
	case f.trash && !trash.Supported:
		return command.Usagef("--trash is not for this system, whose trash has other rules; --delete deletes")
	case f.delete && follows:
		return command.Usagef("--delete and -L/--follow exclude each other; leave one out: a link is deleted itself, never what it leads to")
	case f.trash && follows:
		return command.Usagef("--trash and -L/--follow exclude each other; leave one out: a link is moved itself, never what it leads to")
	case f.given():
		return nil
	case f.dryRun && !runs:
		return command.Usagef("--dry-run is for --delete, --trash, -x/--exec and -X/--exec-batch, which are not given")
	case f.verbose && self.habits:
		return command.Usagef("-v/--verbose is for --delete and --trash, which are not given; " +
			"--not PATTERN leaves out what matches, --version prints the version")
	case f.yes, f.verbose, f.mounts:
		return command.Usagef("%s is for --delete and --trash, which are not given", set.FirstGiven("yes", "verbose", "no-one-file-system"))
	}
	return nil
}

// The errors of a question: standard input or error is not a terminal, or the user said no.
var (
	errNoTerminal = errors.New("--delete: there is no terminal to ask on; --yes deletes without a question, " +
		"--dry-run prints what would be deleted")
	errNotDeleted = errors.New("nothing was deleted")

	errTrashNoTerminal = errors.New("--trash: there is no terminal to ask on; --yes moves without a question, " +
		"--dry-run prints what would be moved")
	errNotMoved = errors.New("nothing was moved")
)

// run deletes the results of a search. Unless that was asked for, it counts them first and asks,
// and deletes only what was counted. The Result is that of the last search.
func (f *deleteFlags) run(ctx context.Context, o search.Options, out *lineWriter) (r search.Result, err error) {
	deletion := search.Deletion{Mounts: f.mounts, Dry: f.dryRun}
	noTerminal, refused := errNoTerminal, errNotDeleted
	if f.trash {
		deletion.Trash = trash.New(os.Getenv)
		noTerminal, refused = errTrashNoTerminal, errNotMoved
	}
	if f.dryRun || f.verbose {
		deletion.Each = out.write
	}
	if !f.yes && !f.dryRun {
		if !isAskable() {
			return r, noTerminal
		}
		counted := search.NewDeleter(search.Deletion{Mounts: f.mounts, Dry: true, Trash: deletion.Trash})
		var errs errorList
		first := o
		first.Sink, first.Walk.Report = counted, errs.add
		if r, err = search.Run(ctx, first); err != nil || r.Matches == 0 || !asks(os.Stdin, f.question(counted, r)) {
			for _, err := range errs.list { // else the second search reports them
				o.Walk.Report(err)
			}
			if err == nil && r.Matches > 0 {
				err = refused
			}
			return r, err
		}
		// What was counted has been kept, and with --unique found by another name, perhaps.
		deletion.Only, o.Keep, o.Filter = counted, nil, o.Filter.EachName()
	}
	o.Sink = search.NewDeleter(deletion)
	r, err = search.Run(ctx, o)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return r, err
}

// question says how much would be deleted or moved, and what is left.
func (f *deleteFlags) question(d *search.Deleter, r search.Result) string {
	var parts []string
	if d.Files() > 0 {
		parts = append(parts, counted(d.Files(), "file", "files"))
	}
	if d.Dirs() > 0 {
		parts = append(parts, counted(d.Dirs(), "directory", "directories"))
	}
	text := strings.Join(parts, " and ")
	switch {
	case f.trash && d.Dirs() > 1:
		text += " with all in them"
	case f.trash && d.Dirs() > 0:
		text += " with all in it"
	case d.Files() > 0:
		text += ", " + readableSize(d.Bytes())
	}
	if f.trash {
		text = "Move to the trash: " + text
	} else {
		text = "Delete " + text
	}
	if left := leftOut(r.Stats); left != "" {
		text += " (" + left + " left out)"
	}
	return text + "?"
}

// readableSize returns a size with its unit.
func readableSize(n int64) string {
	text := string(format.Human.Append(nil, uint64(n)))
	if letter := text[len(text)-1]; letter > '9' {
		return text[:len(text)-1] + " " + string(letter) + "iB"
	}
	return counted(n, "byte", "bytes")
}

// An errorList keeps errors. It is safe for concurrent use.
type errorList struct {
	mu   sync.Mutex
	list []error
}

func (l *errorList) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, err)
}

// A lineWriter writes paths, a line each. It is safe for concurrent use.
type lineWriter struct {
	mu sync.Mutex
	*bufio.Writer
	end       byte
	separator string
	terminal  bool // paths are escaped, and written at once
	line      []byte
}

func (w *lineWriter) write(path []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.line = w.line[:0]
	if path[0] == '-' { // not to be taken for a flag
		w.line = append(w.line, "./"...)
	}
	w.line = format.Separate(append(w.line, path...), w.separator)
	if w.terminal {
		w.line = term.AppendEscaped(nil, w.line)
	}
	w.line = append(w.line, w.end)
	_, err := w.Write(w.line)
	if err == nil && w.terminal {
		err = w.Flush()
	}
	return err
}
