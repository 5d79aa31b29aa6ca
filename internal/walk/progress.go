package walk

import (
	"sync/atomic"

	"ldx/internal/dir"
)

// A Progress says how far a walk has come, while it goes on. It is safe for concurrent use.
// Workers change it for each batch of entries and each directory, not for each entry.
type Progress struct {
	Entries, Dirs atomic.Int64 // as in Stats

	asked atomic.Bool
	place atomic.Pointer[[]byte]
}

// Place returns the path of a directory that was listed since Place was called last; before that
// of an earlier one, or nil.
func (p *Progress) Place() []byte {
	p.asked.Store(true)
	if place := p.place.Load(); place != nil {
		return *place
	}
	return nil
}

// seen counts entries. p may be nil.
func (p *Progress) seen(entries int) {
	if p != nil {
		p.Entries.Add(int64(entries))
	}
}

// listed counts the directory that r has listed. p may be nil.
func (p *Progress) listed(r *dir.Reader) {
	if p == nil {
		return
	}
	p.Dirs.Add(1)
	if p.asked.Load() && p.asked.CompareAndSwap(true, false) {
		place := r.AppendPlace(nil)
		p.place.Store(&place)
	}
}
