package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"ldx/internal/command"
	"ldx/internal/measure"
)

// benchFiles are the files that ldx bench writes; nil: not asked for.
type benchFiles struct {
	out, summary, markdown, svg *os.File
	rows                        *measure.Rows
}

// create opens all of them before anything is measured, the summary of speeds if that is
// wanted.
func (f *benchFlags) create(summary bool) (files *benchFiles, err error) {
	files = &benchFiles{}
	open := func(to **os.File, file command.File, ending string) {
		name := string(file)
		if name == "" || err != nil {
			return
		}
		if os.IsPathSeparator(name[len(name)-1]) {
			err = command.Usagef("%s is not the name of a file", command.Quote(name))
			return
		}
		*to, err = os.Create(strings.TrimSuffix(name, ending) + ending)
	}
	open(&files.out, f.out, ".csv")
	if summary && f.out != "" {
		open(&files.summary, command.File(strings.TrimSuffix(string(f.out), ".csv")), ".summary.csv")
	}
	open(&files.markdown, f.markdown, ".md")
	open(&files.svg, f.svg, ".svg")
	if err == nil && files.out != nil {
		files.rows, err = measure.NewRows(files.out, measure.ThisHost())
	}
	if err != nil {
		files.close()
	}
	return files, err
}

func (f *benchFiles) all() []*os.File { return []*os.File{f.out, f.summary, f.markdown, f.svg} }

func (f *benchFiles) close() {
	for _, file := range f.all() {
		if file != nil {
			_ = file.Close()
		}
	}
}

func (f *benchFiles) add(c *measure.Case) error {
	if f.rows == nil {
		return nil
	}
	return f.rows.Add(c)
}

// finish writes what needs all runs, and names the files.
func (f *benchFiles) finish(result measure.Report, cases []*measure.Case) error {
	var errs []error
	if f.summary != nil {
		errs = append(errs, measure.WriteSummary(f.summary, cases))
	}
	if f.markdown != nil {
		_, err := fmt.Fprintf(f.markdown, "# ldx bench\n\n%s\n\n%s", measure.ThisHost(), result.Markdown())
		errs = append(errs, err)
	}
	if f.svg != nil {
		_, err := f.svg.WriteString(result.SVG())
		errs = append(errs, err)
	}
	for _, file := range f.all() {
		if file != nil {
			report(fmt.Errorf("%s is written", file.Name()))
		}
	}
	return errors.Join(errs...)
}
