package where

import (
	"cmp"
	"slices"

	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/match"
)

// A cost is what a test takes.
type cost uint8

const (
	ofEntry  cost = iota // a few instructions
	ofName               // a match of the name
	ofPath               // a match of the path, which must be made
	ofInfo               // the metadata, which the system is asked for once
	ofSystem             // another question to the system
)

// A kind is what a test is of. The common ones need no call of a function.
type kind uint8

const (
	other kind = iota
	aType
	aName
	anAttribute
)

// A test is true or false of an entry.
type test struct {
	cost   cost
	of     kind
	absent dir.AbsentFunc // reports that it is false for all of some names; may be nil

	types     filter.Type                                     // aType: those of the entry
	names     *match.Matcher                                  // aName: what matches it
	attribute filter.Attribute                                // anAttribute
	holds     func(x *expression, e *dir.Entry) (bool, error) // other
}

// A node is a test, or others joined.
type node struct {
	join join
	kids []*node
	test *test
	cost cost
}

type join uint8

const (
	single join = iota // the test
	not                // of the only kid
	and
	or
)

// split adds what flags could ask for, of the tests that must all hold, to an entry's tests, and
// returns what is left, or nil.
func (n *node) split(to *filter.Options) (rest *node) {
	switch {
	case n.join == and:
		kids := n.kids[:0]
		for _, kid := range n.kids {
			if kid = kid.split(to); kid != nil {
				kids = append(kids, kid)
			}
		}
		if n.kids = kids; len(kids) == 0 {
			return nil
		}
	case n.join == single && n.test.of == aType && to.Types == nil:
		to.Types = []filter.Type{n.test.types}
		return nil
	case n.join == single && n.test.of == aName && to.Extension == nil:
		to.Extension = n.test.names
		return nil
	case n.join == single && n.test.of == anAttribute:
		to.Attributes = append(to.Attributes, n.test.attribute)
		return nil
	case n.join == not && n.kids[0].join == single && n.kids[0].test.of == aName && to.NotExtension == nil:
		to.NotExtension = n.kids[0].test.names
		return nil
	}
	return n
}

// order sorts what is joined by cost, and sets that of n to the highest below it.
func (n *node) order() {
	if n.join == single {
		n.cost = n.test.cost
		return
	}
	for _, kid := range n.kids {
		kid.order()
		n.cost = max(n.cost, kid.cost)
	}
	slices.SortStableFunc(n.kids, func(a, b *node) int { return cmp.Compare(a.cost, b.cost) })
}

// A step is a test and the step after it, which may be the end: accept or reject.
type step struct {
	*test
	yes, no int
}

const (
	accept = -1
	reject = -2
)

// compile makes code of a tree. Each step leads to earlier ones in the slice.
func compile(tree *node, dirSizes bool) *expression {
	tree.order()
	x := &expression{dirSizes: dirSizes}
	x.start = x.add(tree, accept, reject)
	x.Along(0)
	return x
}

// add adds the code of n, after which yes or no follows, and returns its first step.
func (x *expression) add(n *node, yes, no int) (first int) {
	switch n.join {
	case not:
		return x.add(n.kids[0], no, yes)
	case and:
		for _, kid := range slices.Backward(n.kids) {
			yes = x.add(kid, yes, no)
		}
		return yes
	case or:
		for _, kid := range slices.Backward(n.kids) {
			no = x.add(kid, yes, no)
		}
		return no
	}
	x.needs |= n.test.attribute.Needs()
	x.screens = x.screens || n.test.absent != nil
	x.code = append(x.code, step{n.test, yes, no})
	return len(x.code) - 1
}
