package property

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"ldx/internal/dir"
)

// AppendKey appends the sort key of an entry to b and returns the extended slice. Keys of the same
// Property compare as bytes, those of owners only when they are ranked; see Ranks. No key is the
// beginning of another, so that keys of several Properties can follow each other.
func (p *Property) AppendKey(b []byte, e *dir.Entry, info *dir.Info) []byte {
	switch {
	case p.text != nil:
		return append(p.text(b, e, info), 0) // which is in no text
	case p.number != nil:
		return binary.BigEndian.AppendUint64(b, p.number(e, info))
	case p.bytes != nil:
		return binary.BigEndian.AppendUint64(b, p.bytes(info))
	case p.owner != nil:
		return binary.BigEndian.AppendUint32(b, p.owner(info))
	case p.isTime:
		return appendTimeKey(b, Time(info, p.Needs))
	}
	return b
}

// Most times take eight bytes: the seconds in 34 bits, from 1697 to 2242, and the nanoseconds. Others
// are the least or the greatest such number, with twelve bytes after it. What is not known has
// zeros there, and comes first.
const (
	nanosecondBits = 30
	secondsBias    = 1 << 33
	farTime        = 12 // bytes
)

func appendTimeKey(b []byte, t time.Time) []byte {
	if !Known(t) {
		return append(b, make([]byte, 8+farTime)...)
	}
	near := uint64(t.Unix()+secondsBias)<<nanosecondBits | uint64(t.Nanosecond())
	switch {
	case t.Unix() <= -secondsBias:
		near = 0
	case t.Unix() >= secondsBias-1:
		near = ^uint64(0)
	default:
		return binary.BigEndian.AppendUint64(b, near)
	}
	b = binary.BigEndian.AppendUint64(b, near)
	b = binary.BigEndian.AppendUint64(b, uint64(t.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(b, uint32(t.Nanosecond())+1)
}

// CutKey returns a key of the Property that b begins with, and the rest.
func (p *Property) CutKey(b []byte) (key, rest []byte) {
	n := 8
	switch {
	case p.text != nil:
		n = bytes.IndexByte(b, 0) + 1
	case p.owner != nil:
		n = 4
	case p.isTime:
		if near := binary.BigEndian.Uint64(b); near == 0 || near == ^uint64(0) {
			n += farTime
		}
	}
	return b[:n], b[n:]
}

// IsOwner reports whether the Property is an owner, by number in keys and by name in their order.
func (p *Property) IsOwner() bool { return p.owners != nil }

// Ranks changes keys of owners to compare by name. It must be given all of them, and calls keys twice.
func (p *Property) Ranks(keys iter.Seq[[]byte]) {
	ranks := make(map[uint32]uint32)
	for key := range keys {
		ranks[binary.BigEndian.Uint32(key)] = 0
	}
	ids := slices.Collect(maps.Keys(ranks))
	slices.SortFunc(ids, func(a, b uint32) int {
		return cmp.Or(strings.Compare(p.owners.name(a), p.owners.name(b)), cmp.Compare(a, b))
	})
	for i, id := range ids {
		ranks[id] = uint32(i)
	}
	for key := range keys {
		binary.BigEndian.PutUint32(key, ranks[binary.BigEndian.Uint32(key)])
	}
}
