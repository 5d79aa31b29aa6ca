package search

import (
	"cmp"
	"io"

	"ldx/internal/printer"
)

// Count returns the Sink that counts results, and writes the counts when all are known.
func Count(w io.Writer, c *printer.Counts) Sink { return counts{c, w} }

type counts struct {
	*printer.Counts
	w io.Writer
}

func (c counts) Worker() Worker       { return c.NewBuffer() }
func (c counts) Close() (bool, error) { return true, c.Write(c.w) }

// PrintTree returns the Sink that prints results as t draws them, in an order by path. p must
// render with t. It closes p.
func PrintTree(p *printer.Printer, t *printer.TreeView, order printer.Order) Sink {
	return &sorted{Output: &tree{lines{Printer: p, buffer: p.NewBuffer()}, t}, renderer: t, order: order}
}

// tree is the Output that prints a tree.
type tree struct {
	lines
	view *printer.TreeView
}

func (t *tree) Use(result []byte) error { return t.lines.Use(t.view.Add(result)) }

func (t *tree) Close() (bool, error) {
	err := t.lines.Use(t.view.Rest())
	ok, closeErr := t.lines.Close()
	return ok, cmp.Or(closeErr, err)
}
