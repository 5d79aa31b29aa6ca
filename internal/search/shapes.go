package search

import (
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
