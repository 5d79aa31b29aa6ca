package catalogue

import (
	"encoding/binary"
	"math"

	"ldx/internal/state"
)

// A journal is a log in memory.
type journal struct {
	data   []byte
	size   int      // of what is intact, with the header; 0: there is none
	starts []uint32 // where records begin in data
	last   map[place]uint32
	tables // of the store, and what the log adds to them
}

// readLog reads the log of the store with that id and those tables. It ends before the first
// damaged record. A log of another store or version is empty. find needs findable to be set.
func readLog(data []byte, id uint64, t tables, findable bool) journal {
	l := journal{tables: tables{volumes: t.volumes[:len(t.volumes):len(t.volumes)], roots: t.roots[:len(t.roots):len(t.roots)]}}
	header := state.LogHeader(logMagic, version, id)
	if len(data) < len(header) || string(data[:len(header)]) != string(header) || uint64(len(data)) > math.MaxUint32 {
		return l
	}
	l.data, l.size = data, len(header)
	if findable {
		l.last = map[place]uint32{}
	}
	for {
		p := state.Frame(data[l.size:])
		if len(p) == 0 || !l.add(p, l.size+state.FrameSize) {
			return l
		}
		l.size += state.FrameSize + len(p)
	}
}

// add adds the payload of a frame, which is at that offset in data, and reports whether it is what
// a log may have.
func (l *journal) add(p []byte, at int) bool {
	switch tag, body := p[0], p[1:]; tag {
	case tagVolume:
		if len(body) != 8 {
			return false
		}
		l.volumes = append(l.volumes, binary.LittleEndian.Uint64(body))
	case tagRoot:
		r, rest, ok := cutRoot(body)
		if !ok || len(rest) > 0 {
			return false
		}
		l.roots = append(l.roots, r)
	case tagRecords:
		if len(body)%recordSize != 0 {
			return false
		}
		for from := 0; from < len(body); from += recordSize {
			if l.last != nil {
				l.last[placeOf(body[from:])] = uint32(len(l.starts))
			}
			l.starts = append(l.starts, uint32(at+1+from))
		}
	default:
		return false
	}
	return true
}

// at returns the bytes of a record.
func (l *journal) at(i uint32) []byte { return l.data[l.starts[i] : l.starts[i]+recordSize] }

// find returns the number of the last record of a place, and its bytes; nil if there is none.
func (l *journal) find(p place) (i int, b []byte) {
	n, ok := l.last[p]
	if !ok {
		return 0, nil
	}
	return int(n), l.at(n)
}

// framesOf appends the frames of records to b.
func framesOf(b []byte, records []record) []byte {
	const perFrame = 4096
	var p []byte
	for len(records) > 0 {
		n := min(len(records), perFrame)
		p = append(p[:0], tagRecords)
		for i := range records[:n] {
			p = putRecord(p, &records[i])
		}
		b = append(state.AppendFrame(b, p), p...)
		records = records[n:]
	}
	return b
}
