// Package du sums up what files take, directory by directory, over a parallel walk.
//
// The sums are those of GNU du, also where files have several names: such a file
// belongs to the directory in which one worker alone, going depth first and in the
// order of the listings, would have met it first. links.go tells how that is found out
// while many walk, and follow.go how for links that are followed.
//
// Only what is to be shown is kept in memory, and the files that have several names;
// all else is added up at once.
package du

import (
	"context"
	"io/fs"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/dir"
	"ldx/internal/property"
	"ldx/internal/walk"
)

// Options says what counts, and what is to be known.
type Options struct {
	Apparent    bool // the length of the content counts, not what the disk keeps for it
	CountDirs   bool // so does what directories take themselves
	EachLink    bool // a file counts as often as it has names
	FollowRoots bool // a root that is a link stands for its target

	Depth      int        // the deepest directories to have a Node, 0 being the roots; walk.Unlimited
	Files      bool       // files down to there have one too
	Top        int        // so many of the biggest files are to be known
	Identities bool       // for SizeOf
	Time       dir.Fields // as is the latest ModTime, AccessTime, ChangeTime or BirthTime; 0: none

	// Match, if set, returns what a worker asks whether an entry counts. It may ask the
	// Info for MatchFields. Directories that do not count are walked all the same.
	Match       func() func(*dir.Entry) (bool, error)
	MatchFields dir.Fields

	Group *Grouping // what is summed up besides; nil: nothing

	Progress *Progress // nil: nobody looks on
}

// A Sum is what some entries take together.
type Sum struct {
	Bytes   uint64 // where it would be more than there can be, the most there can be
	Entries uint64
	Latest  time.Time // of their times; zero if there is none, or was not asked for
}

func (s *Sum) add(other Sum) {
	bytes, carry := bits.Add64(s.Bytes, other.Bytes, 0)
	s.Bytes = bytes | -carry
	s.Entries += other.Entries
	if property.Known(other.Latest) && (!property.Known(s.Latest) || property.CompareTimes(other.Latest, s.Latest) > 0) {
		s.Latest = other.Latest
	}
}

// A Progress tells how far a Count has come. It is safe for concurrent use.
type Progress struct{ Entries, Bytes atomic.Uint64 }

// A Result is what was counted.
type Result struct {
	Roots  []*Node // in the order they were given, without those that others contain
	Total  Sum
	Files  []*Node // the biggest, if they were asked for, the biggest first
	Groups map[string]Sum
	sizes  map[dir.ID]uint64
}

// SizeOf returns what a directory takes with all that is in it, if it has a Node and
// Identities were asked for.
func (r *Result) SizeOf(device, inode uint64) (uint64, bool) {
	size, ok := r.sizes[dir.ID{Device: device, Inode: inode}]
	return size, ok
}

// A Node is a directory that was counted with all below it, or a file.
type Node struct {
	Sum
	Name   []byte // of a root: its path
	Type   fs.FileMode
	depth  int32  // a root is 0, what all roots are in is -1
	index  uint32 // among the entries of its directory
	seen   uint32 // so many entries of it were visited
	inTree bool   // as a child; others are only among the biggest
	parent *Node
	first  *Node      // child; while it is counted the last
	next   *Node      // of parent's children
	mu     sync.Mutex // guards Sum while it is counted
	more   *more
}

// more is what only some nodes have.
type more struct {
	id    dir.ID // where links are followed, or Identities are asked for
	group string
}

// Count counts what the roots and all below them take. A root, its Path and Label, is
// as in walk.Walk; a link among them is counted itself unless it is to be followed.
// Errors go to w.Report, for a root as *walk.RootError, and what they are about does not
// count; of a directory that cannot be read, itself does.
func Count(ctx context.Context, roots []walk.Root, w walk.Options, opt Options) *Result {
	r := newRun(w, opt, len(roots))
	walked := r.addRoots(roots)
	result := &Result{Groups: make(map[string]Sum)}
	if len(walked) > 0 {
		walk.Walk(ctx, walked, r.walk, r.newVisitor)
	}
	r.finish(result)
	return result
}

// Fields returns what is asked for about each entry.
func (o *Options) Fields() dir.Fields {
	want := o.MatchFields | o.Time | dir.Identity | dir.Allocated
	if o.Apparent {
		want = want&^dir.Allocated | dir.Size
	}
	if !o.EachLink && !dir.LinksByOpening {
		want |= dir.Links
	}
	if o.Group != nil {
		want |= o.Group.fields
	}
	return want
}

// A run is one Count.
type run struct {
	opt     Options
	walk    walk.Options
	want    dir.Fields // to know of each entry that counts
	files   bool       // opt.Files, or links are followed
	depth   int        // opt.Depth, or more has to be known
	nodes   table
	above   *Node    // what all roots are in
	links   *links   // nil unless the first name in the tree's order counts
	met     *fileSet // nil unless the name that is met first counts
	walked  []walkedRoot
	given   map[dir.ID]int // the roots, if one may be in another, by what they are
	dropped []atomic.Bool  // of the roots, those that others contain

	mu       sync.Mutex
	counters []*counter
}

// A walkedRoot is a root that is a directory, by its number in the walk.
type walkedRoot struct {
	node   *Node
	device uint64
}

func newRun(w walk.Options, opt Options, roots int) *run {
	r := &run{opt: opt, walk: w, want: opt.Fields(), files: opt.Files, depth: opt.Depth}
	r.above = &Node{Type: fs.ModeDir, depth: -1}
	r.dropped = make([]atomic.Bool, roots)
	if opt.Top > 0 || opt.Group != nil { // the place of each file is to be known
		r.depth = walk.Unlimited
	}
	switch {
	case w.Follow:
		r.files, r.depth = true, walk.Unlimited
	case !opt.EachLink:
		if roots > 1 || r.depth != 0 {
			r.links = newLinks()
		} else { // with all in one node it does not matter which name counts
			r.met = newFileSet()
		}
		if roots > 1 {
			r.given = make(map[dir.ID]int)
		}
	}
	r.walk.Want |= r.want
	return r
}

// addRoots counts the roots themselves, and returns those that are directories.
func (r *run) addRoots(roots []walk.Root) (walked []walk.Root) {
	c := r.newCounter()
	c.node, c.own = r.above, true
	reader := dir.NewReader(r.want)
	defer reader.Close()
	for i, root := range roots {
		e, err := reader.Root(dir.Root(root.Path, root.Label, i))
		var info *dir.Info
		if err == nil {
			if r.opt.FollowRoots || r.walk.Follow {
				err = e.Follow()
			}
			if err == nil {
				info, err = e.Info(r.want)
			}
		}
		if err == nil && e.Type == fs.ModeSymlink && (r.opt.FollowRoots || r.walk.Follow) {
			err = dangling(e)
		}
		if err != nil {
			r.walk.Report(&walk.RootError{Err: err})
			continue
		}
		id := info.ID
		if r.given != nil && id.Inode != 0 {
			if _, again := r.given[id]; again {
				continue
			}
			r.given[id] = i
		}
		c.index, c.share = uint32(i), &c.shares[i]
		counts, err := c.matches(e)
		if err != nil {
			r.walk.Report(err)
		}
		if e.Type != fs.ModeDir {
			if counts {
				c.addFile(e, []byte(root.Label), info, id)
			}
			continue
		}
		c.addDir(e, []byte(root.Label), info, id, counts)
		r.walked = append(r.walked, walkedRoot{r.above.first, info.Device})
		walked = append(walked, root)
	}
	c.flush()
	return walked
}
