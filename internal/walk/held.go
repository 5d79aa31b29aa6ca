package walk

import (
	"bytes"
	"encoding/binary"
	"slices"

	"ldx/internal/dir"
)

// maxScratch is the size of the names and texts of a directory after which a worker frees its
// memory for them.
const maxScratch = 1 << 20

// A held has the results in the directory that a worker lists, until it has been listed.
type held struct {
	sequence *sequence
	result   func() ([]byte, int) // of the Visitor
	prefix   *dir.Prefix          // of the directory's entries; nil: of a root, before the first entry
	path     []byte               // the same
	hasPath  bool
	items    []item
	order    []ranked // of items
	data     []byte   // the names and texts of items
	visited  bool     // the last item is of the entry that was visited last
	parts    []part   // scratch
	chunk    *chunk   // for texts of parts
}

// An item is an entry with a result, or a directory to list, or both.
type item struct {
	at       int // in data: the name, and the text after it
	nameLen  uint32
	textLen  uint32 // without the prefix
	prefixAt int32  // where the prefix was in the text; -1: nowhere
	place    uint32
	hasText  bool
	hasPlace bool
}

// A ranked is an item and what it is sorted by.
type ranked struct {
	key  uint64 // compares as the name, as far as it goes; 0 with a Compare function
	item uint32
}

// A part of the results is a place, and the text after it.
type part struct {
	place uint32
	text  []byte
}

// hold has a worker hold back what Visit makes.
func (w *worker) hold(s *sequence) {
	h := &held{sequence: s, result: w.Result}
	w.held = h
	visit := w.Visit
	w.Visit = func(e *dir.Entry) Action {
		if h.visited = false; !h.hasPath {
			h.begin(e)
		}
		action := visit(e)
		if text, from := h.result(); text != nil {
			h.addText(h.add(e), text, from)
		}
		return action
	}
}

// begin is called before the first entry of a directory is visited.
func (h *held) begin(e *dir.Entry) {
	h.path = e.AppendPath(h.path[:0])
	h.path, h.hasPath = h.path[:len(h.path)-len(e.Name)], true
	if h.prefix == nil {
		h.prefix = dir.NewPrefix(h.path)
	}
}

// addText adds a text to the last item. Most texts contain the prefix, which is not kept; it is not
// before from.
func (h *held) addText(it *item, text []byte, from int) {
	it.hasText, it.prefixAt, it.textLen = true, -1, uint32(len(text))
	if len(h.path) > 0 {
		if at := dir.IndexPrefix(text[from:], h.path); at >= 0 {
			at += from
			it.prefixAt, it.textLen = int32(at), uint32(len(text)-len(h.path))
			h.data = append(h.data, text[:at]...)
			text = text[at+len(h.path):]
		}
	}
	h.data = append(h.data, text...)
}

// add adds an item for an entry, without a text.
func (h *held) add(e *dir.Entry) *item {
	h.visited = true
	r := ranked{item: uint32(len(h.items))}
	if h.sequence.Compare == nil {
		r.key = sortKey(e.Name)
	}
	h.order = append(h.order, r)
	h.items = append(h.items, item{at: len(h.data), nameLen: uint32(len(e.Name))})
	h.data = append(h.data, e.Name...)
	return &h.items[len(h.items)-1]
}

// sortKey returns a number that compares as the first bytes of a name.
func sortKey(name []byte) uint64 {
	var first [8]byte
	copy(first[:], name)
	return binary.BigEndian.Uint64(first[:])
}

// ref returns a Ref of a directory to list. In a Sequence it gets a place.
func (w *worker) ref(e *dir.Entry) dir.Ref {
	ref := e.Ref()
	if h := w.held; h != nil {
		if !h.visited {
			h.add(e)
		}
		it := &h.items[len(h.items)-1]
		it.hasPlace, it.place = true, h.sequence.add(h.prefix.Below(e.Name))
		ref.Tag = it.place
	}
	return ref
}

// finish gives what is held of a directory to the sequence.
func (w *worker) finish(ref dir.Ref) {
	h := w.held
	slices.SortFunc(h.order, func(a, b ranked) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return h.compareNames(a, b)
	})
	if h.sequence.Reversed {
		slices.Reverse(h.order)
	}
	h.split()
	h.sequence.replace(ref.Tag, h, w.found)
	clear(w.found)
	h.items, h.order, h.parts, w.found = h.items[:0], h.order[:0], h.parts[:0], w.found[:0]
	h.data, h.hasPath = h.data[:0], false
	if cap(h.data) > maxScratch {
		h.items, h.order, h.parts, h.data, w.found = nil, nil, nil, nil, nil
	}
	w.callHelp()
}

func (h *held) name(it *item) []byte { return h.data[it.at : it.at+int(it.nameLen)] }

// compareNames compares the names of items whose keys are equal.
func (h *held) compareNames(a, b ranked) int {
	nameA, nameB := h.name(&h.items[a.item]), h.name(&h.items[b.item])
	if compare := h.sequence.Compare; compare != nil {
		return compare(nameA, nameB)
	}
	return bytes.Compare(nameA, nameB)
}

// split makes parts of items.
func (h *held) split() {
	size := 0
	for i := range h.items {
		size += int(h.items[i].textLen) + 2*binary.MaxVarintLen32
	}
	if h.chunk == nil || cap(h.chunk.data)-len(h.chunk.data) < size {
		h.chunk = h.sequence.newChunk(h.chunk, size)
	}
	c := h.chunk
	from := len(c.data)
	h.parts = append(h.parts, part{})
	end := func() {
		h.parts[len(h.parts)-1].text = c.data[from:len(c.data):len(c.data)]
		from = len(c.data)
	}
	for _, r := range h.order {
		it := &h.items[r.item]
		if !h.sequence.Reversed {
			c.append(h, it)
		}
		if it.hasPlace {
			end()
			h.parts = append(h.parts, part{place: it.place})
		}
		if h.sequence.Reversed {
			c.append(h, it)
		}
	}
	end()
}

// append appends the text of an item, with its length and one more than where the prefix was before it.
func (c *chunk) append(h *held, it *item) {
	if it.hasText {
		at := it.at + int(it.nameLen)
		c.data = binary.AppendUvarint(c.data, uint64(it.textLen))
		c.data = binary.AppendUvarint(c.data, uint64(it.prefixAt+1))
		c.data = append(c.data, h.data[at:at+int(it.textLen)]...)
	}
}
