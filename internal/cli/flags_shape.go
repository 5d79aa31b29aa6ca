package cli

import (
	"slices"
	"strings"

	"ldx/internal/command"
	"ldx/internal/printer"
)

// shapeFlags print results in other forms than lines of paths.
type shapeFlags struct {
	json, csv command.Commas // fields
}

func (f *shapeFlags) addTo(set *command.Flags) {
	f.json.Words, f.csv.Words = placeholderNames(), placeholderNames()
	all := strings.Join(printer.RecordFields(), ",")
	set.Add(&f.json, "json", "", "print each result as a JSON object, one a line; `FIELDS` are placeholders of --format, as in path,size; "+
		"default: "+strings.Join(printer.RecordFields(), ", ")).NoOptDefVal = all
	set.Add(&f.csv, "csv", "", "print results as comma-separated values, after a line of names; `FIELDS` as of --json").NoOptDefVal = all
}

func (*shapeFlags) conflicts() [][2]string {
	others := []string{"list-details", "columns", "format", "count", "quiet", "exec", "exec-batch"}
	return slices.Concat(
		command.Pairs("json", append([]string{"csv"}, others...)...),
		command.Pairs("csv", append([]string{"print0"}, others...)...),
	)
}

// given reports whether one of the flags was given.
func (f *shapeFlags) given() bool { return f.json.Texts != nil || f.csv.Texts != nil }

// renderer returns the form that was asked for.
func (f *shapeFlags) renderer(s printer.Style, end byte) (r printer.Renderer, err error) {
	flag := "--json"
	if f.json.Texts != nil {
		r, err = printer.NewJSON(s, f.json.Texts, end)
	} else {
		flag = "--csv"
		r, err = printer.NewCSV(s, f.csv.Texts)
	}
	if err != nil {
		err = templateError(flag, err)
	}
	return r, err
}
