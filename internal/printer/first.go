package printer

import (
	"bytes"
	"cmp"
	"container/heap"
	"slices"
	"sync"
	"sync/atomic"

	"ldx/internal/dir"
)

// A First keeps the first n results in an Order, and gives them when all were added. It takes
// memory for these only. It is safe for concurrent use; each worker has a FirstBuffer.
type First struct {
	renderer Renderer
	order    Order
	n        int
	worst    atomic.Pointer[kept] // the last of n; nil: there are fewer

	mu   sync.Mutex
	kept keptHeap
}

// NewFirst returns a First of what r makes of results. n is at least 1. The Order must have no
// owners, which are compared when all are known.
func NewFirst(r Renderer, order Order, n int) *First {
	return &First{renderer: r, order: order, n: n, kept: keptHeap{order: &order}}
}

// A kept is a result, which does not change.
type kept struct {
	key, path, text []byte
	root            int
}

// compare compares two results.
func (o *Order) compare(a, b *kept) int {
	c := cmp.Or(bytes.Compare(a.key, b.key), cmp.Compare(a.root, b.root))
	if c == 0 {
		c = o.ComparePaths(a.path, b.path)
	}
	if o.reversed {
		return -c
	}
	return c
}

// A FirstBuffer takes one worker's results. It is not safe for concurrent use.
type FirstBuffer struct {
	first *First
	entry kept // scratch
}

// NewBuffer returns a FirstBuffer.
func (f *First) NewBuffer() *FirstBuffer { return &FirstBuffer{first: f} }

// Add adds a result.
func (b *FirstBuffer) Add(e *dir.Entry) {
	f, entry := b.first, &b.entry
	entry.key = f.order.appendKey(entry.key[:0], e)
	worst := f.worst.Load()
	if worst != nil {
		c := bytes.Compare(entry.key, worst.key)
		if f.order.reversed {
			c = -c
		}
		if c > 0 {
			return
		}
	}
	if entry.root = e.Dir.Root(); e.Depth() == 0 {
		entry.path = e.AppendPath(entry.path[:0])
	} else {
		entry.path = e.AppendBelow(entry.path[:0])
	}
	if worst != nil && f.order.compare(entry, worst) >= 0 {
		return
	}
	entry.text = f.renderer.Append(entry.text[:0], e)
	f.add(&kept{bytes.Clone(entry.key), bytes.Clone(entry.path), bytes.Clone(entry.text), entry.root})
}

func (f *First) add(result *kept) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case len(f.kept.all) < f.n:
		heap.Push(&f.kept, result)
	case f.order.compare(result, f.kept.all[0]) < 0:
		f.kept.all[0] = result
		heap.Fix(&f.kept, 0)
	}
	if len(f.kept.all) == f.n {
		f.worst.Store(f.kept.all[0])
	}
}

// Each calls do with the text of each result, in order, until there is an error, which it returns.
func (f *First) Each(do func(text []byte) error) error {
	slices.SortFunc(f.kept.all, f.order.compare)
	return each(f.renderer, func(yield func([]byte) bool) {
		for _, result := range f.kept.all {
			if !yield(result.text) {
				return
			}
		}
	}, do)
}

// A keptHeap has the last result at the top.
type keptHeap struct {
	order *Order
	all   []*kept
}

func (h *keptHeap) Len() int           { return len(h.all) }
func (h *keptHeap) Less(i, j int) bool { return h.order.compare(h.all[i], h.all[j]) > 0 }
func (h *keptHeap) Swap(i, j int)      { h.all[i], h.all[j] = h.all[j], h.all[i] }
func (h *keptHeap) Push(result any)    { h.all = append(h.all, result.(*kept)) }

// Pop is not used: a heap that is full has its top replaced.
func (h *keptHeap) Pop() any { return nil }
