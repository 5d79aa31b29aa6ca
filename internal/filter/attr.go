package filter

import (
	"io/fs"
	"time"

	"ldx/internal/dir"
	"ldx/internal/property"
)

// An Attribute is a test of what the system must be asked for.
type Attribute struct {
	needs dir.Fields
	holds func(*dir.Info) bool
	files bool // of regular files only
	fails bool // it must not hold
}

// A Compare is how a number must be to another.
type Compare uint8

// The ways to compare.
const (
	Equal Compare = iota
	AtLeast
	AtMost
)

func compare[T int64 | uint64](n T, how Compare, with T) bool {
	switch how {
	case AtLeast:
		return n >= with
	case AtMost:
		return n <= with
	}
	return n == with
}

// Not returns the Attribute that holds where a does not. Those of regular files
// remain so.
func (a Attribute) Not() Attribute {
	a.fails = !a.fails
	return a
}

// Size is of regular files, in bytes.
func Size(how Compare, bytes int64) Attribute {
	return Attribute{needs: dir.Size, files: true, holds: func(info *dir.Info) bool {
		return compare(info.Size, how, bytes)
	}}
}

// After holds for what has a time, that in the field clock, later than t.
func After(clock dir.Fields, t time.Time) Attribute {
	return Attribute{needs: clock, holds: func(info *dir.Info) bool {
		own := property.Time(info, clock)
		return property.Known(own) && property.CompareTimes(own, t) > 0
	}}
}

// Before holds for what has a time, that in the field clock, earlier than t.
func Before(clock dir.Fields, t time.Time) Attribute {
	return Attribute{needs: clock, holds: func(info *dir.Info) bool {
		own := property.Time(info, clock)
		return property.Known(own) && property.CompareTimes(own, t) < 0
	}}
}

// User holds for what belongs to the user.
func User(id uint32) Attribute {
	return Attribute{needs: dir.Owner, holds: func(info *dir.Info) bool { return info.User == id }}
}

// Group holds for what belongs to the group.
func Group(id uint32) Attribute {
	return Attribute{needs: dir.Owner, holds: func(info *dir.Info) bool { return info.Group == id }}
}

// Links is how many names a file has.
func Links(how Compare, n uint64) Attribute {
	return Attribute{needs: dir.Links, holds: func(info *dir.Info) bool { return compare(info.Links, how, n) }}
}

// Inode is a file's number, on any device.
func Inode(how Compare, n uint64) Attribute {
	return Attribute{needs: dir.Identity, holds: func(info *dir.Info) bool { return compare(info.Inode, how, n) }}
}

// SameFile holds for the names of one file.
func SameFile(device, inode uint64) Attribute {
	return Attribute{needs: dir.Identity, holds: func(info *dir.Info) bool {
		return info.Inode == inode && info.Device == device
	}}
}

// Permissions holds where the permission bits (as in chmod(2): 0 to 07777) are
// those given: exactly for Equal, all of them for AtLeast, and for AtMost any of
// them, or none if none is given, as with find's -perm.
func Permissions(how Compare, bits uint32) Attribute {
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
