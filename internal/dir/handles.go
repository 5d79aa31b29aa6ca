package dir

import "sync/atomic"

// The directory that a child is opened below: its anchor.
//
//	root          open: its children, and all below closed directories, need it
//	  a           open
//	    b         closed: too many are open. Its children have its own anchor, a
//	      c       closed too, with the anchor a; d is opened as a + "b/c/d"
//	        d
//
// A directory is open while it is listed. After that it stays open for its children, unless
// too many directories are open: then they have the same anchor as the directory itself. An
// anchor stays open until all directories that depend on it have been listed. So as long as
// the root is open, nothing is opened by its whole path, and a link that has been put in
// the place of a directory on the way is not followed.

// handles counts the directories that this process keeps open for their children.
var handles openHandles

type openHandles struct{ open atomic.Int64 }

// acquire reports whether a directory at that depth may stay open. The more directories are
// open, the fewer levels of a deep tree may stay open: an anchor is then some levels above its
// children, but never thousands.
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

// anchorChildren decides the anchor for the children of d, which r lists. It is nil if nothing
// above d is open either.
func (r *Reader) anchorChildren(d *Dir) {
	d.decided = true
	switch {
	case d.open && handles.acquire(d.Depth):
		d.shared, d.anchor = true, d
	case r.above != nil && r.above.anchor != nil:
		d.shared, d.anchor = false, r.above.anchor
		if d.anchor.parent != nil {
			d.anchor.life.Add(needHandle)
		}
	default:
		d.shared, d.anchor = false, nil
	}
}

// dropHandle drops a reference to d's handle, or to that of its anchor. The last one closes
// it. A root is not counted, since all workers would count it: it is closed when it is dropped.
func (d *Dir) dropHandle() {
	for d.parent != nil && uint32(d.life.Add(-needHandle)) == 0 {
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

// wayTo returns the open directory that leads to d, and the directories between it and d, with
// d last. at is nil if there is no anchor: the root must be opened first.
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

// BelowLink reports whether a link was followed on the way from the root to d.
func (d *Dir) BelowLink() bool {
	for p := d; p.parent != nil; p = p.parent {
		if p.follow {
			return true
		}
	}
	return false
}
