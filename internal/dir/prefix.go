package dir

import (
	"bytes"
	"slices"
)

// A Prefix is what the paths of all entries in a directory begin with: its path and a slash. It
// shares the Prefix of the directory above, so that many take memory by the number of directories,
// not by the length of paths. It does not change, and may outlive the Dir.
type Prefix struct {
	above *Prefix
	name  []byte // of a root the whole prefix
	size  int
}

// NewPrefix returns the Prefix of the entries of a root.
func NewPrefix(prefix []byte) *Prefix {
	return &Prefix{name: bytes.Clone(prefix), size: len(prefix)}
}

// Below returns the Prefix of the entries of the directory with that name.
func (p *Prefix) Below(name []byte) *Prefix {
	return &Prefix{above: p, name: bytes.Clone(name), size: p.size + len(name) + 1}
}

// Append appends the prefix to b and returns the extended slice.
func (p *Prefix) Append(b []byte) []byte {
	from := len(b)
	b = slices.Grow(b, p.size)[:from+p.size]
	for ; p.above != nil; p = p.above {
		b[from+p.size-1] = '/'
		copy(b[from+p.above.size:], p.name)
	}
	copy(b[from:], p.name)
	return b
}

// IndexPrefix returns where text contains a prefix, or -1. It looks for the beginning of the
// prefix, which may be long, and at its first place only.
func IndexPrefix(text, prefix []byte) int {
	const beginning = 32
	at := bytes.Index(text, prefix[:min(len(prefix), beginning)])
	if at < 0 || !bytes.HasPrefix(text[at:], prefix) {
		return -1
	}
	return at
}
