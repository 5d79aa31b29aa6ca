package printer

import (
	"encoding/binary"
	"iter"

	"ldx/internal/dir"
)

// A Holder keeps results until all are found, and gives them in an Order. They are added in the
// order of their paths, so it sorts by keys only. It takes memory by
// the number of results and directories, not by the length of paths. It is not safe for concurrent
// use.
//
// A record is a result:
//
//	length, key   number of the prefix   one more than where it is in the text, or 0   length, text
type Holder struct {
	renderer Renderer
	order    Order
	chunks   [][]byte // records; none is longer than its chunk
	n        int      // number of records
	prefixes []*dir.Prefix
}

// NewHolder returns an empty Holder of what r makes of results.
func NewHolder(r Renderer, order Order) *Holder { return &Holder{renderer: r, order: order} }

// A Keyed makes results for a Holder. It is not safe for concurrent use.
type Keyed struct {
	holder *Holder
	key    []byte
}

// Keyed returns a Keyed for one worker.
func (h *Holder) Keyed() *Keyed { return &Keyed{holder: h} }

// Append appends the key and the text of a result to b and returns the extended slice, and where
// the text begins.
func (k *Keyed) Append(b []byte, e *dir.Entry) (result []byte, text int) {
	k.key = k.holder.order.appendKey(k.key[:0], e)
	b = appendSized(b, k.key)
	return k.holder.renderer.Append(b, e), len(b)
}

func appendSized(b, text []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// cutSized cuts off what appendSized has appended.
func cutSized(b []byte) (text, rest []byte) {
	size, n := binary.Uvarint(b)
	end := n + int(size)
	return b[n:end:end], b[end:]
}

// Add adds the next result in the order of paths, as a Keyed has made it, but without the path of
// its directory: at is where prefix was in it, not in the key; -1: nowhere.
func (h *Holder) Add(result []byte, at int, prefix *dir.Prefix) {
	const minSize, maxSize = 4 << 10, 1 << 20
	key, text := cutSized(result)
	if at >= 0 {
		at -= len(result) - len(text)
		if n := len(h.prefixes); n == 0 || h.prefixes[n-1] != prefix {
			h.prefixes = append(h.prefixes, prefix)
		}
	}
	size := len(result) + 3*binary.MaxVarintLen32
	last := len(h.chunks) - 1
	if last < 0 || cap(h.chunks[last])-len(h.chunks[last]) < size {
		next := minSize
		if last >= 0 {
			next = min(maxSize, 2*cap(h.chunks[last]))
		}
		h.chunks = append(h.chunks, make([]byte, 0, max(next, size)))
		last++
	}
	b := appendSized(h.chunks[last], key)
	b = binary.AppendUvarint(b, uint64(max(0, len(h.prefixes)-1)))
	b = binary.AppendUvarint(b, uint64(at+1))
	h.chunks[last] = appendSized(b, text)
	h.n++
}

// records yields each record, its number being its chunk and its place in it.
func (h *Holder) records() iter.Seq2[uint64, []byte] {
	return func(yield func(uint64, []byte) bool) {
		for i, c := range h.chunks {
			for at := 0; at < len(c); {
				record := c[at:]
				if !yield(uint64(i)<<32|uint64(at), record) {
					return
				}
				_, rest := cutSized(record)
				for range 2 {
					_, n := binary.Uvarint(rest)
					rest = rest[n:]
				}
				_, rest = cutSized(rest)
				at = len(c) - len(rest)
			}
		}
	}
}

// key returns the key of a record.
func (h *Holder) key(number uint64) []byte {
	key, _ := cutSized(h.chunks[number>>32][uint32(number):])
	return key
}

// appendText appends the text of a record.
func (h *Holder) appendText(b []byte, number uint64) []byte {
	_, rest := cutSized(h.chunks[number>>32][uint32(number):])
	prefix, n := binary.Uvarint(rest)
	rest = rest[n:]
	at, n := binary.Uvarint(rest)
	text, _ := cutSized(rest[n:])
	if at == 0 {
		return append(b, text...)
	}
	b = h.prefixes[prefix].Append(append(b, text[:at-1]...))
	return append(b, text[at-1:]...)
}

// Each calls do with the text of each result, in order, for the first n of them (0: all),
// until there is an error, which it returns. The text is valid until do returns. No result
// may be added after it.
func (h *Holder) Each(n int, do func(text []byte) error) error {
	h.rankOwners()
	all := h.sorted()
	first := len(all)
	if n > 0 {
		first = min(n, first)
	}
	var text []byte
	return each(h.renderer, func(yield func([]byte) bool) {
		for i := range first {
			text = h.appendText(text[:0], all[i].record)
			if !yield(text) {
				return
			}
		}
	}, do)
}

// rankOwners makes keys compare as the names of the owners that they have.
func (h *Holder) rankOwners() {
	for i, k := range h.order.keys {
		if !k.IsOwner() {
			continue
		}
		k.Ranks(func(yield func([]byte) bool) {
			for _, record := range h.records() {
				key, _ := cutSized(record)
				for before := range i {
					_, key = h.order.keys[before].cut(key)
				}
				key, _ = k.cut(key)
				k.invert(key)
				more := yield(key)
				if k.invert(key); !more {
					return
				}
			}
		})
	}
}
