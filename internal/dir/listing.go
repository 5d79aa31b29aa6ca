package dir

import (
	"io"
)

// Next returns the next batch of entries of the open directory, as many as the system gives at
// a time. They are valid until the next call of Next, Open, Root or Suspend. After the last
// batch the error is io.EOF. After any other error, an *fs.PathError, nothing more comes from
// the directory.
func (r *Reader) Next() ([]Entry, error) {
	r.infos = r.infos[:0]
	if r.recall.ready {
		if r.recall.ready = false; len(r.batch) > 0 {
			return r.batch, nil
		}
	}
	for !r.done {
		if r.end != nil {
			r.finish()
			err := r.end
			if err == io.EOF && r.invalid != nil {
				err = r.invalid
			}
			if err != io.EOF && !vanished(err) {
				return nil, r.pathError("read", err)
			}
			break
		}
		// A batch with only "." and ".." is empty.
		r.batch, r.end = r.next(r.batch[:0])
		if len(r.batch) > 0 {
			return r.batch, nil
		}
	}
	return nil, io.EOF
}

func (r *Reader) next(batch []Entry) ([]Entry, error) {
	var made tries
	read := len(batch)
	batch, err := r.nextOnce(batch)
	for made.again(err) {
		batch, err = r.nextOnce(batch)
	}
	r.note(batch[read:])
	return batch, err
}

func (r *Reader) nextOnce(batch []Entry) ([]Entry, error) {
	if r.recall.active {
		return r.dir.root.recording.Append(r.dir.node, r.dir, batch, &r.recall.at, r.recall.absent)
	}
	r.calls.List++
	local := r.sys.local(r.dir, nil, false)
	if local {
		return r.sys.next(r.dir, batch, true)
	}
	r.waiting(true)
	defer r.waiting(false)
	return r.sys.next(r.dir, batch, false)
}

// Whole reads on until the batch that Next returned has all entries of the directory, and
// returns it. It is valid as long as that of Next. For a directory of more than 32,768 entries
// it stops and returns false; Next or Preview return the others.
func (r *Reader) Whole() (batch []Entry, whole bool) {
	const maxEntries = 32 << 10 // about 3 MiB
	for r.end == nil {
		if len(r.batch) > maxEntries {
			return r.batch, false
		}
		r.batch, r.end = r.next(r.batch)
	}
	return r.batch, true
}

// Preview calls f with the rest of the directory, batch by batch. After that Next starts again
// with the first batch.
func (r *Reader) Preview(f func(batch []Entry)) {
	for r.end == nil {
		r.batch, r.end = r.next(r.batch[:0])
		f(r.batch)
	}
	r.end = r.rewind()
}

// CanSuspend reports whether suspending the directory is worth while: there may be more
// entries, and its handle is among those that are counted.
func (r *Reader) CanSuspend() bool {
	return !r.done && r.end == nil && r.dir.shared && r.invalid == nil && !r.recall.active
}

// Suspend stops the listing between two batches. It returns a Ref with which any Reader can
// continue it.
func (r *Reader) Suspend() Ref {
	ref := Ref{dir: r.dir, resume: true}
	if r.above != nil {
		r.dropAbove()
	}
	r.dir, r.done = nil, true
	return ref
}

// finish ends the listing of the current directory.
func (r *Reader) finish() {
	r.done = true
	d := r.dir
	r.recorded(d)
	if !d.shared {
		d.close()
	}
	if d.decided {
		d.dropHandle()
	}
	switch {
	case r.above == nil:
	case r.leave != nil: // f may remove d
		d.holds, r.above = true, nil
	default:
		r.dropAbove()
	}
}
