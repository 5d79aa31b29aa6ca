package dir

// Drop gives up a Ref that is not going to be opened.
func (r *Reader) Drop(ref Ref) {
	switch {
	case ref.resume && !ref.dir.shared:
		ref.dir.close()
	case !ref.byPath && (ref.name != nil || ref.resume):
		ref.dir.dropHandle()
	}
	r.dropDir(ref.dir)
}

// Close releases what the Reader holds.
func (r *Reader) Close() {
	if !r.done {
		r.finish()
	}
	r.dropDir(r.dir)
	r.dir = nil
}

// Release lets go of the directory that was listed last, which is left if nothing below it is
// to be listed. Open, Enter and Close do so as well.
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

// newDir returns a Dir, a used one if there is one.
func (r *Reader) newDir() *Dir {
	n := len(r.free)
	if n == 0 {
		return new(Dir)
	}
	d := r.free[n-1]
	r.free = r.free[:n-1]
	d.open, d.begun, d.holds = false, false, false
	d.decided, d.shared, d.anchor = false, false, nil
	return d
}

// dropDir says that somebody no longer needs d, which may be nil. What nobody
// needs is kept for newDir, and its parent needed by one less. (A directory that
// never had a Ref of a child is its Reader's alone: there is nothing to count.)
func (r *Reader) dropDir(d *Dir) {
	const enough = 256
	for d != nil && (!d.decided || d.life.Add(-needDir)>>32 == 0) {
		parent := d.parent
		if d.begun && r.leave != nil {
			d.reader = r
			r.leave(d)
		}
		if d.holds {
			parent.dropHandle()
		}
		if parent != nil && len(r.free) < enough {
			d.names = d.names[:0]
			if cap(d.names) > 512 {
				d.names = nil
			}
			r.free = append(r.free, d)
		}
		d = parent
	}
}
