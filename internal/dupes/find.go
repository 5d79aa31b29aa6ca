package dupes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/catalogue"
	"ldx/internal/dir"
)

const (
	headSize  = 4 << 10  // bytes at the beginning, and at the end, that are compared first
	wholeSize = 16 << 10 // up to which the first look at a file takes in all of it
	tailFrom  = 64 << 10 // from which the end is looked at
)

// A candidate is a file that may be a copy of another.
type candidate struct {
	key   uint64 // of the part that was read
	at    uint32 // its first name in ids
	names uint32 // number of its names, from at on
	sum   uint32 // place of its hash in sums
	known bool   // the hash is known
	gone  bool   // it could not be read
}

func (c *candidate) ids(ids []uint32) []uint32 { return ids[c.at : c.at+c.names] }

// A finder has the candidates that are left. Those of a class, which may be the same, are
// neighbours.
type finder struct {
	Options
	t          *table
	ids        []uint32
	candidates []candidate
	classes    []class
	sums       []catalogue.Sum
	hashers    []*catalogue.Hasher
	seed       maphash.Seed
	keepsNames bool // see Collector
}

// A class is a range of candidates.
type class struct{ first, n uint32 }

// Find returns the groups of files with the same content among those that were collected. Errors
// of reading go to Report, and such files are in no group. When ctx is done, the result is not
// complete.
func (c *Collector) Find(ctx context.Context, opt Options) *Result {
	t := &table{roots: opt.Roots}
	for _, p := range c.parts {
		t.chunks = append(t.chunks, p.chunks...)
	}
	if opt.Progress == nil {
		opt.Progress = &Progress{}
	}
	f := &finder{Options: opt, t: t, seed: maphash.MakeSeed(), keepsNames: c.keepsNames}
	f.bySize()
	f.hashers = make([]*catalogue.Hasher, max(1, opt.Workers))
	for i := range f.hashers {
		f.hashers[i] = opt.Catalogue.Hasher()
	}
	f.meetDevices()
	f.lookUp(ctx)
	f.byPart(ctx, wholeSize, func(file *os.File, _ int64, b []byte) (int, error) { return file.ReadAt(b, 0) })
	f.byPart(ctx, tailFrom, func(file *os.File, size int64, b []byte) (int, error) { return file.ReadAt(b, size-int64(len(b))) })
	f.bySum(ctx)
	return f.result()
}

// bySize makes classes of files of the same size.
func (f *finder) bySize() {
	seen := newSizes()
	for _, r := range f.t.numbers {
		if r.size > 0 || f.Empty {
			seen.add(r.size)
		}
	}
	n := 0
	for range f.sameSize(seen) {
		n++
	}
	f.ids = slices.AppendSeq(make([]uint32, 0, n), f.sameSize(seen))
	slices.SortFunc(f.ids, f.compareFiles)
	n = 0
	for range f.files() {
		n++
	}
	f.candidates = slices.AppendSeq(make([]candidate, 0, n), f.files())
	f.classes = []class{{0, uint32(len(f.candidates))}}
	f.split(func(a, b *candidate) int {
		return cmp.Compare(f.t.at(f.ids[b.at]).size, f.t.at(f.ids[a.at]).size)
	})
	f.sums = make([]catalogue.Sum, len(f.candidates))
	for i := range f.candidates {
		f.candidates[i].sum = uint32(i)
	}
}

// sameSize returns the names of files of whose size there are several.
func (f *finder) sameSize(seen *sizes) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for id, r := range f.t.numbers {
			if (r.size > 0 || f.Empty) && seen.several(r.size) && !yield(id) {
				return
			}
		}
	}
}

// files returns the files that the sorted ids are names of.
func (f *finder) files() iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		for at := 0; at < len(f.ids); {
			n := 1
			for at+n < len(f.ids) && f.compareFiles(f.ids[at], f.ids[at+n]) == 0 {
				n++
			}
			if !yield(candidate{at: uint32(at), names: uint32(n)}) {
				return
			}
			at += n
		}
	}
}

// compareFiles orders names by the size of the file, largest first, and by the file.
func (f *finder) compareFiles(a, b uint32) int {
	x, y := f.t.at(a), f.t.at(b)
	if c := cmp.Or(cmp.Compare(y.size, x.size), cmp.Compare(x.inode, y.inode)); c != 0 {
		return c
	}
	if x.inode == 0 { // the system does not say which file it is
		return cmp.Compare(a, b)
	}
	return cmp.Compare(f.t.device(a, x), f.t.device(b, y))
}

// split divides each class into those of candidates that compare as equal, and leaves out what is
// alone or gone. The candidates move together.
func (f *finder) split(compare func(a, b *candidate) int) {
	kept := f.candidates[:0]
	var classes []class
	for _, c := range f.classes {
		all := f.candidates[c.first : c.first+c.n]
		all = slices.DeleteFunc(all, func(c candidate) bool { return c.gone })
		byPointer := func(a, b candidate) int { return compare(&a, &b) }
		if !slices.IsSortedFunc(all, byPointer) {
			slices.SortStableFunc(all, byPointer)
		}
		for len(all) > 0 {
			n := 1
			for n < len(all) && compare(&all[0], &all[n]) == 0 {
				n++
			}
			if n > 1 || f.keepsNames && all[0].names > 1 {
				classes = append(classes, class{uint32(len(kept)), uint32(n)})
				kept = append(kept, all[:n]...)
			}
			all = all[n:]
		}
	}
	f.candidates, f.classes = kept, classes
	f.Progress.Files.Store(int64(len(kept)))
}

// each calls do for candidates, in several goroutines. Those whose file cannot be read are gone.
func (f *finder) each(ctx context.Context, some []uint32, do func(h *catalogue.Hasher, c *candidate) error) {
	var next atomic.Int64
	var working sync.WaitGroup
	for _, h := range f.hashers[:min(len(f.hashers), len(some))] {
		working.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(some) && ctx.Err() == nil; i = next.Add(1) - 1 {
				c := &f.candidates[some[i]]
				if err := do(h, c); err != nil {
					if c.gone = true; !dir.Vanished(err) {
						f.Report(err)
					}
				}
			}
		})
	}
	working.Wait()
}

// among returns the candidates of classes that are wanted.
func (f *finder) among(wanted func(class []candidate) bool) (some []uint32) {
	for _, c := range f.classes {
		if wanted(f.candidates[c.first : c.first+c.n]) {
			for i := range c.n {
				some = append(some, c.first+i)
			}
		}
	}
	return some
}

// meetDevices hashes the smallest file of each device: before that, the catalogue knows nothing of
// a device.
func (f *finder) meetDevices() {
	met := map[uint64]bool{}
	for i := len(f.candidates) - 1; i >= 0; i-- {
		c := &f.candidates[i]
		device := f.t.file(f.ids[c.at]).Device
		if met[device] {
			continue
		}
		if err := f.sum(f.hashers[0], c); err == nil { // an error is reported later
			met[device] = true
		}
	}
}

// lookUp takes hashes from the catalogue.
func (f *finder) lookUp(ctx context.Context) {
	f.each(ctx, f.among(func([]candidate) bool { return true }), func(h *catalogue.Hasher, c *candidate) error {
		id := f.ids[c.at]
		file := f.t.file(id)
		info := dir.Info{ID: file.ID, Size: file.Size, ModTime: unixNano(file.Modified), ChangeTime: unixNano(file.Changed)}
		if c.known {
			return nil
		}
		f.sums[c.sum], c.known = h.Lookup([]byte(f.t.openPath(id)), &info)
		return nil
	})
}

// byPart divides the classes of files larger than a size by a part of their content, unless all
// hashes are known.
func (f *finder) byPart(ctx context.Context, from int64, read func(file *os.File, size int64, b []byte) (int, error)) {
	wanted := f.among(func(class []candidate) bool {
		return len(class) > 1 && f.size(&class[0]) > from && slices.ContainsFunc(class, func(c candidate) bool { return !c.known })
	})
	for i := range f.candidates {
		f.candidates[i].key = 0
	}
	f.each(ctx, wanted, func(_ *catalogue.Hasher, c *candidate) error {
		file, err := f.open(c)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		b := parts.Get().(*[headSize]byte)
		defer parts.Put(b)
		n, err := read(file, f.size(c), b[:])
		if n < len(b) {
			return &os.PathError{Op: "read", Path: f.shownPath(c), Err: cmp.Or(err, catalogue.ErrChanged)}
		}
		c.key = maphash.Bytes(f.seed, b[:])
		return nil
	})
	f.split(func(a, b *candidate) int { return cmp.Compare(a.key, b.key) })
}

var parts = sync.Pool{New: func() any { return new([headSize]byte) }}

// bySum divides the classes by the hash of the whole content.
func (f *finder) bySum(ctx context.Context) {
	unknown := slices.DeleteFunc(f.among(func(class []candidate) bool { return len(class) > 1 }), func(i uint32) bool {
		return f.candidates[i].known
	})
	total := int64(0)
	for _, i := range unknown {
		total += f.size(&f.candidates[i])
	}
	f.Progress.Began.Store(time.Now().UnixNano())
	f.Progress.Total.Store(total)
	f.each(ctx, unknown, f.sum)
	if ctx.Err() != nil {
		f.candidates, f.classes = nil, nil
	}
	f.split(func(a, b *candidate) int { return bytes.Compare(f.sums[a.sum][:], f.sums[b.sum][:]) })
}

// sum takes the hash of the whole content.
func (f *finder) sum(h *catalogue.Hasher, c *candidate) error {
	file, err := f.open(c)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	id := f.ids[c.at]
	f.sums[c.sum], _, err = h.Sum(f.t.folder(id, f.t.at(id)).root, file)
	if err != nil {
		return f.readError(c, err)
	}
	c.known = true
	return nil
}

func (f *finder) size(c *candidate) int64 { return f.t.at(f.ids[c.at]).size }

func (f *finder) shownPath(c *candidate) string { return f.t.name(f.ids[c.at]).Path }

// open opens a file, which must be in the state that was found.
func (f *finder) open(c *candidate) (*os.File, error) {
	id := f.ids[c.at]
	file, err := dir.OpenNoFollow(f.t.openPath(id))
	if err != nil {
		return nil, f.readError(c, err)
	}
	info, err := dir.StatFile(file)
	// Some file systems do not keep inode numbers, so that they may differ here; see Doer.
	if want := f.t.file(id); err == nil && !want.hasState(&info) {
		err = catalogue.ErrChanged
	}
	if err != nil {
		_ = file.Close()
		return nil, f.readError(c, err)
	}
	return file, nil
}

// is reports whether info is of the file, in the same state.
func (f *File) is(info *dir.Info) bool { return f.ID == info.ID && f.hasState(info) }

func (f *File) hasState(info *dir.Info) bool {
	return f.Size == info.Size && f.Modified == info.ModTime.UnixNano() && f.Changed == info.ChangeTime.UnixNano()
}

// readError returns an error with the path that the search shows.
func (f *finder) readError(c *candidate, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return &os.PathError{Op: "read", Path: f.shownPath(c), Err: err}
}

// result returns the groups, those that save most first.
func (f *finder) result() *Result {
	r := &Result{t: f.t, ids: f.ids, copies: f.candidates, sums: f.sums, groups: make([]group, len(f.classes))}
	for i, c := range f.classes {
		copies := r.copies[c.first : c.first+c.n]
		for j := range copies {
			c := &copies[j]
			if ids := c.ids(r.ids); len(ids) > 1 {
				slices.SortFunc(ids, f.t.compareNames)
				c.names = uint32(len(f.t.withoutRepeats(ids)))
			}
		}
		slices.SortFunc(copies, func(a, b candidate) int { return f.t.compareNames(r.ids[a.at], r.ids[b.at]) })
		r.groups[i] = group{c.first, c.n, f.t.saved(copies, r.ids)}
	}
	first := func(g group) uint32 { return r.ids[r.copies[g.first].at] }
	slices.SortFunc(r.groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.save, a.save), cmp.Compare(r.size(b), r.size(a)), f.t.compareNames(first(a), first(b)))
	})
	return r
}

func (r *Result) size(g group) int64 { return r.t.at(r.ids[r.copies[g.first].at]).size }
