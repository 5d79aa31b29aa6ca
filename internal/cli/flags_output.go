package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"ldx/internal/command"
	"ldx/internal/format"
	"ldx/internal/match"
	"ldx/internal/printer"
	"ldx/internal/property"
	"ldx/internal/search"
	"ldx/internal/term"
	"ldx/internal/walk"
)

// A when is the value of a flag that says when something is done.
type when uint8

const (
	auto when = iota
	always
	never
)

var whenWords = []command.Word[when]{{Name: "auto", Value: auto}, {Name: "always", Value: always}, {Name: "never", Value: never}}

// colourFlag says whether output has colours.
type colourFlag struct{ color command.OneOf[when] }

func (f *colourFlag) addTo(set *command.Flags) {
	set.Section(sectionOutput)
	f.color.Words = whenWords
	set.Add(&f.color, "color", "c", "use the colours of LS_COLORS; `WHEN`: auto (on a terminal, unless NO_COLOR is set), always, never")
}

// wanted reports whether output has colours.
func (f *colourFlag) wanted(terminal bool) bool {
	return f.color.Value == always || f.color.Value == auto && terminal && term.WantsColours(os.Stdout)
}

// palette returns the colours, or nil.
func (f *colourFlag) palette(terminal bool) *printer.Palette {
	if !f.wanted(terminal) {
		return nil
	}
	colours, ok := os.LookupEnv("LS_COLORS")
	if !ok {
		colours = defaultColours()
	}
	return printer.NewPalette(colours)
}

// outputFlags say what is printed of results, in which order, and how many.
type outputFlags struct {
	colourFlag
	details, null, quiet, count, stats bool
	columns                            command.Commas // of a listing
	sort, sortReversed                 command.Commas
	dirSizes                           bool // --du
	format                             command.Text
	shape                              shapeFlags
	absolute                           bool
	relativeTo                         command.Dir
	stripPrefix, hyperlink             command.OneOf[when]
	slash                              command.OneOf[printer.Slash]
	separator                          command.Text
	quote                              quoteFlag
	maxResults                         command.Count
	holdFor                            command.Count // milliseconds

	matched      *match.Highlighter // what is underlined of each name; nil: nothing
	matchedPaths bool               // and of its path
	groups       *groups            // of the patterns, for placeholders
	listed       bool               // results are paths of a list, in its order
}

var slashWords = []command.Word[printer.Slash]{
	{Name: "auto", Value: printer.SlashAuto},
	{Name: "always", Value: printer.SlashAlways},
	{Name: "never", Value: printer.SlashNever},
}

func (f *outputFlags) addTo(set *command.Flags) {
	set.Section(sectionOutput)
	set.Bool(&f.details, "list-details", "l", "long listing: mode, links, owner, group, size, modification time; sorted by path or --sort")
	f.columns.Words = property.Placeholders()
	set.Add(&f.columns, "columns", "", "long listing of `FIELDS`, placeholders of --format with commas between them: path,size:h,mtime:%F")
	f.sort.Words, f.sortReversed.Words = printer.SortKeys(), printer.SortKeys()
	set.Add(&f.sort, "sort", "", "sort results by `KEY`, or by KEY,KEY: "+strings.Join(f.sort.Words, ", ")+
		"; natural is by path, with file2 before file10; -KEY is reversed; commands run in this order")
	set.Add(&f.sortReversed, "sortr", "", "sort by `KEY` in reverse order")
	set.Bool(&f.dirSizes, "du", "", "use a directory's total size, hidden and ignored files included, for -S, --sort, --format and -l")
	f.format.Words = []string{"{}", "{/}", "{//}", "{.}", "{/.}", "{size:h} {path}"}
	set.Add(&f.format, "format", "", "print each result with `TEMPLATE`: {} path, {/} file name, {//} parent directory, "+
		"{.} and {/.} without extension, {{ }} braces"+self.formatHint())
	f.shape.addTo(set)
	set.Toggle(&f.absolute, "absolute-path", "a", "print absolute paths", "relative-path", "print relative paths (default)")
	set.Add(&f.relativeTo, "relative-to", "", "print paths relative to `DIR`")
	f.stripPrefix.Words = whenWords
	set.Add(&f.stripPrefix, "strip-cwd-prefix", "",
		"omit ./ before paths; `WHEN`: auto (not with -0 and commands), always (default without =WHEN), never").NoOptDefVal = "always"
	set.Add(&f.separator, "path-separator", "", "print `SEP` between the parts of paths; default: a slash, on Windows a backslash")
	f.slash.Words = slashWords
	set.Add(&f.slash, "trailing-slash", "", "print a slash after directories; `WHEN`: auto (not with --format and -l), always, never")
	f.quote.addTo(set)
	f.colourFlag.addTo(set)
	f.hyperlink = command.OneOf[when]{Value: never, Words: whenWords}
	set.Add(&f.hyperlink, "hyperlink", "",
		"make paths links to file:// URLs; `WHEN`: auto (with colours; default without =WHEN), always, never (default)").NoOptDefVal = "auto"
	set.Alias("hyperlink", "hyper")
	set.Bool(&f.null, "print0", "0", "end each result with a NUL character, for xargs -0")
	set.Add(&f.maxResults, "max-results", "", "stop after `N` results; 0: no limit")
	set.Switch("max-one-result", "1", "stop after the first result", func() { f.maxResults.N, f.maxResults.Given = 1, true })
	set.Bool(&f.quiet, "quiet", "q", "print nothing; exit with 0 if there is a result, else with 1")
	set.Alias("quiet", "has-results")
	set.Bool(&f.count, "count", "", "print only the number of results")
	set.Bool(&f.stats, "stats", "", "print statistics to stderr at the end")
	set.AddHidden(&f.holdFor, "max-buffer-time") // how long results are held back to be sorted, as in fd
}

func (f *outputFlags) conflicts(*command.Flags) [][2]string {
	pairs := slices.Concat(
		command.Pairs("sort", "sortr", "count"),
		command.Pairs("sortr", "count"),
		command.Pairs("list-details", "format", "count"),
		command.Pairs("columns", "format", "count", "quiet"),
		command.Pairs("quiet", "list-details", "max-results"),
	)
	pairs = slices.Concat(pairs, f.shape.conflicts(), f.quote.conflicts())
	if f.absolute { // and not taken back
		pairs = append(pairs, command.Pairs("absolute-path", "relative-to")...)
	}
	if !self.listsMore {
		pairs = append(pairs, command.Pairs("list-details", "print0", "max-results", "max-one-result")...)
		if f.absolute {
			pairs = append(pairs, command.Pairs("absolute-path", "list-details")...)
		}
	}
	return pairs
}

// lists reports whether results are listed in columns, which takes all of them.
func (f *outputFlags) lists() bool { return f.details || f.columns.Texts != nil }

// lines returns a writer of paths alone.
func (f *outputFlags) lines(w io.Writer) *lineWriter {
	l := &lineWriter{Writer: bufio.NewWriterSize(w, 32<<10), separator: f.pathSeparator(), end: '\n', terminal: term.IsTerminal(os.Stdout)}
	if f.null {
		l.end = 0
	}
	return l
}

// limit returns after how many results to stop; 0: never.
func (f *outputFlags) limit() int64 {
	if f.quiet {
		return 1
	}
	return int64(f.maxResults.N)
}

// roots returns where a search of paths starts, and how the paths of results begin. piped says
// that something else reads them, which could take a path for a flag.
func (f *outputFlags) roots(paths []string, piped bool) ([]walk.Root, error) {
	roots, err := f.labels(piped).Roots(paths)
	if err != nil && f.relativeTo != "" {
		err = fmt.Errorf("--relative-to: %w", err)
	}
	return roots, err
}

// labels returns how the paths of results begin.
func (f *outputFlags) labels(piped bool) search.Labels {
	return search.Labels{
		Absolute:   f.absolute,
		RelativeTo: string(f.relativeTo),
		StripDot:   f.stripPrefix.Value == always,
		KeepDot:    f.stripPrefix.Value == never || f.stripPrefix.Value == auto && (f.null || piped),
	}
}

// printer returns the Sink that prints results to w.
func (f *outputFlags) printer(w io.Writer, roots []walk.Root, report func(error)) (search.Sink, error) {
	if f.shape.countBy.Given {
		return search.Count(w, f.counts()), nil
	}
	order, sorted, err := f.order()
	if err != nil {
		return nil, err
	}
	if f.shape.tree && !order.ByPath() {
		keys := strings.Join(f.sort.Texts, ",")
		return nil, command.Usagef("--tree is in the order of paths; leave out --sort %s, or give --sort natural", keys)
	}
	r, err := f.renderer(roots, report)
	if err != nil {
		return nil, err
	}
	opt := printer.Options{Eager: term.IsTerminal(os.Stdout)}
	if t, ok := r.(*printer.TreeView); ok {
		return search.PrintTree(printer.New(w, t, opt), t, order), nil
	}
	if sorted || f.lists() {
		return search.PrintSorted(printer.New(w, r, opt), order, !sorted), nil
	}
	opt.Hold = time.Duration(f.holdFor.Or(100)) * time.Millisecond
	return search.Print(printer.New(w, r, opt)), nil
}

// renderer returns what results look like.
func (f *outputFlags) renderer(roots []walk.Root, report func(error)) (printer.Renderer, error) {
	terminal := term.IsTerminal(os.Stdout)
	style := printer.Style{
		Separator: f.pathSeparator(),
		Slash:     f.slash.Value,
		Listed:    f.listed,
		Palette:   f.palette(terminal),
		Escape:    f.quote.escapes(),
		Quote:     f.quote.function(),
		Report:    report,
	}
	if f.matched != nil {
		style.Matched, style.MatchPaths = f.matched.AppendSpans, f.matchedPaths
	}
	if f.links(terminal) {
		if err := search.MakeAbsolute(roots); err != nil {
			return nil, err
		}
		style.Hyperlinks = true
		style.Host, _ = os.Hostname() // a link works without
	}
	end := f.end()
	switch {
	case f.shape.given():
		return f.shape.renderer(style, end)
	case f.columns.Texts != nil:
		list, err := printer.NewColumns(style, f.columns.Texts, end)
		if err != nil {
			err = templateError("--columns", err)
		}
		return list, err
	case f.details:
		return printer.NewList(style, time.Now(), end), nil
	case !f.format.Given:
		return printer.NewLines(style, end), nil
	}
	r, err := self.template(f.format.Text, style, end, f.groups)
	if err != nil {
		return nil, templateError("--format", err)
	}
	return r, nil
}

// end returns what each result ends in.
func (f *outputFlags) end() byte {
	if f.null {
		return 0
	}
	return '\n'
}

// templateError returns what is wrong with the template of a flag, and which placeholder may have
// been meant.
func templateError(flag string, err error) error {
	unknown, ok := errors.AsType[*format.UnknownError](err)
	if !ok {
		return command.Usagef("%s: %v", flag, err)
	}
	like := command.Nearest(unknown.Name, placeholderNames())
	if p := property.Get(unknown.Name); p != nil {
		like = p.Name // of an alias
	}
	if like != "" {
		return command.Usagef("%s: there is no placeholder {%s}; did you mean {%s}?", flag, unknown.Name, like)
	}
	return command.Usagef("%s: %v; the placeholders are %s", flag, err, strings.Join(printer.Placeholders(), " "))
}

func placeholderNames() (names []string) {
	for _, p := range printer.Placeholders() {
		names = append(names, strings.Trim(p, "{}"))
	}
	return names
}

// links reports whether results are hyperlinks.
func (f *outputFlags) links(terminal bool) bool {
	return f.hyperlink.Value == always || f.hyperlink.Value == auto && f.wanted(terminal)
}

// reset returns what ends the colours and hyperlinks of a result on a terminal.
func (f *outputFlags) reset() string {
	if f.wanted(true) || f.links(true) || strings.Contains(f.format.Text, "\x1b") {
		return term.ResetLooks
	}
	return ""
}

// order returns what results are sorted by, and whether they are.
func (f *outputFlags) order() (order printer.Order, sorted bool, err error) {
	keys := slices.Concat(f.sort.Texts, f.sortReversed.Texts)
	if order, err = printer.NewOrder(keys, len(f.sortReversed.Texts) > 0); err != nil {
		flag := "--sort"
		if len(f.sortReversed.Texts) > 0 {
			flag = "--sortr"
		}
		err = command.Usagef("%s: %v", flag, err)
	}
	return order, len(keys) > 0, err
}

// pathSeparator returns what is printed between the parts of a path; "" is a slash.
func (f *outputFlags) pathSeparator() string {
	if f.separator.Text != "" {
		return f.separator.Text
	}
	return defaultSeparator()
}

// defaultSeparator is the system's, except in the Unix shells of Windows.
func defaultSeparator() string {
	if os.Getenv("MSYSTEM") != "" {
		return ""
	}
	return string(os.PathSeparator)
}
