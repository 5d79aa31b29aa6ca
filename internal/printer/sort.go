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
	{"ext", 0, func(e *dir.Entry, _ *dir.Info) value { return value{text: bytes.Clone(extension(e.Name))} }},
	{"size", dir.Size, func(_ *dir.Entry, info *dir.Info) value { return value{n: info.Size} }},
	{"mtime", dir.ModTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.ModTime) }},
	{"atime", dir.AccessTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.AccessTime) }},
	{"btime", dir.BirthTime, func(_ *dir.Entry, info *dir.Info) value { return ofTime(info.BirthTime) }},
	{"depth", 0, func(e *dir.Entry, _ *dir.Info) value { return value{n: int64(e.Depth())} }},
	{"type", 0, func(e *dir.Entry, _ *dir.Info) value { return value{text: []byte(dir.TypeName(e.Type))} }},
}

func extension(name []byte) []byte {
	if i := bytes.LastIndexByte(name, '.'); i > 0 {
		return name[i+1:]
	}
	return nil
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
		if !whole {
			o.keys = append(o.keys, &keys[i])
		}
		whole = whole || keys[i].value == nil
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

// An item is a result that is sorted, and what is shown of it.
type item struct {
	path, shown []byte
	values      []value
}

// item returns an entry's. What the system would not tell is as if it were nothing.
func (o Order) item(e *dir.Entry, shown []byte) item {
	it := item{path: e.AppendPath(nil), shown: shown}
	info := &dir.Info{}
	if needs := o.Needs(); needs != 0 {
		if told, err := e.Info(needs); err == nil {
			info = told
		}
	}
	for _, k := range o.keys {
		if k.value != nil {
			it.values = append(it.values, k.value(e, info))
		}
	}
	return it
}

func (o Order) compare(a, b *item) int {
	c := 0
	for i := range a.values {
		v, w := &a.values[i], &b.values[i]
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

// A Sorter holds results until all are there. It is safe for concurrent use.
type Sorter struct {
	order Order
	mu    sync.Mutex
	items []*item
}

// NewSorter returns an empty Sorter.
func NewSorter(order Order) *Sorter { return &Sorter{order: order} }

// Add adds a result, and what is to be given to Each.
func (s *Sorter) Add(e *dir.Entry, shown []byte) {
	it := s.order.item(e, shown)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, &it)
}

// Each calls do with what was added, in order, for the first most results (0: all), until
// there is an error, which it returns.
func (s *Sorter) Each(most int, do func(shown []byte) error) error {
	slices.SortFunc(s.items, s.order.compare)
	for i, it := range s.items {
		if most > 0 && i >= most {
			break
		}
		if err := do(it.shown); err != nil {
			return err
		}
	}
	return nil
}
