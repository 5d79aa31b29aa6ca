package dupes

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"ldx/internal/dir"
)

// Why a copy, or a group, is passed over.
var (
	errChanged  = errors.New("it has changed since it was compared")
	errDiffers  = errors.New("its content is another, though its times are the same: the disk may be damaged")
	errInUse    = errors.New("another process has it open for writing")
	errMetadata = errors.New("differ; --ignore-metadata links it all the same")
)

// A Doer changes copies. It changes nothing that is not, at that moment, what was compared.
//
// All files of a group are opened by their directories' handles, without following links below
// the roots, and compared with what they were, and byte by byte. Each copy is then compared once
// more, right before it is changed. Where the system has leases, no other process has either file
// open for writing meanwhile, or the group is passed over.
type Doer struct {
	Deed           Deed
	Roots          []Root
	IgnoreMetadata bool // hard links may change mode, owner and times
	TrustHash      bool // do not compare byte by byte
	Report         func(error)
	Each           func(Change) error // called after each change; an error ends the work

	mu sync.Mutex // held while a name is changed
}

// Pause waits until no change is half done, and lets none begin until resume is called.
func (d *Doer) Pause() (resume func()) {
	d.mu.Lock()
	return d.mu.Unlock
}

// Preview calls do with each change of a group, as if it were done.
func (d *Doer) Preview(p *Planned, do func(Change) error) error {
	for _, i := range p.Change {
		c := &p.Copies[i]
		for j := range c.Names {
			if err := do(newChange(d.Deed, &p.Copies[p.Keep], c, j)); err != nil {
				return err
			}
			if d.Deed == Reflink { // which is not of names
				break
			}
		}
	}
	return nil
}

// Do changes the copies of a group. If one is not what it was, the group is passed over, which
// goes to Report. The error is that of Each.
func (d *Doer) Do(p *Planned) error {
	kept, err := d.open(&p.Copies[p.Keep])
	if err != nil {
		d.passOver(p, p.Keep, err)
		return nil
	}
	defer kept.close()
	if len(p.Change) > 1 { // else it is compared right before the change
		for _, i := range p.Change {
			if err := d.with(&p.Copies[i], func(o *opened) error { return d.compare(kept, o) }); err != nil {
				d.passOver(p, i, err)
				return nil
			}
		}
	}
	for _, i := range p.Change {
		var failed *eachError
		err := d.with(&p.Copies[i], func(o *opened) error { return d.change(kept, o) })
		switch {
		case errors.As(err, &failed):
			return failed.error
		case errors.Is(err, errMetadata), isPlain(err):
			d.Report(passedOver(p.Copies[i].Names[0].Path, err))
		case err != nil:
			d.passOver(p, i, err)
			return nil
		}
	}
	return nil
}

// An eachError is an error of Doer.Each.
type eachError struct{ error }

// isPlain reports whether the system has refused a change, which says nothing about the others.
func isPlain(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errTooManyLinks)
}

func (d *Doer) passOver(p *Planned, i int, err error) {
	err = fmt.Errorf("%s: %w", p.Copies[i].Names[0].Path, plain(err))
	d.Report(passedOver(fmt.Sprintf("the group of %s", p.Copies[p.Keep].Names[0].Path), err))
}

func passedOver(what string, err error) error {
	return fmt.Errorf("%s is passed over: %w", what, plain(err))
}

// plain returns an error without the path of the system call, which the message has anyway.
func plain(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok && err == error(path) {
		return path.Err
	}
	return err
}

// An opened is a copy that is open.
type opened struct {
	Copy
	file   *os.File
	folder *dir.Folder // of the first name
	base   string
	leased bool
}

// with opens a copy for do.
func (d *Doer) with(c *Copy, do func(o *opened) error) error {
	o, err := d.open(c)
	if err != nil {
		return err
	}
	defer o.close()
	return do(o)
}

// open opens a copy, which must be the file that was found, in the same state.
func (d *Doer) open(c *Copy) (o *opened, err error) {
	o = &opened{Copy: *c}
	if o.folder, o.base, err = d.folder(&c.Names[0]); err != nil {
		return nil, err
	}
	if o.file, err = o.folder.Open(o.base); err == nil {
		if o.leased, err = lease(o.file); err == nil {
			err = o.verify()
		}
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// folder opens the directory of a name.
func (d *Doer) folder(n *Name) (in *dir.Folder, base string, err error) {
	root := &d.Roots[n.Root]
	if n.IsRoot {
		in, err = dir.OpenFolder(filepath.Dir(root.Path), dir.ID{}, "")
		return in, filepath.Base(root.Path), err
	}
	in, err = dir.OpenFolder(root.Path, root.ID, n.Folder)
	return in, n.Base, err
}

func (o *opened) close() {
	if o.file != nil {
		_ = o.file.Close() // and with it the lease
	}
	o.folder.Close()
}

// verify returns an error unless the file is in the state that it was found in.
func (o *opened) verify() error {
	info, err := dir.StatFile(o.file)
	switch {
	case err != nil:
		return err
	case o.leased && !isLeased(o.file):
		return errInUse
	case !o.is(&info) || info.Links == 0:
		return errChanged
	}
	return nil
}

// changedByUs takes a new ctime for that of our own change. Content and mtime must be the same.
func (o *opened) changedByUs() error {
	info, err := dir.StatFile(o.file)
	if err != nil {
		return err
	}
	o.Changed = info.ChangeTime.UnixNano()
	return o.verify()
}

// compare compares what decides whether a copy may be changed.
func (d *Doer) compare(kept, o *opened) error {
	if o.ID == kept.ID {
		return errChanged
	}
	if !d.TrustHash {
		if err := sameContent(kept, o); err != nil {
			return err
		}
	}
	return cmp.Or(kept.verify(), o.verify())
}

// sameMetadata returns an error that names what a hard link would change.
func sameMetadata(a, b *opened) error {
	x, err := dir.StatFile(a.file)
	if err != nil {
		return err
	}
	y, err := dir.StatFile(b.file)
	if err != nil {
		return err
	}
	same, err := sameAttributes(a.file, b.file)
	if err != nil {
		return err
	}
	var what string
	switch {
	case x.Mode != y.Mode:
		what = "its mode and that of"
	case x.User != y.User, x.Group != y.Group:
		what = "its owner and that of"
	case !x.ModTime.Equal(y.ModTime):
		what = "its time of modification and that of"
	case !same:
		what = "its extended attributes and those of"
	default:
		return nil
	}
	return fmt.Errorf("%s %s %w", what, a.Names[0].Path, errMetadata)
}

// sameContent compares two open files byte by byte.
func sameContent(a, b *opened) error {
	const size = 256 << 10
	x, y := make([]byte, size), make([]byte, size)
	for at := int64(0); at < a.Size; {
		n := min(size, a.Size-at)
		if _, err := a.file.ReadAt(x[:n], at); err != nil {
			return shortened(err)
		}
		if _, err := b.file.ReadAt(y[:n], at); err != nil {
			return shortened(err)
		}
		if !bytes.Equal(x[:n], y[:n]) {
			return cmp.Or(a.verify(), b.verify(), errDiffers)
		}
		at += n
		if a.leased && !isLeased(a.file) || b.leased && !isLeased(b.file) {
			return errInUse
		}
	}
	return nil
}

func shortened(err error) error {
	if err == io.EOF {
		return errChanged
	}
	return err
}

// change does the deed with each name of a copy.
func (d *Doer) change(kept, o *opened) error {
	if d.Deed == HardLink && !d.IgnoreMetadata {
		if err := sameMetadata(kept, o); err != nil {
			return err
		}
	}
	if err := d.compare(kept, o); err != nil {
		return err
	}
	if d.Deed == Reflink {
		return d.locked(func() error { return d.clone(kept, o) })
	}
	for i := range o.Names {
		if err := d.locked(func() error { return d.changeName(kept, o, i) }); err != nil {
			return err
		}
	}
	return nil
}

func (d *Doer) locked(do func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return do()
}

// changeName does the deed with one name of a copy.
func (d *Doer) changeName(kept, o *opened, i int) error {
	in, base, err := d.folder(&o.Names[i])
	if err != nil {
		return err
	}
	defer in.Close()
	s := step{kept: kept, copy: o, in: in, base: base, temp: tempName()}
	info, err := in.Stat(base)
	switch {
	case err != nil:
	case info.ID != o.ID:
		err = errChanged
	case d.Deed == Delete:
		err = s.remove()
	default:
		err = s.link()
	}
	if err != nil {
		return err
	}
	if err := d.each(newChange(d.Deed, &kept.Copy, &o.Copy, i)); err != nil || i == len(o.Names)-1 {
		return err
	}
	return o.changedByUs()
}

func (d *Doer) each(c Change) error {
	if err := d.Each(c); err != nil {
		return &eachError{err}
	}
	return nil
}

// clone lets a copy share the blocks of the one that is kept. The system compares them.
func (d *Doer) clone(kept, o *opened) error {
	if sharesAll(kept.file, o.file) {
		return nil
	}
	if err := dedupe(kept.file, o.file, o.Size); err != nil {
		return err
	}
	return d.each(newChange(d.Deed, &kept.Copy, &o.Copy, 0))
}
