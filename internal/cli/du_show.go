package cli

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ldx/internal/dir"
	"ldx/internal/du"
	"ldx/internal/format"
	"ldx/internal/printer"
	"ldx/internal/term"
)

// style says how sizes and paths are shown; of a search that has filters, only what
// matches.
func (f *duFlags) style(paths pathPainter, matching bool) du.Style {
	style := du.Style{
		Unit:     f.unit(),
		Min:      f.own.least,
		Max:      f.own.most,
		Matching: matching,
		Total:    f.own.total,
		Path:     paths.appendPath,
	}
	if f.own.inView() { // the output of du keeps its ./
		style.Path = func(b, path, whole []byte, kind fs.FileMode) []byte {
			if short := bytes.TrimPrefix(path, []byte("./")); len(short) > 0 {
				path = short
			}
			return paths.appendPath(b, path, whole, kind)
		}
	}
	if f.own.time.Given {
		style.Time = f.own.timeStyle
	}
	return style
}

// unit returns in what sizes are shown. Of inodes only the number or a rounded one makes sense.
func (f *duFlags) unit() format.Unit {
	unit := f.own.unit
	switch {
	case f.own.inodes && unit != format.Human && unit != format.SI:
		return format.Blocks(1)
	case unit == (format.Unit{}):
		return defaultUnit(f.own.inView())
	}
	return unit
}

// A pathPainter shows paths in the colours of the search. It needs its reader only for colours.
type pathPainter struct {
	printer.Style
	reader *dir.Reader
}

// appendPath is the Path of a du.Style.
func (p pathPainter) appendPath(b, path, whole []byte, kind fs.FileMode) []byte {
	if p.Palette == nil || whole == nil {
		return p.AppendPath(b, path, kind, nil)
	}
	e, err := p.reader.Root(dir.Root(string(whole), string(whole), 0))
	if err == nil && e.Type == fs.ModeSymlink && kind != fs.ModeSymlink {
		err = e.Follow()
	}
	if err != nil { // it has vanished
		e = nil
	}
	return p.AppendPath(b, path, kind, e)
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
func (f *duFlags) print(to io.Writer, r *du.Result, opt du.Options, matching bool) error {
	terminal := term.IsTerminal(os.Stdout)
	paths := pathPainter{
		printer.Style{Separator: defaultSeparator(), Escape: terminal, Palette: f.colour.palette(terminal)}, dir.NewReader(0),
	}
	defer paths.reader.Close()
	style := f.style(paths, matching)
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
		height, width := term.Size(os.Stdout)
		view := du.View{
			Style:   style,
			Tree:    f.own.tree,
			Depth:   max(0, opt.Depth),
			Width:   width,
			All:     f.own.depth.Given || f.own.summarize || f.own.all || f.own.least+f.own.most > 0 || !terminal,
			Colours: paths.Palette != nil,
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

// draw writes the treemap, and reports the name of the file.
func (f *duFlags) draw(r *du.Result, matching bool) error {
	unit := format.Human
	if f.own.inodes {
		unit = format.Blocks(1)
	}
	paths := pathPainter{Style: printer.Style{Separator: defaultSeparator()}}
	m := du.Treemap{Style: du.Style{Unit: unit, Matching: matching, Path: paths.appendPath}, Width: 1200, Height: 800}
	if len(r.Roots) == 0 { // reported
		return nil
	}
	if f.own.svg == "-" {
		return m.Write(os.Stdout, r)
	}
	var b bytes.Buffer
	err := m.Write(&b, r)
	if err == nil {
		err = os.WriteFile(string(f.own.svg), b.Bytes(), 0o666)
	}
	if err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	report(fmt.Errorf("%s is written", f.own.svg))
	return nil
}
