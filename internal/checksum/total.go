package checksum

import (
	"os"
	"sync/atomic"

	"ldx/internal/catalogue"
	"ldx/internal/dir"
	"ldx/internal/search"
)

// A Total is the Sink of a search that adds up the sizes of the files that must be read.
type Total struct {
	Catalogue *catalogue.Catalogue
	Verify    bool // all of them
	Bytes     atomic.Int64
}

// Needs returns what the catalogue knows a file by.
func (*Total) Needs() dir.Fields { return catalogue.Fields }

// Worker returns the part of one worker.
func (t *Total) Worker() search.Worker { return &adder{Total: t, hasher: t.Catalogue.Hasher()} }

// Close does nothing.
func (*Total) Close() (bool, error) { return true, nil }

// An adder adds up what one worker finds.
type adder struct {
	*Total
	hasher *catalogue.Hasher
	path   []byte
}

func (a *adder) Add(e *dir.Entry) error {
	if e.Type != 0 && e.Type != os.ModeIrregular {
		return nil
	}
	info, err := e.Info(catalogue.Fields)
	if err != nil {
		return nil // the other search reports it
	}
	a.path = e.AppendPath(a.path[:0])
	if !a.Verify {
		if _, ok := a.hasher.Lookup(a.path, info); ok {
			return nil
		}
	}
	a.Bytes.Add(info.Size)
	return nil
}

func (*adder) Pause() error { return nil }
func (*adder) Flush() error { return nil }
