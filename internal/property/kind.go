package property

import "ldx/internal/dir"

// A Kind is what a property is, which says how it can be compared.
type Kind uint8

// The Kinds.
const (
	Text Kind = iota
	Number
	Bytes  // a number of bytes
	Clock  // a time
	Owner  // the number of a user or group
	Target // the text of a link
)

// Kind returns what p is.
func (p *Property) Kind() Kind {
	switch {
	case p.number != nil:
		return Number
	case p.bytes != nil:
		return Bytes
	case p.isTime:
		return Clock
	case p.owner != nil:
		return Owner
	case p.target:
		return Target
	}
	return Text
}

// Number returns the property of e, whose Info is info. It must be a Number, Bytes or an Owner.
func (p *Property) Number(e *dir.Entry, info *dir.Info) uint64 {
	switch {
	case p.number != nil:
		return p.number(e, info)
	case p.bytes != nil:
		return p.bytes(info)
	}
	return uint64(p.owner(info))
}
