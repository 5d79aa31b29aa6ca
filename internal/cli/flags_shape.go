package cli

import (
	"os"
	"slices"
	"strings"
	"time"

	"ldx/internal/command"
	"ldx/internal/printer"
	"ldx/internal/property"
	"ldx/internal/term"
)

// shapeFlags print results in other forms than lines of paths.
type shapeFlags struct {
	json, csv command.Commas // fields
	countBy   command.OneOf[string]
	tree      bool
}

func (f *shapeFlags) addTo(set *command.Flags) {
	f.json.Words, f.csv.Words = placeholderNames(), placeholderNames()
	all := strings.Join(printer.RecordFields(), ",")
	set.Add(&f.json, "json", "", "print each result as a JSON object, one a line; `FIELDS` are placeholders of --format, as in path,size; "+
		"default: "+strings.Join(printer.RecordFields(), ", ")).NoOptDefVal = all
	set.Add(&f.csv, "csv", "", "print results as comma-separated values, after a line of names; `FIELDS` as of --json").NoOptDefVal = all
	set.Bool(&f.tree, "tree", "", "print results as a tree, with the directories that they are in")
	for _, name := range property.GroupNames() {
		f.countBy.Words = append(f.countBy.Words, command.Word[string]{Name: name, Value: name})
	}
	set.Add(&f.countBy, "count-by", "", "print how many results there are by `WHAT`: "+f.countBy.Names())
}

func (*shapeFlags) conflicts() [][2]string {
	others := []string{"list-details", "columns", "format", "count", "quiet", "exec", "exec-batch"}
	return slices.Concat(
		command.Pairs("json", append([]string{"csv", "count-by", "tree"}, others...)...),
		command.Pairs("csv", append([]string{"print0", "count-by", "tree"}, others...)...),
		command.Pairs("count-by", append([]string{"sort", "sortr", "tree"}, others...)...),
		command.Pairs("tree", append([]string{"sortr", "print0"}, others...)...),
	)
}

// given reports whether one of the flags was given.
func (f *shapeFlags) given() bool { return f.tree || f.json.Texts != nil || f.csv.Texts != nil }

// renderer returns the form that was asked for.
func (f *shapeFlags) renderer(s printer.Style, end byte) (r printer.Renderer, err error) {
	flag := "--json"
	switch {
	case f.tree:
		return printer.NewTreeView(s, !term.ShowsUTF8()), nil
	case f.json.Texts != nil:
		r, err = printer.NewJSON(s, f.json.Texts, end)
	default:
		flag = "--csv"
		r, err = printer.NewCSV(s, f.csv.Texts)
	}
	if err != nil {
		err = templateError(flag, err)
	}
	return r, err
}

// counts returns the Counts that --count-by asks for. On a terminal they fit the screen.
func (f *outputFlags) counts() *printer.Counts {
	opt := printer.CountOptions{Separator: f.pathSeparator(), End: f.end()}
	if opt.Table = term.IsTerminal(os.Stdout); opt.Table {
		const prompts = 3 // the command and what comes after it
		height, width := term.Size(os.Stdout)
		opt.Lines, opt.Width = max(2, height-prompts), width
		opt.Colours, opt.ASCII = f.wanted(true), !term.ShowsUTF8()
	}
	return printer.NewCounts(property.GroupBy(f.shape.countBy.Value, time.Now()), opt)
}
