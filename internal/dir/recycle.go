package dir

// Drop gives up a Ref that will not be opened.
func (r *Reader) Drop(ref Ref) {
	switch {
	case ref.resume && !ref.dir.shared:
		ref.dir.close()
	case !ref.byPath && (ref.name != nil || ref.resume):
		ref.dir.dropHandle()
	}
	r.dropDir(ref.dir)
}

// Close closes the open directory and drops the last one.
func (r *Reader) Close() {
	if !r.done {
		r.finish()
	}
	r.dropDir(r.dir)
	r.dir = nil
}

// Release drops the directory that was listed last, so that the function of OnLeave is called
// if nothing below it is left to list. Open and Close do so as well.
func (r *Reader) Release() {
	if r.done {
		r.dropDir(r.dir)
		r.dir = nil
	}
}

func (r *Reader) dropAbove() {
	r.above.dropHandle()
	r.above = nil
}

// newDir returns a Dir without a handle, a recycled one if there is one.
func (r *Reader) newDir() *Dir {
	n := len(r.free)
	if n == 0 {
		return new(Dir)
	}
	d := r.free[n-1]
	r.free = r.free[:n-1]
	d.sys, d.open, d.begun, d.holds = sysDir{}, false, false, false
	d.decided, d.shared, d.anchor = false, false, nil
	d.recalled, d.listing = false, nil
	return d
}

// dropDir drops a reference to d, which may be nil. At the last one it recycles d and drops
// d's reference to its parent. A directory without a Ref of a child belongs to its Reader
// alone, so it has no count.
func (r *Reader) dropDir(d *Dir) {
	const maxFree = 256
	for d != nil && (!d.decided || d.life.Add(-needDir)>>32 == 0) {
		parent := d.parent
		if d.begun && r.leave != nil {
			d.reader = r
			r.leave(d)
		}
		if d.holds {
			parent.dropHandle()
		}
		if parent == nil && d.open && d.shared {
			d.close()
			handles.release()
		}
		if parent != nil && len(r.free) < maxFree {
			d.names = d.names[:0]
			if cap(d.names) > 512 {
				d.names = nil
			}
			r.free = append(r.free, d)
		}
		d = parent
	}
}
