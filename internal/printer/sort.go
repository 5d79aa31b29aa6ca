package printer

import (
	"bytes"
	"cmp"
	"fmt"
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
	value func(e *dir.Entry, info *dir.Info) value // nil: the path, which every item has
}

// A value is numbers and a text; what has none is the same for all.
type value struct {
	n, fraction int64
	text        []byte
}

var keys = []key{
	{"path", 0, nil},
	{"name", 0, func(e *dir.Entry, _ *dir.Info) value { return value{text: bytes.Clone(e.Name)} }},
	{"ext", 0, func(e *dir.Entry, _ *dir.Info) value { return value{text: bytes.Clone(dir.Extension(e.Name))} }},
	{"size", dir.Size, func(_ *dir.Entry, info *dir.Info) value { return value{n: info.Size} }},
	{"mtime", dir.ModTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.ModTime) }},
	{"atime", dir.AccessTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.AccessTime) }},
	{"btime", dir.BirthTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.BirthTime) }},
	{"depth", 0, func(e *dir.Entry, _ *dir.Info) value { return value{n: int64(e.Depth())} }},
	{"type", 0, func(e *dir.Entry, _ *dir.Info) value { return value{text: []byte(dir.TypeName(e.Type))} }},
}

func ofTime(t time.Time) value {
	if t.IsZero() {
		return value{}
	}
	return value{n: t.Unix(), fraction: int64(t.Nanosecond())}
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

// An item is a result that is sorted: its path, and what is shown of it.
type item struct {
	path, shown []byte
	values      *[]value // nil: there are no keys
}

// item returns an entry's. What the system would not tell is as if it were nothing.
func (o Order) item(e *dir.Entry, path, shown []byte) item {
	if len(o.keys) == 0 {
		return item{path: path, shown: shown}
	}
	info := &dir.Info{}
	if needs := o.Needs(); needs != 0 {
		if told, err := e.Info(needs); err == nil {
			info = told
		}
	}
	values := make([]value, len(o.keys))
	for i, k := range o.keys {
		values[i] = k.value(e, info)
	}
	return item{path, shown, &values}
}

func (o Order) compare(a, b *item) int {
	c := 0
	for i := range o.keys {
		v, w := &(*a.values)[i], &(*b.values)[i]
		if c = cmp.Or(cmp.Compare(v.n, w.n), cmp.Compare(v.fraction, w.fraction), bytes.Compare(v.text, w.text)); c != 0 {
			break
		}
	}
	if c == 0 {
		c = comparePaths(a.path, b.path)
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
	order Order
	show  func(b []byte, e *dir.Entry) []byte
	items [][]item
	text  []byte // of items; filled up, never rewritten
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
	const textSize, most, items = 64 << 10, 4 << 10, 1 << 10
	if cap(b.text)-len(b.text) < most {
		b.text = make([]byte, 0, textSize)
	}
	from := len(b.text)
	b.text = e.AppendPath(b.text)
	n := len(b.text) - from
	b.text = b.show(b.text, e)
	text := b.text[from:len(b.text):len(b.text)]
	path, shown := text[:n:n], text[n:]
	if bytes.HasPrefix(shown, path) { // most often: then once is enough
		b.text = append(b.text[:from], shown...)
		shown = b.text[from:len(b.text):len(b.text)]
		path = shown[:n:n]
	}
	last := len(b.items) - 1
	if last < 0 || len(b.items[last]) == items {
		b.items = append(b.items, make([]item, 0, items))
		last++
	}
	b.items[last] = append(b.items[last], b.order.item(e, path, shown))
}

// sorted returns the buffer's items in order.
func (b *SortBuffer) sorted() []*item {
	var all []*item
	for _, some := range b.items {
		for i := range some {
			all = append(all, &some[i])
		}
	}
	slices.SortFunc(all, b.order.compare)
	return all
}

// Each calls do with what is shown of each result, in order, for the first most of them
// (0: all), until there is an error, which it returns.
func (s *Sorter) Each(most int, do func(shown []byte) error) error {
	for i, it := range s.sorted() {
		if most > 0 && i >= most {
			break
		}
		if err := do(it.shown); err != nil {
			return err
		}
	}
	return nil
}

// sorted sorts what each worker had at the same time, and then merges two and two.
func (s *Sorter) sorted() []*item {
	parts := make([][]*item, len(s.buffers))
	var working sync.WaitGroup
	for i, b := range s.buffers {
		working.Go(func() { parts[i] = b.sorted() })
	}
	working.Wait()
	for len(parts) > 1 {
		half := (len(parts) + 1) / 2
		for i := half; i < len(parts); i++ {
			working.Go(func() { parts[i-half] = s.order.merge(parts[i-half], parts[i]) })
		}
		working.Wait()
		parts = parts[:half]
	}
	return slices.Concat(parts...)
}

func (o Order) merge(a, b []*item) []*item {
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
