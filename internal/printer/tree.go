package printer

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"ldx/internal/dir"
)

// A tree holds results by directory, so that it grows with the number of results and
// directories, not with the length of paths.
type tree struct {
	top    place // the parent of the first elements of paths
	last   *place
	prefix []byte  // of last
	places []place // the newest chunk
	items  []item  // the newest chunk
	n      int     // the number of all items
	text   []byte  // the newest chunk of texts of places and items
}

// A place is a directory in the path of a result.
type place struct {
	above *place
	name  []byte
	end   int    // the length of its prefix, which is its path and a slash
	first *place // a list of the places in it
	next  *place // in the list of the place above
	items *item  // a list of the results in it
}

// An item is a result: its name and its text, without the prefix of its place, which the text
// of most results contains.
type item struct {
	place  *place
	next   *item // in the list of place
	text   []byte
	name   uint32 // length of the name
	before int32  // length of the text before the prefix; -1: it does not contain the prefix
	apart  bool   // text begins with the name, which is not part of the result's text
}

// add adds a result: its path and its text.
func (t *tree) add(path, shown []byte) {
	end := bytes.LastIndexByte(path, '/') + 1
	prefix, name := path[:end], path[end:]
	if len(t.items) == cap(t.items) {
		t.items = make([]item, 0, grown(cap(t.items), 1<<10))
	}
	p := t.placeOf(prefix)
	t.items = append(t.items, item{place: p, next: p.items, name: uint32(len(name))})
	it := &t.items[len(t.items)-1]
	p.items = it
	t.n++

	at := dir.IndexPrefix(shown, prefix)
	it.before = int32(at)
	before, after := shown[:max(at, 0)], shown
	if at >= 0 {
		after = shown[at+end:]
	}
	it.apart = at != 0 || !bytes.HasPrefix(after, name)
	if it.apart {
		it.text = t.keep(name, before, after)
	} else {
		it.text = t.keep(after)
	}
}

// placeOf returns the place of a prefix. It shares places with the last prefix only: a worker
// goes on where it was, or near there. (A directory may have several places.)
func (t *tree) placeOf(prefix []byte) *place {
	if t.last == nil {
		t.last = &t.top
	}
	if bytes.Equal(prefix, t.prefix) {
		return t.last
	}
	same := commonPrefix(prefix, t.prefix)
	p := t.last
	for p.end > same {
		p = p.above
	}
	t.prefix = append(t.prefix[:p.end], prefix[p.end:]...)
	for rest := prefix[p.end:]; len(rest) > 0; {
		n := bytes.IndexByte(rest, '/')
		p = t.newPlace(p, rest[:n])
		rest = rest[n+1:]
	}
	t.last = p
	return p
}

func (t *tree) newPlace(above *place, name []byte) *place {
	if len(t.places) == cap(t.places) {
		t.places = make([]place, 0, grown(cap(t.places), 1<<8))
	}
	t.places = append(t.places, place{above: above, name: t.keep(name), end: above.end + len(name) + 1, next: above.first})
	p := &t.places[len(t.places)-1]
	above.first = p
	return p
}

// grown returns the size of the chunk after one of a given size: few results take little.
func grown(size, limit int) int {
	const smallest = 16
	return min(max(2*size, smallest), limit)
}

// keep copies texts, one after the other, into a chunk. A full chunk is left to what uses it and
// replaced.
func (t *tree) keep(texts ...[]byte) []byte {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	if cap(t.text)-len(t.text) < size {
		t.text = make([]byte, 0, max(grown(cap(t.text), 64<<10), size))
	}
	from := len(t.text)
	for _, text := range texts {
		t.text = append(t.text, text...)
	}
	return t.text[from:len(t.text):len(t.text)]
}

// inOrder returns the items of trees in the order of their paths.
func inOrder(trees []*tree) []*item {
	var o ordering
	for _, t := range trees {
		o.below = append(o.below, named{place: &t.top})
	}
	o.add(0, len(o.below))
	return o.items
}

// An ordering walks trees at the same time.
type ordering struct {
	below []named // a stack: the rest of each place on the way down
	items []*item
}

// A named is an item or a place.
type named struct {
	name  []byte
	item  *item
	place *place
}

// add adds everything in o.below[from:to], which are places of the same directory.
func (o *ordering) add(from, to int) {
	start := len(o.below)
	for i := from; i < to; i++ {
		p := o.below[i].place
		for it := p.items; it != nil; it = it.next {
			o.below = append(o.below, named{name: it.text[:it.name], item: it})
		}
		for below := p.first; below != nil; below = below.next {
			o.below = append(o.below, named{name: below.name, place: below})
		}
	}
	slices.SortFunc(o.below[start:], func(a, b named) int {
		if c := bytes.Compare(a.name, b.name); c != 0 {
			return c
		}
		return cmp.Compare(a.kind(), b.kind())
	})
	end := len(o.below)
	for i := start; i < end; {
		if it := o.below[i].item; it != nil {
			o.items = append(o.items, it)
			i++
			continue
		}
		next := i + 1
		for next < end && bytes.Equal(o.below[next].name, o.below[i].name) {
			next++
		}
		o.add(i, next)
		i = next
	}
	o.below = o.below[:start]
}

// kind orders an item before the place of the same name.
func (n *named) kind() int {
	if n.item != nil {
		return 0
	}
	return 1
}

// shown returns the text of the result, without the prefix of its place.
func (it *item) shown() []byte {
	if it.apart {
		return it.text[it.name:]
	}
	return it.text
}

// A restored puts the prefixes of places back into texts.
type restored struct {
	text   []byte
	prefix []byte
	place  *place // of prefix
}

// of returns the text of an item. It is valid until the next call.
func (r *restored) of(it *item) []byte {
	shown := it.shown()
	if it.before < 0 {
		return shown
	}
	if it.place != r.place {
		r.place = it.place
		r.prefix = it.place.appendPrefix(r.prefix[:0])
	}
	r.text = append(r.text[:0], shown[:it.before]...)
	r.text = append(r.text, r.prefix...)
	r.text = append(r.text, shown[it.before:]...)
	return r.text
}

func (p *place) appendPrefix(b []byte) []byte {
	b = slices.Grow(b, p.end)[:p.end]
	for ; p.above != nil; p = p.above {
		b[p.end-1] = '/'
		copy(b[p.above.end:], p.name)
	}
	return b
}

// commonPrefix returns the length of the longest common prefix.
func commonPrefix(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for i+8 <= n && binary.LittleEndian.Uint64(a[i:]) == binary.LittleEndian.Uint64(b[i:]) {
		i += 8
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
