package filter

import (
	"io/fs"
	"time"

	"ldx/internal/dir"
	"ldx/internal/property"
)

// An Attribute is a test on metadata.
type Attribute struct {
	needs dir.Fields
	holds func(*dir.Info) bool
	files bool // only regular files have the attribute
	fails bool // holds must return false
}

// A Comparison says how a value relates to a bound.
type Comparison uint8

// The Comparisons.
const (
	Equal Comparison = iota
	AtLeast
	AtMost
)

func compare[T int64 | uint64](n T, how Comparison, bound T) bool {
	switch how {
	case AtLeast:
		return n >= bound
	case AtMost:
		return n <= bound
	}
	return n == bound
}

// NewAttribute returns a test of what is in the fields needs of an Info.
func NewAttribute(needs dir.Fields, holds func(*dir.Info) bool) Attribute {
	return Attribute{needs: needs, holds: holds}
}

// OfFiles returns the Attribute that holds where a does, for regular files alone.
func (a Attribute) OfFiles() Attribute {
	a.files = true
	return a
}

// Needs returns what an Info is asked for.
func (a *Attribute) Needs() dir.Fields { return a.needs }

// Match reports whether the Attribute holds for e. The Info is asked for the fields in ask.
// With dirSizes what is of regular files is of directories too. The error is an *fs.PathError.
func (a *Attribute) Match(e *dir.Entry, ask dir.Fields, dirSizes bool) (bool, error) {
	if a.files && e.Type != 0 && (e.Type != fs.ModeDir || !dirSizes) {
		return false, nil
	}
	info, err := e.Info(ask)
	return err == nil && a.holds(info) != a.fails, err
}

// Not returns the Attribute that holds where a does not. That of regular files is still about
// regular files.
func (a Attribute) Not() Attribute {
	a.fails = !a.fails
	return a
}

// Size compares the size of regular files in bytes.
func Size(how Comparison, bytes int64) Attribute {
	return Attribute{needs: dir.Size, files: true, holds: func(info *dir.Info) bool {
		return compare(info.Size, how, bytes)
	}}
}

// After holds for entries whose time is later than t. clock is the field of the time, such as
// dir.ModTime.
func After(clock dir.Fields, t time.Time) Attribute {
	return Attribute{needs: clock, holds: func(info *dir.Info) bool {
		own := property.Time(info, clock)
		return property.Known(own) && property.CompareTimes(own, t) > 0
	}}
}

// Before holds for entries whose time is earlier than t. It does not hold where the file system
// has no such time.
func Before(clock dir.Fields, t time.Time) Attribute {
	return Attribute{needs: clock, holds: func(info *dir.Info) bool {
		own := property.Time(info, clock)
		return property.Known(own) && property.CompareTimes(own, t) < 0
	}}
}

// User holds for entries that belong to the user.
func User(id uint32) Attribute {
	return Attribute{needs: dir.Owner, holds: func(info *dir.Info) bool { return info.User == id }}
}

// Group holds for entries that belong to the group.
func Group(id uint32) Attribute {
	return Attribute{needs: dir.Owner, holds: func(info *dir.Info) bool { return info.Group == id }}
}

// Links compares the number of hard links.
func Links(how Comparison, n uint64) Attribute {
	return Attribute{needs: dir.Links, holds: func(info *dir.Info) bool { return compare(info.Links, how, n) }}
}

// Inode compares the inode number, on any device.
func Inode(how Comparison, n uint64) Attribute {
	return Attribute{needs: dir.Identity, holds: func(info *dir.Info) bool { return compare(info.Inode, how, n) }}
}

// SameFile holds for all names of one file.
func SameFile(device, inode uint64) Attribute {
	return Attribute{needs: dir.Identity, holds: func(info *dir.Info) bool {
		return info.Inode == inode && info.Device == device
	}}
}

// Permissions compares the permission bits (as in chmod(2): 0 to 07777): with Equal they are
// exactly bits; with AtLeast all of bits are set; with AtMost any of bits is set, or bits is
// 0, as with find's -perm.
func Permissions(how Comparison, bits uint32) Attribute {
	return Attribute{needs: dir.Mode, holds: func(info *dir.Info) bool {
		own := unixBits(info.Mode)
		switch how {
		case AtLeast:
			return own&bits == bits
		case AtMost:
			return own&bits != 0 || bits == 0
		}
		return own == bits
	}}
}

func unixBits(mode fs.FileMode) uint32 {
	bits := uint32(mode.Perm())
	for i, special := range []fs.FileMode{fs.ModeSticky, fs.ModeSetgid, fs.ModeSetuid} {
		if mode&special != 0 {
			bits |= 0o1000 << i
		}
	}
	return bits
}
