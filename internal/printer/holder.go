package printer

import (
	"cmp"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/property"
)

// An Order says how results are sorted: by properties and then by path. The first property in
// which two results differ decides. The zero Order is by path.
type Order struct {
	keys     []*property.Property
	reversed bool
}

// NewOrder returns the Order by the properties of these names, the last first if reversed is
// set.
func NewOrder(names []string, reversed bool) (Order, error) {
	o, whole := Order{reversed: reversed}, false // after the path, no key decides
	for _, name := range names {
		p := property.Get(name)
		if p == nil || !p.Sorts() {
			return o, fmt.Errorf("there is no order by %s; give some of %s", name, strings.Join(property.SortKeys(), ", "))
		}
		if whole = whole || p.Name == "path"; !whole {
			o.keys = append(o.keys, p)
		}
	}
	return o, nil
}

// Needs returns what the Info of entries is asked for.
func (o Order) Needs() (fields dir.Fields) {
	for _, k := range o.keys {
		fields |= k.Needs
	}
	return fields
}

// compare compares two items by the keys, and then by the order of their paths.
func (o *Order) compare(a, b *item) int {
	c := 0
	for i := range a.values {
		if c = a.values[i].Compare(&b.values[i]); c != 0 {
			break
		}
	}
	if c == 0 {
		c = cmp.Compare(a.rank, b.rank)
	}
	if o.reversed {
		return -c
	}
	return c
}

// An arranger is a Renderer whose results depend on each other.
type arranger interface {
	// arrange returns what appends a result as it is printed, given what Append has made
	// of it. It is called when all results are held.
	arrange(all []*item) func(b, text []byte) []byte
}

// A Holder keeps results until all are found, and gives them in order. It takes memory by
// the number of results and directories, not by the length of paths. It is safe for
// concurrent use; each worker has a HeldBuffer.
type Holder struct {
	renderer Renderer
	order    Order
	mu       sync.Mutex
	buffers  []*HeldBuffer
	all      []*item // in order; nil: not sorted yet
}

// NewHolder returns an empty Holder of what r makes of results.
func NewHolder(r Renderer, order Order) *Holder { return &Holder{renderer: r, order: order} }

// A HeldBuffer takes one worker's results. It is not safe for concurrent use.
type HeldBuffer struct {
	holder      *Holder
	tree        tree
	values      []property.Value // of items; filled up, never rewritten
	path, shown []byte           // of the last result
	scratch     []byte
}

// NewBuffer returns an empty HeldBuffer.
func (h *Holder) NewBuffer() *HeldBuffer {
	b := &HeldBuffer{holder: h}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buffers = append(h.buffers, b)
	return b
}

// Add adds a result.
func (b *HeldBuffer) Add(e *dir.Entry) {
	b.path = e.AppendPath(b.path[:0])
	b.shown = b.holder.renderer.Append(b.shown[:0], e)
	b.tree.add(b.path, b.shown).values = b.valuesOf(e)
}

// valuesOf returns an entry's values. What the system does not say is as if there were
// nothing.
func (b *HeldBuffer) valuesOf(e *dir.Entry) []property.Value {
	const chunk = 1 << 10
	order := &b.holder.order
	if len(order.keys) == 0 {
		return nil
	}
	info, err := e.Info(order.Needs())
	if err != nil {
		info = &dir.Info{}
	}
	if cap(b.values)-len(b.values) < len(order.keys) {
		b.values = make([]property.Value, 0, chunk+len(order.keys))
	}
	from := len(b.values)
	for _, k := range order.keys {
		v := k.Value(b.scratch[:0], e, info)
		if v.Text != nil {
			b.scratch = v.Text
			v.Text = b.tree.keep(v.Text)
		}
		b.values = append(b.values, v)
	}
	return b.values[from:len(b.values):len(b.values)]
}

// Each calls do with the text of each result, in order, for the first n of them (0: all),
// until there is an error, which it returns. The text is valid until do returns. No result
// may be added after it.
func (h *Holder) Each(n int, do func(text []byte) error) error {
	all := h.sorted()
	var arranged func(b, text []byte) []byte
	if a, ok := h.renderer.(arranger); ok {
		arranged = a.arrange(all)
	}
	if n > 0 {
		all = all[:min(n, len(all))]
	}
	var whole restored
	var line []byte
	for _, it := range all {
		text := whole.of(it)
		if arranged != nil {
			line = arranged(line[:0], text)
			text = line
		}
		if err := do(text); err != nil {
			return err
		}
	}
	return nil
}

func (h *Holder) sorted() []*item {
	if h.all != nil {
		return h.all
	}
	trees := make([]*tree, len(h.buffers))
	for i, b := range h.buffers {
		trees[i] = &b.tree
	}
	h.all = inOrder(trees)
	switch {
	case len(h.order.keys) > 0:
		h.order.rankOwners(h.all)
		h.all = h.order.sort(h.all)
	case h.order.reversed:
		slices.Reverse(h.all)
	}
	return h.all
}

// rankOwners makes values compare as the names of the owners that they are.
func (o *Order) rankOwners(all []*item) {
	for i, k := range o.keys {
		values := func(yield func(*property.Value) bool) {
			for _, it := range all {
				if !yield(&it.values[i]) {
					return
				}
			}
		}
		k.RankOwners(iter.Seq[*property.Value](values))
	}
}

// sort sorts parts of all at the same time, and then merges two and two.
func (o *Order) sort(all []*item) []*item {
	const minPart = 1 << 10 // or it is not worth it
	size := max(minPart, (len(all)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	parts := slices.Collect(slices.Chunk(all, size))
	var working sync.WaitGroup
	for _, part := range parts {
		working.Go(func() { slices.SortFunc(part, o.compare) })
	}
	working.Wait()
	for len(parts) > 1 {
		half := (len(parts) + 1) / 2
		for i := half; i < len(parts); i++ {
			working.Go(func() { parts[i-half] = o.merge(parts[i-half], parts[i]) })
		}
		working.Wait()
		parts = parts[:half]
	}
	return slices.Concat(parts...)
}

func (o *Order) merge(a, b []*item) []*item {
	all := make([]*item, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if o.compare(a[0], b[0]) <= 0 {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}
