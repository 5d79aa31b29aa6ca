package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ldx/internal/command"
	"ldx/internal/printer"
	"ldx/internal/search"
	"ldx/internal/spawn"
	"ldx/internal/term"
)

// openFlags say whether results are opened, or lead to a directory.
type openFlags struct {
	open, cd bool
	results  results
}

func (f *openFlags) addTo(set *command.Flags) {
	set.Section(sectionRun)
	set.Bool(&f.open, "open", "", "open the result with the program that the system has for it; of several, those chosen on the terminal")
	function := ""
	if self.usages != nil {
		function = "; ldx completion has a function for it, lcd"
	}
	set.Bool(&f.cd, "cd", "", "print the directory of the first result, quoted for a shell"+function)
}

func (*openFlags) conflicts(*command.Flags) [][2]string {
	others := []string{
		"exec", "exec-batch", "delete", "trash", "list-details", "columns", "format", "json", "csv", "tree", "count", "count-by", "quiet",
		"relative-to", "trailing-slash", "path-separator", "hyperlink",
	}
	return append(command.Pairs("open", append([]string{"cd", "print0"}, others...)...), command.Pairs("cd", others...)...)
}

func (f *openFlags) given() bool { return f.open || f.cd }

// sink returns what keeps the results: for a directory the first one, as it would be printed.
func (f *openFlags) sink(o *search.Options, out *outputFlags) (search.Sink, error) {
	order, sorted, err := out.order()
	if err != nil {
		return nil, err
	}
	f.results.all = f.open
	opt := printer.Options{}
	if f.cd && !sorted {
		opt.Hold = time.Duration(out.holdFor.Or(100)) * time.Millisecond
		return search.Print(printer.New(&f.results, printer.NewLines(printer.Style{}, 0), opt)), nil
	}
	if f.cd {
		o.MaxResults = 1
	}
	return search.PrintSorted(printer.New(&f.results, printer.NewLines(printer.Style{}, 0), opt), order, false), nil
}

// run does what was asked for with the results of a search, whose error is err. ok is false if one
// could not be opened, which was reported.
func (f *openFlags) run(out *outputFlags, err error) (ok bool, _ error) {
	if errors.Is(err, errEnough) {
		err = nil
	}
	paths := f.results.paths()
	switch {
	case err != nil || len(paths) == 0:
		return true, err
	case f.cd:
		return true, writeDirectory(os.Stdout, paths[0], out.null)
	}
	if len(paths) > 1 {
		if paths, err = choose(paths); err != nil {
			return true, err
		}
	}
	ok = true
	for _, path := range paths {
		if err := spawn.Open(filepath.FromSlash(path)); err != nil {
			report(err)
			ok = false
		}
	}
	return ok, nil
}

// errEnough means that no more results are wanted.
var errEnough = errors.New("enough results")

// results are paths with a NUL after each.
type results struct {
	all  bool // or else the first
	text []byte
}

// Write keeps paths.
func (r *results) Write(p []byte) (int, error) {
	r.text = append(r.text, p...)
	if !r.all {
		return 0, errEnough
	}
	return len(p), nil
}

// paths returns them, without slashes at their ends.
func (r *results) paths() (paths []string) {
	for path := range bytes.SplitSeq(bytes.TrimSuffix(r.text, []byte{0}), []byte{0}) {
		if text := string(path); text != "" {
			paths = append(paths, text[:1]+strings.TrimSuffix(text[1:], "/"))
		}
	}
	return paths
}

// writeDirectory writes a directory, or that of a file: as a word of a shell in a line, or with a NUL
// after it as it is.
func writeDirectory(w io.Writer, path string, null bool) error {
	path = filepath.FromSlash(path)
	if strings.Contains(path, "..") { // which a shell resolves as if no links were before it
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			path = resolved
		}
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		path = filepath.Dir(path)
	}
	if null {
		_, err := io.WriteString(w, path+"\x00")
		return err
	}
	path = command.ShellWord(path)
	if term.IsTerminal(os.Stdout) {
		path = term.Escape(path)
	}
	_, err := fmt.Fprintln(w, path)
	return err
}

// choose has the user choose from paths by their numbers.
func choose(paths []string) ([]string, error) {
	if !isAskable() {
		return nil, fmt.Errorf("--open: there are %s, and no terminal to choose on; -1 opens the first one found",
			counted(int64(len(paths)), "result", "results"))
	}
	const around = 3 // lines: the question, and what is before and after it
	height, width := term.Size(os.Stderr)
	shown := paths[:min(len(paths), max(2, height-around))]
	cwd, _ := os.Getwd()
	digits := len(strconv.Itoa(len(shown)))
	for i, path := range shown {
		if rest, ok := strings.CutPrefix(path, filepath.ToSlash(cwd)+"/"); ok {
			path = rest
		}
		fmt.Fprintf(os.Stderr, "%*d  %s\n", digits, i+1, term.Tail(term.Escape(path), width-digits-len("  ...")-1))
	}
	if more := len(paths) - len(shown); more > 0 {
		fmt.Fprintf(os.Stderr, "and %s, for which there is no space\n", counted(int64(more), "other", "others"))
	}
	for {
		text := answer(os.Stdin, fmt.Sprintf("Open which? 1-%d, several with spaces, nothing for none: ", len(shown)))
		if text == "" {
			return nil, errors.New("nothing was opened")
		}
		if chosen, ok := chosen(shown, text); ok {
			return chosen, nil
		}
	}
}

// chosen returns the paths that numbers in a text stand for. ok is false if one stands for none.
func chosen(paths []string, text string) (some []string, ok bool) {
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(paths) {
			return nil, false
		}
		some = append(some, paths[n-1])
	}
	return some, len(some) > 0
}
