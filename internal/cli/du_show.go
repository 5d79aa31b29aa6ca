package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"

	"ldx/internal/du"
	"ldx/internal/format"
	"ldx/internal/printer"
	"ldx/internal/term"
)

// style says how sizes and paths are shown; of a search that has filters, only what
// matches.
func (f *duFlags) style(paths printer.Style, matching bool) du.Style {
	unit := f.own.unit
	if unit == (format.Unit{}) {
		unit = defaultUnit(f.own.inView())
	}
	style := du.Style{
		Unit:     unit,
		Min:      f.own.least,
		Max:      f.own.most,
		Matching: matching,
		Total:    f.own.total,
		Path:     paths.AppendPath,
	}
	if f.own.inView() { // the output of du keeps its ./
		style.Path = func(b, path []byte, kind fs.FileMode) []byte {
			if short := bytes.TrimPrefix(path, []byte("./")); len(short) > 0 {
				path = short
			}
			return paths.AppendPath(b, path, kind)
		}
	}
	if f.own.time.Given {
		style.Time = f.own.timeStyle.Value
	}
	return style
}

// defaultUnit respects the variables that du respects in a pipe (coreutils manual, "Block
// size").
func defaultUnit(inView bool) format.Unit {
	if inView {
		return format.Human
	}
	for _, name := range []string{"DU_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE"} {
		if value, ok := os.LookupEnv(name); ok {
			if unit, err := format.ParseUnit(value); err == nil {
				return unit
			}
			break
		}
	}
	if _, ok := os.LookupEnv("POSIXLY_CORRECT"); ok {
		return format.Blocks(512)
	}
	return format.Blocks(1024)
}

// print writes the result in the form that was asked for.
func (f *duFlags) print(to *os.File, r *du.Result, opt du.Options, style du.Style, colours bool) error {
	terminal := term.IsTerminal(to)
	if f.own.top.Given {
		style.Only = style.Biggest(r, f.own.top.N)
	}
	if f.own.topFiles.Given {
		style.Only = append(style.Only, r.Files...)
	}
	switch {
	case f.own.json && opt.Group != nil:
		return du.WriteGroupsJSON(to, r, opt.Group)
	case f.own.csv && opt.Group != nil:
		return du.WriteGroupsCSV(to, r, opt.Group, terminal)
	case f.own.json:
		return (&du.Records{Style: style, Clock: opt.Time}).WriteJSON(to, r)
	case f.own.csv:
		return (&du.Records{Style: style, Clock: opt.Time, Escape: terminal}).WriteCSV(to, r)
	case f.own.inView():
		height, width := term.Size(to)
		view := du.View{
			Style:   style,
			Tree:    f.own.tree,
			Width:   width,
			All:     f.own.depth.Given || f.own.summarize || f.own.all || f.own.least+f.own.most > 0 || !terminal,
			Colours: colours,
			ASCII:   !term.ShowsUTF8(),
		}
		if terminal {
			const prompts = 3 // the command and what comes after it
			view.Lines = max(1, height-prompts)
		}
		if opt.Group != nil {
			return view.WriteGroups(to, r, opt.Group)
		}
		return view.Write(to, r)
	}
	lines := du.Lines{Style: style, Null: f.own.null}
	if opt.Group != nil {
		return lines.WriteGroups(to, r, opt.Group)
	}
	return lines.Write(to, r)
}

// draw writes the treemap.
func (f *duFlags) draw(r *du.Result, style du.Style) error {
	m := du.Treemap{Style: style, Width: 1200, Height: 800}
	var b bytes.Buffer
	err := m.Write(&b, r)
	if err == nil {
		err = os.WriteFile(string(f.own.svg), b.Bytes(), 0o666)
	}
	if err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	return nil
}
