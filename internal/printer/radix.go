package printer

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// A sortable is a record and eight bytes of its key.
type sortable struct{ key, record uint64 }

// sorted returns the records in order. Records with the same key stay in the order of their paths.
func (h *Holder) sorted() []sortable {
	all := make([]sortable, 0, h.n)
	for number := range h.records() {
		all = append(all, sortable{record: number})
	}
	if len(h.order.keys) > 0 {
		h.sort(all, make([]sortable, len(all)), 0)
	}
	if h.order.reversed {
		slices.Reverse(all)
	}
	return all
}

// sort sorts records by their keys from a byte on. Their keys are equal up to there. No key is the
// beginning of another, so of those with the same next eight bytes all go on or none does.
func (h *Holder) sort(all, scratch []sortable, from int) {
	const small = 256 // below it, counting takes longer
	for i := range all {
		all[i].key = keyAt(h.key(all[i].record), from)
	}
	if len(all) < small {
		slices.SortStableFunc(all, func(a, b sortable) int { return cmp.Compare(a.key, b.key) })
	} else {
		radixSort(all, scratch)
	}
	from += 8
	for len(all) > 0 {
		same := 1
		for same < len(all) && all[same].key == all[0].key {
			same++
		}
		if same > 1 && len(h.key(all[0].record)) > from {
			h.sort(all[:same], scratch[:same], from)
		}
		all, scratch = all[same:], scratch[same:]
	}
}

// keyAt returns a number that compares as the eight bytes of a key at a place.
func keyAt(key []byte, at int) uint64 {
	if at+8 <= len(key) {
		return binary.BigEndian.Uint64(key[at:])
	}
	var rest [8]byte
	copy(rest[:], key[min(at, len(key)):])
	return binary.BigEndian.Uint64(rest[:])
}

// radixSort sorts by key, the least byte first. It is stable. scratch is as long as all.
func radixSort(all, scratch []sortable) {
	var counts [8][256]int
	for _, s := range all {
		for i := range counts {
			counts[i][byte(s.key>>(8*i))]++
		}
	}
	from, to := all, scratch
	for i := range counts {
		count := &counts[i]
		if count[byte(all[0].key>>(8*i))] == len(all) {
			continue // the same in all
		}
		place := 0
		for b, n := range count {
			count[b] = place
			place += n
		}
		for _, s := range from {
			b := byte(s.key >> (8 * i))
			to[count[b]] = s
			count[b]++
		}
		from, to = to, from
	}
	if &from[0] != &all[0] {
		copy(all, from)
	}
}
