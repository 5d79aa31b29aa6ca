package dir

import (
	"errors"
	"io/fs"
	"time"
)

// Fields is a set of fields of an Info.
type Fields uint16

// The fields of an Info. The system is asked only for those wanted.
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

// Everything is all fields.
const Everything = Identity | Mode | Size | Owner | Links | ModTime | AccessTime | ChangeTime | BirthTime | Allocated

// An Info is the metadata of an entry. Only the fields asked for are set.
type Info struct {
	ID
	Mode fs.FileMode // type and permission bits
	Size int64       // bytes

	User, Group uint32 // numeric IDs; 0 on Windows, which has none
	Links       uint64 // number of hard links; 1 where the system does not say

	ModTime    time.Time // of the content
	AccessTime time.Time // as precise as the mount options allow
	ChangeTime time.Time // of the metadata; zero where the system has none
	BirthTime  time.Time // zero where the file system has none

	Allocated int64 // bytes that the content takes on disk: 512 times st_blocks

	have Fields
}

// An ID identifies a file as long as it exists.
type ID struct {
	Device uint64 // the file system, as st_dev
	Inode  uint64 // unique within Device; 0 where the system has no such number
}

// Info returns the entry's metadata. It asks the system only for wanted fields that are not
// yet known. After Follow it is the metadata of the link's target. The Info is valid as long
// as the entry. The error is an *fs.PathError.
func (e *Entry) Info(want Fields) (*Info, error) {
	if e.info == nil {
		e.info = e.Dir.reader.newInfo()
	}
	if want&^e.info.have == 0 {
		return e.info, nil
	}
	want |= e.info.have // a second answer overwrites the first
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

// Stat returns the metadata of the file at path, following links. The error is an
// *fs.PathError.
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

// Follow makes the entry of a symbolic link stand for its target: from then on Type and Info
// are the target's. A link that leads nowhere stays as it is. If the system does not say what
// the target is, the link stays as it is and the error, an *fs.PathError, says why.
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

// leadsNowhere reports whether err, for a link's target, means that there is no target. With
// any other error there may be one.
func leadsNowhere(err error) bool { return vanished(err) || errors.Is(err, errLinkLoop) }

// Followed reports whether e is a link that stands for its target.
func (e *Entry) Followed() bool { return e.followed }

// An Access is a set of ways to access an entry.
type Access uint8

// Ways to access an entry.
const (
	Execute Access = 1 << iota // or search, for a directory
	Write
	Read
)

// May reports whether this process may access the entry, or a link's target, in all ways of a.
// The type of the entry does not matter. The error, an *fs.PathError, means that the system
// did not say.
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
	target, err := e.TargetType()
	return target == fs.ModeSymlink, err
}

// TargetType returns the type of what the entry leads to, if it is a symbolic link: fs.ModeSymlink if
// it leads nowhere. Of any other entry it is its own. The error, an *fs.PathError, means that the
// system did not say.
func (e *Entry) TargetType() (fs.FileMode, error) {
	if e.Type != fs.ModeSymlink || e.followed {
		return e.Type, nil
	}
	info := e.Dir.reader.newInfo()
	switch err := e.stat(Mode, true, info); {
	case err == nil:
		return info.Mode.Type(), nil
	case !leadsNowhere(err):
		return 0, &fs.PathError{Op: "stat", Path: e.Path(), Err: err}
	}
	return fs.ModeSymlink, nil
}

// Target returns the text of a symbolic link. The error is an *fs.PathError.
func (e *Entry) Target() ([]byte, error) {
	local := e.waiting(false)
	target, err := readLink(e)
	e.answered(local)
	if err != nil {
		return nil, &fs.PathError{Op: "readlink", Path: e.Path(), Err: err}
	}
	return target, nil
}
