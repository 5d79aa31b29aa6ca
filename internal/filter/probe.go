package filter

import (
	"io/fs"
	"os/user"
	"strconv"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/match"
)

// A Probe is a test that asks the system one more question about an entry. It is safe for
// concurrent use. The error is an *fs.PathError.
type Probe func(*dir.Entry) (bool, error)

// Not returns the Probe that holds where p does not.
func (p Probe) Not() Probe {
	return func(e *dir.Entry) (bool, error) {
		ok, err := p(e)
		return !ok && err == nil, err
	}
}

// LinkTarget holds for symbolic links to what m matches.
func LinkTarget(m *match.Matcher) Probe {
	return func(e *dir.Entry) (bool, error) {
		if e.Type != fs.ModeSymlink {
			return false, nil
		}
		target, err := e.Target()
		if err != nil {
			return false, err
		}
		ok, err := m.Match(target)
		if err != nil {
			err = &fs.PathError{Op: "match", Path: e.Path(), Err: err}
		}
		return ok, err
	}
}

// Xattr holds for entries with an extended attribute of that name.
func Xattr(name string) Probe {
	return func(e *dir.Entry) (bool, error) { return e.HasXattr(name) }
}

// Contains holds for directories that have an entry of that name.
func Contains(name string) Probe {
	return func(e *dir.Entry) (bool, error) {
		if e.Type != fs.ModeDir {
			return false, nil
		}
		return e.Any(func(in *dir.Entry) bool { return string(in.Name) == name })
	}
}

// Sparse holds for regular files that take less room on disk than their size.
func Sparse() Attribute {
	return Attribute{needs: dir.Size | dir.Allocated, files: true, holds: func(info *dir.Info) bool { return info.Allocated < info.Size }}
}

// OnFileSystem holds for entries on devices that have a file system of that name in systems.
func OnFileSystem(systems map[uint64]string, name string) Attribute {
	return Attribute{needs: dir.Identity, holds: func(info *dir.Info) bool { return systems[info.Device] == name }}
}

// NoUser holds for entries whose user the system does not know.
func NoUser() Attribute {
	is := nameless(func(id string) error {
		_, err := user.LookupId(id)
		return err
	})
	return Attribute{needs: dir.Owner, holds: func(info *dir.Info) bool { return is(info.User) }}
}

// NoGroup holds for entries whose group the system does not know.
func NoGroup() Attribute {
	is := nameless(func(id string) error {
		_, err := user.LookupGroupId(id)
		return err
	})
	return Attribute{needs: dir.Owner, holds: func(info *dir.Info) bool { return is(info.Group) }}
}

// nameless returns a function that reports whether lookUp fails for a number. It asks once for
// each, and is safe for concurrent use.
func nameless(lookUp func(id string) error) func(uint32) bool {
	var seen sync.Map
	return func(id uint32) bool {
		if is, ok := seen.Load(id); ok {
			return is.(bool)
		}
		is := lookUp(strconv.FormatUint(uint64(id), 10)) != nil
		seen.Store(id, is)
		return is
	}
}
