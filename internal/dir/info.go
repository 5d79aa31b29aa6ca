package dir

import (
	"errors"
	"io/fs"
	"time"
)

// Fields is a set of what an Info can tell.
type Fields uint16

// The fields of an Info. The system is asked only for those that are wanted.
const (
	Identity   Fields = 1 << iota // Device, Inode
	Mode                          // Mode
	Size                          // Size
	Owner                         // User, Group
	Links                         // Links
	ModTime                       // ModTime
	AccessTime                    // AccessTime
	ChangeTime                    // ChangeTime
	BirthTime                     // BirthTime
	Allocated                     // Allocated
)

// Everything is all of them.
const Everything = Identity | Mode | Size | Owner | Links | ModTime | AccessTime | ChangeTime | BirthTime | Allocated

// An Info is an entry's metadata. Only the fields that were asked for are set.
type Info struct {
	ID
	Mode fs.FileMode // type and permission bits
	Size int64       // bytes

	User, Group uint32 // numbers; 0 on Windows, which has none
	Links       uint64 // hard links; 1 where the system does not tell

	ModTime    time.Time // of the content
	AccessTime time.Time // as precise as the file system's mount options let it be
	ChangeTime time.Time // of the metadata; zero where the system has none
	BirthTime  time.Time // zero where the file system has none

	Allocated int64 // bytes that the file system keeps for the content, as st_blocks has them by 512

	have Fields
}

// An ID is what one file alone has, as long as it exists.
type ID struct {
	Device uint64 // the file system, as st_dev
	Inode  uint64 // unique within Device; 0 where the system has no such number
}

// Info returns the entry's metadata, asking the system only for what is wanted
// and not yet known. After Follow it is that of the link's target. The Info is
// valid as long as the entry. An error is an *fs.PathError.
func (e *Entry) Info(want Fields) (*Info, error) {
	if e.info == nil {
		e.info = e.Dir.reader.newInfo()
	}
	if want&^e.info.have == 0 {
		return e.info, nil
	}
	want |= e.info.have // which a second answer would overwrite
	if err := e.stat(want, e.followed, e.info); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: e.Path(), Err: err}
	}
	e.info.have |= want
	return e.info, nil
}

func (e *Entry) stat(want Fields, follow bool, info *Info) error {
	local := e.waiting(follow)
	err := stat(e, want, follow, local, info)
	e.answered(local)
	return err
}

// Stat returns the metadata of what a path leads to. The error is an *fs.PathError.
func Stat(path string, want Fields) (Info, error) {
	r := NewReader(0)
	defer r.Close()
	e, err := r.Root(Root(path, path, 0))
	if err != nil {
		return Info{}, err
	}
	if err := e.Follow(); err != nil {
		return Info{}, err
	}
	info, err := e.Info(want)
	if err != nil {
		return Info{}, err
	}
	return *info, nil
}

// Follow makes a symbolic link's entry stand for its target: Type and Info are
// the target's from then on. A link that leads nowhere stays what it is. So does one
// whose target the system does not tell; the error, an *fs.PathError, says why.
func (e *Entry) Follow() error {
	if e.Type != fs.ModeSymlink || e.followed {
		return nil
	}
	info := e.Dir.reader.newInfo()
	switch err := e.stat(Identity|Mode, true, info); {
	case err == nil:
		info.have = Identity | Mode
		e.Type, e.followed, e.info = info.Mode.Type(), true, info
	case !leadsNowhere(err):
		return &fs.PathError{Op: "stat", Path: e.Path(), Err: err}
	}
	return nil
}

// leadsNowhere reports whether err, of a link's target, means that there is none. Any other
// error leaves that open.
func leadsNowhere(err error) bool { return vanished(err) || errors.Is(err, errLinkLoop) }

// Followed reports whether e is a link that stands for its target.
func (e *Entry) Followed() bool { return e.followed }

// An Access is something that may be done with an entry.
type Access uint8

// What may be done.
const (
	Execute Access = 1 << iota // a directory is searched
	Write
	Read
)

// May reports whether this process may access the entry, or the target of a
// link, in each of these ways, whatever its type. The error, an *fs.PathError, means that
// the system did not say.
func (e *Entry) May(a Access) (bool, error) {
	local := e.waiting(true)
	may, err := access(e, a)
	e.answered(local)
	if err != nil {
		return false, &fs.PathError{Op: "access", Path: e.Path(), Err: err}
	}
	return may, nil
}

// Broken reports whether the entry is a symbolic link that leads nowhere. The error, an
// *fs.PathError, means that the system did not say.
func (e *Entry) Broken() (bool, error) {
	if e.Type != fs.ModeSymlink || e.followed {
		return e.Type == fs.ModeSymlink, nil
	}
	err := e.stat(Mode, true, e.Dir.reader.newInfo())
	if err != nil && !leadsNowhere(err) {
		return false, &fs.PathError{Op: "stat", Path: e.Path(), Err: err}
	}
	return err != nil, nil
}

// Target returns what a symbolic link holds. The error is an *fs.PathError.
func (e *Entry) Target() ([]byte, error) {
	local := e.waiting(false)
	target, err := readLink(e)
	e.answered(local)
	if err != nil {
		return nil, &fs.PathError{Op: "readlink", Path: e.Path(), Err: err}
	}
	return target, nil
}
