package printer

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"ldx/internal/dir"
)

// An Order is what results are sorted by: keys, of which the first that tells two
// results apart decides, and the path after them.
type Order struct {
	keys     []*key
	reversed bool
}

// A key is something to sort by.
type key struct {
	name  string
	needs dir.Fields
	value func(e *dir.Entry, info *dir.Info) value // valid as long as e; nil: the path, which every item has
}

// A value is numbers and a text; what has none is the same for all.
type value struct {
	n, fraction int64
	text        []byte
}

var keys = []key{
	{"path", 0, nil},
	{"name", 0, func(e *dir.Entry, _ *dir.Info) value { return value{text: e.Name} }},
	{"ext", 0, func(e *dir.Entry, _ *dir.Info) value { return value{text: dir.Extension(e.Name)} }},
	{"size", dir.Size, func(_ *dir.Entry, info *dir.Info) value { return value{n: info.Size} }},
	{"mtime", dir.ModTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.ModTime) }},
	{"atime", dir.AccessTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.AccessTime) }},
	{"btime", dir.BirthTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.BirthTime) }},
	{"depth", 0, func(e *dir.Entry, _ *dir.Info) value { return value{n: int64(e.Depth())} }},
	{"type", 0, func(e *dir.Entry, _ *dir.Info) value { return value{text: []byte(dir.TypeName(e.Type))} }},
}

// ofTime returns the value of a time. It compares every second that a file system can have; time.Time.Compare overflows. What has no such time comes before all.
func ofTime(t time.Time) value {
	if t != (time.Time{}) { // not IsZero, which also holds for the first second of year 1
		return value{n: t.Unix(), fraction: int64(t.Nanosecond())}
	}
	return value{n: math.MinInt64, fraction: -1}
}

func (v *value) compare(w *value) int {
	if v.n == w.n && v.fraction == w.fraction {
		return bytes.Compare(v.text, w.text)
	}
	return cmp.Or(cmp.Compare(v.n, w.n), cmp.Compare(v.fraction, w.fraction))
}

// SortKeys returns the names of what can be sorted by.
func SortKeys() (names []string) {
	for _, k := range keys {
		names = append(names, k.name)
	}
	return names
}

// NewOrder returns the Order by the keys of these names, the last first if reversed is
// set.
func NewOrder(names []string, reversed bool) (Order, error) {
	o, whole := Order{reversed: reversed}, false // after the path, no key decides
	for _, name := range names {
		i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
		if i < 0 {
			return o, fmt.Errorf("there is no order by %s; give some of %s", name, strings.Join(SortKeys(), ", "))
		}
		if whole = whole || keys[i].value == nil; !whole {
			o.keys = append(o.keys, &keys[i])
		}
	}
	return o, nil
}

// Needs returns what the Info of entries will be asked for.
func (o Order) Needs() (fields dir.Fields) {
	for _, k := range o.keys {
		fields |= k.needs
	}
	return fields
}

// compare compares two items by the keys, and then by the order of their paths.
func (o *Order) compare(a, b *item) int {
	c := 0
	for i := range a.values {
		if c = a.values[i].compare(&b.values[i]); c != 0 {
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

// A Sorter holds results until all are there. It is safe for concurrent use; each worker
// has a SortBuffer.
type Sorter struct {
	order   Order
	mu      sync.Mutex
	buffers []*SortBuffer
}

// NewSorter returns an empty Sorter.
func NewSorter(order Order) *Sorter { return &Sorter{order: order} }

// A SortBuffer holds one worker's results. It is not safe for concurrent use.
type SortBuffer struct {
	order       Order
	show        func(b []byte, e *dir.Entry) []byte
	tree        tree
	values      []value // of items; filled up, never rewritten
	path, shown []byte  // of the last result
}

// NewBuffer returns an empty SortBuffer. What show appends to b for a result is what Each
// gives.
func (s *Sorter) NewBuffer(show func(b []byte, e *dir.Entry) []byte) *SortBuffer {
	b := &SortBuffer{order: s.order, show: show}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buffers = append(s.buffers, b)
	return b
}

// Add adds a result.
func (b *SortBuffer) Add(e *dir.Entry) {
	b.path = e.AppendPath(b.path[:0])
	b.shown = b.show(b.shown[:0], e)
	b.tree.add(b.path, b.shown).values = b.valuesOf(e)
}

// valuesOf returns an entry's values. What the system would not tell is as if it were
// nothing.
func (b *SortBuffer) valuesOf(e *dir.Entry) []value {
	const chunk = 1 << 10
	if len(b.order.keys) == 0 {
		return nil
	}
	info, err := e.Info(b.order.Needs())
	if err != nil {
		info = &dir.Info{}
	}
	if cap(b.values)-len(b.values) < len(b.order.keys) {
		b.values = make([]value, 0, chunk+len(b.order.keys))
	}
	from := len(b.values)
	for _, k := range b.order.keys {
		v := k.value(e, info)
		v.text = b.tree.keep(v.text)
		b.values = append(b.values, v)
	}
	return b.values[from:len(b.values):len(b.values)]
}

// Each calls do with what is shown of each result, in order, for the first most of them
// (0: all), until there is an error, which it returns. What is shown is valid until do
// returns.
func (s *Sorter) Each(most int, do func(shown []byte) error) error {
	var text restored
	for i, it := range s.sorted() {
		if most > 0 && i >= most {
			break
		}
		if err := do(text.of(it)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sorter) sorted() []*item {
	trees := make([]*tree, len(s.buffers))
	for i, b := range s.buffers {
		trees[i] = &b.tree
	}
	all := inOrder(trees)
	switch {
	case len(s.order.keys) > 0:
		return s.order.sort(all)
	case s.order.reversed:
		slices.Reverse(all)
	}
	return all
}

// sort sorts parts of all at the same time, and then merges two and two.
func (o *Order) sort(all []*item) []*item {
	const least = 1 << 10 // or it is not worth it
	size := max(least, (len(all)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
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
