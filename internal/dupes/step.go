package dupes

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"

	"ldx/internal/dir"
)

// The steps by which a name is changed. At no moment is a content without a name. What has taken
// the place of a copy between its comparison and its change is put back.
//
// If the process is killed between two steps, a file is left whose name begins with tempPrefix:
// another name of the copy, or of the file that is kept.

const tempPrefix = ".ldx-dupes-"

func tempName() string { return fmt.Sprintf("%s%016x", tempPrefix, rand.Uint64()) }

// A step is a change of one name, base in a directory.
type step struct {
	kept, copy *opened
	in         *dir.Folder
	base, temp string
}

// remove deletes the name. It is renamed first, so that no process opens the file any more, and
// looked at again.
func (s *step) remove() error {
	if err := cmp.Or(s.kept.verify(), s.copy.verify()); err != nil {
		return err
	}
	err := s.in.Move(s.base, s.temp)
	if errors.Is(err, errors.ErrUnsupported) {
		err = s.in.Replace(s.base, s.temp)
	}
	if err != nil {
		return err
	}
	if err = cmp.Or(s.aside(), s.kept.isNamed()); err == nil {
		err = s.in.Remove(s.temp)
	}
	if err != nil {
		return s.undone(err, s.moveBack())
	}
	return nil
}

// moveBack gives the copy its name again, unless that was taken.
func (s *step) moveBack() error {
	err := s.in.Move(s.temp, s.base)
	if errors.Is(err, errors.ErrUnsupported) {
		if err = s.in.Link(s.in, s.temp, s.base); err == nil {
			err = s.in.Remove(s.temp)
		}
	}
	return err
}

// link replaces the name by a hard link to the file that is kept. The link is made beside it, and
// the two are exchanged at once.
func (s *step) link() error {
	if err := cmp.Or(s.kept.verify(), s.copy.verify()); err != nil {
		return err
	}
	if err := s.in.Link(s.kept.folder, s.kept.base, s.temp); err != nil {
		return err
	}
	err := s.linked()
	if err == nil {
		err = s.in.Exchange(s.temp, s.base)
		if errors.Is(err, errors.ErrUnsupported) {
			return s.replace()
		}
	}
	if err != nil {
		return s.undone(err, s.in.Remove(s.temp))
	}
	if err = s.aside(); err == nil {
		err = s.in.Remove(s.temp)
	}
	if err != nil {
		return s.undone(err, s.exchangeBack())
	}
	return nil
}

// linked returns an error unless temp is a link to the file that is kept, and that link alone has
// changed it.
func (s *step) linked() error {
	info, err := s.in.Stat(s.temp)
	if err == nil && info.ID != s.kept.ID {
		err = errChanged
	}
	return cmp.Or(err, s.kept.changedByUs(), s.copy.verify())
}

// replace renames the link, where names cannot be exchanged.
func (s *step) replace() error {
	info, err := s.in.Stat(s.base)
	if err == nil && info.ID != s.copy.ID {
		err = errChanged
	}
	if err == nil {
		err = s.in.Replace(s.temp, s.base)
	}
	if err != nil {
		return s.undone(err, s.in.Remove(s.temp))
	}
	return nil
}

// exchangeBack exchanges the link and what has its place, and removes the link.
func (s *step) exchangeBack() error {
	if err := s.in.Exchange(s.temp, s.base); err != nil {
		return err
	}
	info, err := s.in.Stat(s.temp)
	if err == nil && info.ID != s.kept.ID {
		err = errChanged
	}
	if err != nil {
		return err
	}
	return s.in.Remove(s.temp)
}

// aside returns an error unless the entry temp is the copy, and our renaming alone has changed the
// two files.
func (s *step) aside() error {
	info, err := s.in.Stat(s.temp)
	if err == nil && info.ID != s.copy.ID {
		err = errChanged
	}
	return cmp.Or(err, s.copy.changedByUs(), s.kept.changedByUs())
}

// undone returns why a change was undone, and which name is left if that has failed.
func (s *step) undone(err, failed error) error {
	if failed == nil {
		return err
	}
	return fmt.Errorf("%w; %s is left beside %s: %w", err, s.temp, s.base, failed)
}

// isNamed returns an error unless the first name of a file is still its own.
func (o *opened) isNamed() error {
	info, err := o.folder.Stat(o.base)
	if err == nil && info.ID != o.ID {
		err = errChanged
	}
	return err
}
