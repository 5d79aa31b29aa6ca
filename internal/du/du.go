// Package du sums up the disk usage of files by directory, over a parallel walk.
//
// The sums are those of GNU du, also for files with several names (hard links): such a
// file counts in the directory in which a single worker, walking depth first in the order
// of the listings, would have met it first. links.go describes how that is determined
// with many workers, and follow.go how links are followed.
//
// Only results to be shown, and files with several names, are kept in memory. Everything
// else is added up at once.
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

// Options says what counts, and which results to keep.
type Options struct {
	Apparent    bool // count the size of the content, not the space on disk
	Inodes      bool // count each file and directory as 1, not by its size
	CountDirs   bool // count the directories themselves
	EachLink    bool // count a file once for each of its names
	FollowRoots bool // follow roots that are links

	Depth      int        // depth of the deepest directories with a Node: 0 for the roots; or walk.Unlimited
	Files      bool       // files down to Depth have a Node too
	Top        int        // number of biggest files to keep
	Identities bool       // keep what SizeOf needs
	Time       dir.Fields // keep the latest ModTime, AccessTime, ChangeTime or BirthTime; 0: none

	// Match, if set, is called for each worker. It returns a function that reports whether
	// an entry counts, which may ask Info for MatchFields. Directories that do not count
	// are still walked.
	Match       func() func(*dir.Entry) (bool, error)
	MatchFields dir.Fields

	Exclude Excludes // neither these count, nor what is in them

	Group *property.Grouping // also sum up by this; nil: by nothing

	Progress *Progress // gets the current sums; may be nil
}

// A Sum is the disk usage of some entries together.
type Sum struct {
	Bytes   uint64 // the largest number if the sum overflows; with Options.Inodes a number of entries
	Entries uint64
	Latest  time.Time // the latest of their times; zero if there is none, or if Options.Time is 0
}

func (s *Sum) add(other Sum) {
	bytes, carry := bits.Add64(s.Bytes, other.Bytes, 0)
	s.Bytes = bytes | -carry
	s.Entries += other.Entries
	if property.Known(other.Latest) && (!property.Known(s.Latest) || property.CompareTimes(other.Latest, s.Latest) > 0) {
		s.Latest = other.Latest
	}
}

// A Progress has the current sums of a Count. It is safe for concurrent use.
type Progress struct{ Entries, Bytes atomic.Uint64 }

// A Result is the result of a Count.
type Result struct {
	Roots  []*Node // in the given order, without roots below other roots
	Total  Sum
	Files  []*Node // the Options.Top biggest files, biggest first
	Groups map[string]Sum
	sizes  map[dir.ID]uint64
}

// SizeOf returns the total of a directory and all below it. It returns false if the directory
// has no Node or Options.Identities was not set.
func (r *Result) SizeOf(device, inode uint64) (uint64, bool) {
	size, ok := r.sizes[dir.ID{Device: device, Inode: inode}]
	return size, ok
}

// A Node is a directory with the total of all below it, or a file.
type Node struct {
	Sum
	Name   []byte // for a root, its path
	Type   fs.FileMode
	depth  int32  // 0 for a root, -1 for the parent of all roots
	index  uint32 // index among the entries of its directory
	seen   uint32 // number of its entries visited
	inTree bool   // it is a child of parent; others are only in Result.Files
	parent *Node
	first  *Node      // first child; during the walk, the child added last
	next   *Node      // next child of parent
	mu     sync.Mutex // guards Sum during the walk
	more   *more
}

// more has the fields that only some nodes need.
type more struct {
	id    dir.ID // if links are followed or Options.Identities is set
	group string
}

// Count sums up the disk usage of the roots and all below them. Roots are as in walk.Walk. A
// root that is a link counts itself, unless links are followed. Errors go to w.Report; the
// error of a root is a *walk.RootError. An entry with an error does not count. A directory
// that cannot be read counts without its entries. Count returns when the walk has ended.
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

// Fields returns the fields that Count asks for, for each entry.
func (o *Options) Fields() dir.Fields {
	want := o.MatchFields | o.Time | dir.Identity | dir.Allocated
	switch {
	case o.Inodes:
		want &^= dir.Allocated
	case o.Apparent:
		want = want&^dir.Allocated | dir.Size
	}
	if !o.EachLink && !dir.LinksByOpening {
		want |= dir.Links
	}
	if o.Group != nil {
		want |= o.Group.Needs
	}
	return want
}

// A run is one Count.
type run struct {
	opt     Options
	walk    walk.Options
	want    dir.Fields // fields to read for each entry that counts
	files   bool       // opt.Files, or links are followed
	depth   int        // opt.Depth, or more
	nodes   table
	above   *Node    // the parent of all roots
	links   *links   // nil unless the first name in the order of the tree counts
	met     *fileSet // nil unless the first name met counts
	walked  []walkedRoot
	given   map[dir.ID]int // roots by ID, if one may be below another
	dropped []atomic.Bool  // by root: it is below another root

	mu       sync.Mutex
	counters []*counter
}

// A walkedRoot is a root that is a directory. Its index is its number in the walk.
type walkedRoot struct {
	node   *Node
	device uint64
}

func newRun(w walk.Options, opt Options, roots int) *run {
	r := &run{opt: opt, walk: w, want: opt.Fields(), files: opt.Files, depth: opt.Depth}
	r.above = &Node{Type: fs.ModeDir, depth: -1}
	r.dropped = make([]atomic.Bool, roots)
	if opt.Top > 0 || opt.Group != nil { // the place of each file is needed
		r.depth = walk.Unlimited
	}
	switch {
	case w.Follow:
		r.files, r.depth = true, walk.Unlimited
	case !opt.EachLink:
		if roots > 1 || r.depth != 0 {
			r.links = newLinks()
		} else { // with one node only, it does not matter which name counts
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
		if r.opt.Exclude.Match([]byte(root.Label)) {
			continue
		}
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
