package dir

import (
	"io"
)

// Next returns the next batch of the open directory's entries, as many as the
// system hands over at a time. They are valid until the next call of Next, Open,
// Root or Suspend. After the last batch the error is io.EOF. After an error, an
// *fs.PathError, the directory counts as read.
func (r *Reader) Next() ([]Entry, error) {
	r.infos = r.infos[:0]
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
		// Some batches are empty: "." and ".." were all there was.
		r.batch, r.end = r.next(r.batch[:0])
		if len(r.batch) > 0 {
			return r.batch, nil
		}
	}
	return nil, io.EOF
}

func (r *Reader) next(batch []Entry) ([]Entry, error) {
	var made tries
	batch, err := r.nextOnce(batch)
	for made.again(err) {
		batch, err = r.nextOnce(batch)
	}
	return batch, err
}

func (r *Reader) nextOnce(batch []Entry) ([]Entry, error) {
	r.calls.List++
	local := r.sys.local(r.dir, nil, false)
	if local {
		return r.sys.next(r.dir, batch, true)
	}
	r.waiting(true)
	defer r.waiting(false)
	return r.sys.next(r.dir, batch, false)
}

// Whole reads on until the batch that Next gave has all entries of the
// directory, and returns it; it is valid as Next's. If there are very many, it
// gives up and returns false: more will come with Next, or Preview.
func (r *Reader) Whole() (batch []Entry, whole bool) {
	const veryMany = 32 << 10 // some 3 MiB
	for r.end == nil {
		if len(r.batch) > veryMany {
			return r.batch, false
		}
		r.batch, r.end = r.next(r.batch)
	}
	return r.batch, true
}

// Preview calls f with what is left of the directory, batch by batch, and then
// has Next begin again with the first.
func (r *Reader) Preview(f func(batch []Entry)) {
	for r.end == nil {
		r.batch, r.end = r.next(r.batch[:0])
		f(r.batch)
	}
	r.end = r.sys.rewind(r.dir)
}

// CanSuspend reports whether it is worth suspending the directory: there may be
// more of it, and its open handle is among those that are counted.
func (r *Reader) CanSuspend() bool {
	return !r.done && r.end == nil && r.dir.shared && r.invalid == nil
}

// Suspend returns a Ref by which a Reader can go on where this one stopped,
// between two batches.
func (r *Reader) Suspend() Ref {
	ref := Ref{dir: r.dir, resume: true}
	if r.above != nil {
		r.dropAbove()
	}
	r.dir, r.done = nil, true
	return ref
}

// finish ends the reading of the open directory.
func (r *Reader) finish() {
	r.done = true
	d := r.dir
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
