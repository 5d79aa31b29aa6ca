package index

import (
	"bytes"
	"slices"

	"ldx/internal/dir"
)

// A family has the directories that were collected, by node, and which are below which.
type family struct {
	payloads [][]byte
	parents  []Node
	// first has the first child of a node, next the next child of the same parent.
	first, next []Node
	complete    bool // a directory that was not collected is Excluded
}

func newFamily(payloads [][]byte, parents []Node, complete bool) *family {
	f := &family{
		payloads: payloads, parents: parents, complete: complete,
		first: make([]Node, len(payloads)), next: make([]Node, len(payloads)),
	}
	for n := len(payloads) - 1; n > 0; n-- {
		if parent := parents[n]; payloads[n] != nil && uint64(parent) < uint64(len(payloads)) {
			f.next[n], f.first[parent] = f.first[parent], Node(n)
		}
	}
	return f
}

// adopt adds the directories that have not changed, but have a child that base does not know:
// it could not be read before, or its record was lost.
func (f *family) adopt(base *Recording) {
	for parent, c := range f.first {
		if c == 0 || f.payloads[parent] != nil {
			continue
		}
		for c != 0 && base.childOf(Node(parent), c) != 0 {
			c = f.next[c]
		}
		if d, ok := base.directory(Node(parent)); c != 0 && ok && base.whole(Node(parent), &d) {
			f.payloads[parent] = putDelta(nil, Node(parent), nil, &d)
		}
	}
}

// link sets the children of n in its payload: the numbers of those collected, else of those
// that base knows by the name. It returns the scratch slice found, extended.
func (f *family) link(n Node, base *Recording, number func(Node) Node, found []dir.Child) []dir.Child {
	d, _ := decodeDelta(f.payloads[n])
	if len(d.children) == 0 {
		return found
	}
	found = found[:0]
	for c := f.first[n]; c != 0; c = f.next[c] {
		found = append(found, dir.Child{Name: deltaName(f.payloads[c]), Node: number(c)})
	}
	if base != nil {
		found = base.Children(n, found)
	}
	slices.SortStableFunc(found, func(a, b dir.Child) int { return bytes.Compare(a.Name, b.Name) })
	for i := range d.childCount() {
		_, name := d.child(i)
		at, ok := slices.BinarySearchFunc(found, name, func(c dir.Child, name []byte) int { return bytes.Compare(c.Name, name) })
		switch {
		case ok:
			setChildNode(d.children, i, found[at].Node)
		case f.complete:
			setChildNode(d.children, i, dir.Excluded)
		}
	}
	return found
}

// renumber returns the nodes of a new snapshot, in the order of the old ones, without gaps and
// without directories that the root does not lead to; 0 for these. count is their number.
func (f *family) renumber() (numbers []Node, count Node) {
	numbers = make([]Node, len(f.payloads))
	for n := 1; n < len(f.payloads); n++ {
		if f.payloads[n] == nil {
			continue
		}
		parent := f.parents[n]
		if Node(n) == rootNode || parent != 0 && parent < Node(n) && numbers[parent] != 0 {
			count++
			numbers[n] = count
		}
	}
	return numbers, count
}
