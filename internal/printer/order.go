package printer

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/property"
)

// An Order says how results are sorted: by properties and then by path. The first property in
// which two results differ decides. The zero Order is by path.
type Order struct {
	keys     []key
	natural  bool // numbers in names compare by value
	reversed bool
}

// A key is a property that results are sorted by.
type key struct {
	*property.Property
	reversed bool // the greatest comes first
}

// append appends the key of an entry. A reversed one has all its bits inverted.
func (k *key) append(b []byte, e *dir.Entry, info *dir.Info) []byte {
	from := len(b)
	b = k.AppendKey(b, e, info)
	k.invert(b[from:])
	return b
}

// cut is property.Property.CutKey, of what append has appended.
func (k *key) cut(b []byte) (first, rest []byte) {
	k.invert(b)
	first, rest = k.CutKey(b)
	k.invert(b)
	return first, rest
}

// invert inverts the bits of a key that is reversed.
func (k *key) invert(b []byte) {
	if k.reversed {
		for i := range b {
			b[i] = ^b[i]
		}
	}
}

// The keys that order paths. After them, no key decides.
const (
	byPath  = "path"
	natural = "natural"
)

// SortKeys returns the names that NewOrder takes.
func SortKeys() []string { return slices.Insert(property.SortKeys(), 1, natural) }

// NewOrder returns the Order by the properties of these names, the last first if reversed is
// set. A dash before a name reverses the order by this property alone.
func NewOrder(names []string, reversed bool) (Order, error) {
	o, whole := Order{reversed: reversed}, false
	for i, name := range names {
		name, descending := strings.CutPrefix(name, "-")
		p := property.Get(name)
		if name != natural && (p == nil || !p.Sorts()) {
			return o, fmt.Errorf("there is no order by %s; give some of %s", name, strings.Join(SortKeys(), ", "))
		}
		switch byPaths := name == natural || p.Name == byPath; {
		case whole:
		case byPaths && descending && i > 0:
			return o, fmt.Errorf("-%s must be the first key", name)
		case byPaths && descending:
			whole, o.natural, o.reversed = true, name == natural, !reversed
		case name == natural:
			whole, o.natural = true, true
		case p.Name == byPath:
			whole = true
		default:
			o.keys = append(o.keys, key{p, descending})
		}
	}
	return o, nil
}

// ByPath reports whether the Order is by path alone.
func (o *Order) ByPath() bool { return len(o.keys) == 0 }

// Reversed reports whether the last result comes first.
func (o *Order) Reversed() bool { return o.reversed }

// CompareNames returns how the names of two entries in a directory compare; nil: as bytes.
func (o *Order) CompareNames() func(a, b []byte) int {
	if o.natural {
		return compareNatural
	}
	return nil
}

// Needs returns what the Info of entries is asked for.
func (o *Order) Needs() (fields dir.Fields) {
	for _, k := range o.keys {
		fields |= k.Needs
	}
	return fields
}

// HasOwners reports whether a key depends on the others; see property.Ranks.
func (o *Order) HasOwners() bool {
	return slices.ContainsFunc(o.keys, func(k key) bool { return k.IsOwner() })
}

// appendKey appends an entry's sort key, which compares as bytes with that of other entries. What
// the system does not say is as if there were nothing.
func (o *Order) appendKey(b []byte, e *dir.Entry) []byte {
	if len(o.keys) == 0 {
		return b
	}
	info, err := e.Info(o.Needs())
	if err != nil {
		info = &dir.Info{}
	}
	for i := range o.keys {
		b = o.keys[i].append(b, e, info)
	}
	return b
}

// ComparePaths compares paths below a root name by name, whether the Order is reversed or not.
func (o *Order) ComparePaths(a, b []byte) int {
	for compare := o.CompareNames(); compare != nil && len(a) > 0 && len(b) > 0; {
		nameA, restA, _ := bytes.Cut(a, []byte{'/'})
		nameB, restB, _ := bytes.Cut(b, []byte{'/'})
		if c := compare(nameA, nameB); c != 0 {
			return c
		}
		a, b = restA, restB
	}
	same := commonPrefix(a, b)
	switch a, b = a[same:], b[same:]; {
	case len(a) == 0 || len(b) == 0:
		return len(a) - len(b)
	case a[0] == '/':
		return -1
	case b[0] == '/':
		return 1
	}
	return bytes.Compare(a, b)
}

// An arranger is a Renderer whose results depend on each other.
type arranger interface {
	// arrange returns what appends a result as it is printed, given what Append has made
	// of all.
	arrange(all iter.Seq[[]byte]) func(b, text []byte) []byte
}

// Arranges reports whether results of r can be printed only when all are known.
func Arranges(r Renderer) bool {
	_, ok := r.(arranger)
	return ok
}

// each calls do with the results that r has made of all entries, until there is an error.
func each(r Renderer, all iter.Seq[[]byte], do func(text []byte) error) error {
	var arranged func(b, text []byte) []byte
	if a, ok := r.(arranger); ok {
		arranged = a.arrange(all)
	}
	var line []byte
	for text := range all {
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
