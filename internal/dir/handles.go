package dir

import "sync/atomic"

// Which directory a child is opened below.
//
//	root          open: its children, and what comes below those that are closed, need it
//	  a           open
//	    b         closed: too many are open. Its anchor is a
//	      c       closed, its anchor is a as well; d is opened as a + "b/c/d"
//	        d
//
// A directory that is listed is open anyway. It stays open for its children if not too many
// directories are; otherwise its children have the same anchor as itself. An anchor is
// open as long as a directory that was not listed yet depends on it, so nothing is
// ever opened by its whole path while the root is open, and no link that has been put in a
// directory's place is followed on the way.

// handles counts the directories of this process that are kept open for the sake of
// their children.
var handles openHandles

type openHandles struct{ open atomic.Int64 }

// acquire reports whether a directory of that depth may stay open. The more are open, the
// fewer levels of a deep tree may: then an anchor is some levels above, but never
// thousands of them.
func (h *openHandles) acquire(depth int) bool {
	n, limit := h.open.Add(1), int64(maxShared())
	spacing := 1
	switch {
	case n > limit:
		h.open.Add(-1)
		return false
	case 8*n > 7*limit:
		spacing = 1024
	case 4*n > 3*limit:
		spacing = 128
	case 2*n > limit:
		spacing = 16
	}
	if depth%spacing != 0 {
		h.open.Add(-1)
		return false
	}
	return true
}

func (h *openHandles) release() { h.open.Add(-1) }

// anchorChildren chooses what the children of d, which r lists, are opened below. There
// is none where nothing above d is open either.
func (r *Reader) anchorChildren(d *Dir) {
	d.decided = true
	switch {
	case d.open && handles.acquire(d.Depth):
		d.shared, d.anchor = true, d
	case r.above != nil && r.above.anchor != nil:
		d.shared, d.anchor = false, r.above.anchor
		d.anchor.life.Add(needHandle)
	default:
		d.shared, d.anchor = false, nil
	}
}

// dropHandle says that somebody no longer needs d's handle, or its anchor's. The last one
// closes it.
func (d *Dir) dropHandle() {
	for uint32(d.life.Add(-needHandle)) == 0 {
		switch {
		case d.shared:
			d.close()
			handles.release()
			return
		case d.anchor == nil:
			return
		}
		d = d.anchor
	}
}

// wayTo returns the directory to open d below, which is open, and those from below it
// down to d. Without an anchor these are all below the root, which is to be opened first.
func (r *Reader) wayTo(d *Dir, detached bool) (at *Dir, below []*Dir) {
	if !detached && d.parent != nil {
		at = d.parent.anchor
	}
	if at != nil && at == d.parent {
		r.way = append(r.way[:0], d)
		return at, r.way
	}
	r.way = r.way[:0]
	for p := d; p != at && p.parent != nil; p = p.parent {
		r.way = append(r.way, p)
	}
	for i, j := 0, len(r.way)-1; i < j; i, j = i+1, j-1 {
		r.way[i], r.way[j] = r.way[j], r.way[i]
	}
	return at, r.way
}

// BelowLink reports whether a link was followed on the way to d from its root.
func (d *Dir) BelowLink() bool {
	for p := d; p.parent != nil; p = p.parent {
		if p.follow {
			return true
		}
	}
	return false
}
