package index

import (
	"ldx/internal/dir"
	"ldx/internal/state"
)

// deltas is a log in memory: where the last payload of each node is.
type deltas struct {
	data []byte
	at   map[Node]int
	bits []uint64 // has a bit for each node in at: a map takes longer to ask, and few nodes are in it
	size int      // the length of the records that are intact, with the header; 0: no log
	last Node     // the highest node that a record has or refers to
}

// find returns where the last payload of n is.
func (l *deltas) find(n Node) (at int, ok bool) {
	if i := int(n / 64); i >= len(l.bits) || l.bits[i]>>(n%64)&1 == 0 {
		return 0, false
	}
	at, ok = l.at[n]
	return at, ok
}

// set sets where the last payload of n is.
func (l *deltas) set(n Node, at int) {
	i := int(n / 64)
	for i >= len(l.bits) {
		l.bits = append(l.bits, 0)
	}
	l.bits[i] |= 1 << (n % 64)
	l.at[n] = at
}

// maxNew is the number of new nodes above which a log is not one that was written: a snapshot is
// written anew long before.
const maxNew = 1 << 22

// readLog reads the log of the snapshot with the given id and number of nodes. It ends before the
// first damaged record; a log of another snapshot or version is empty.
func readLog(data []byte, id uint64, nodes int) (l deltas) {
	if !isLog(data, id) {
		return l
	}
	l = deltas{data: data, at: map[Node]int{}, size: state.LogHeaderSize}
	for {
		p := state.Frame(data[l.size:])
		d, ok := decodeDelta(p)
		if !ok || deltaLen(&d, p) != len(p) || !d.consistent() || deltaNode(p) == 0 {
			return l
		}
		last := deltaNode(p)
		for i := range d.childCount() {
			if c := childNode(d.children, i); c != dir.Excluded {
				last = max(last, c)
			}
		}
		if int64(last) > int64(nodes)+maxNew {
			return l
		}
		l.set(deltaNode(p), l.size+state.FrameSize)
		l.last = max(l.last, last)
		l.size += state.FrameSize + len(p)
	}
}

// isLog reports whether data begins with the header of a log of the snapshot with this id.
func isLog(data []byte, id uint64) bool {
	return len(data) >= state.LogHeaderSize && string(data[:state.LogHeaderSize]) == string(logHeader(id))
}

// logHeader returns the header of a log.
func logHeader(id uint64) []byte { return state.LogHeader(logMagic, version, id) }
