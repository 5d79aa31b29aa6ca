package dupes

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/walk"
)

// Directories with the same content: the same names, and below them the same directories, links
// and files. What cannot be read, and what is neither, is like nothing else.

// A DirGroup is directories with the same content.
type DirGroup struct {
	Size  int64 // of all files in one of them
	Files int   // in one of them
	Save  int64 // bytes on disk that all but one of them take; what has other names counts nothing
	Paths []string
}

// A dirCollector visits everything below some roots.
type dirCollector struct {
	report func(error)
	mu     sync.Mutex
	parts  []*dirPart
}

// A dirPart is what one worker has found. rest has what folders do not have of the directories.
type dirPart struct {
	part
	rest []folderRest
}

// A folderRest is what a directory has besides files.
type folderRest struct {
	others []other
	odd    bool // something in it is like nothing else
}

// An other is an entry that is no file.
type other struct {
	name, target string // the text of a link
	isDir        bool
}

// FindDirs walks the roots, and returns the groups of directories with the same content, those
// that save most first. Of groups whose directories are all in directories that are the same too,
// only those above are returned.
func FindDirs(ctx context.Context, w walk.Options, opt Options) []DirGroup {
	c := &dirCollector{report: opt.Report}
	w.Want |= fields
	walk.Walk(ctx, opt.Roots, w, c.visitor)
	files := &Collector{keepsNames: true}
	for _, p := range c.parts {
		files.parts = append(files.parts, &p.part)
	}
	opt.Empty = true
	found := files.Find(ctx, opt)
	if ctx.Err() != nil {
		return nil
	}
	t := &dirTree{t: found.t, dirs: map[string]*directory{}}
	t.build(c.parts)
	t.addFiles(found)
	t.sign()
	return t.groups()
}

func (c *dirCollector) visitor() walk.Visitor {
	p := &dirPart{}
	c.mu.Lock()
	c.parts = append(c.parts, p)
	c.mu.Unlock()
	return walk.Visitor{
		Begin: p.begin,
		Visit: func(e *dir.Entry) walk.Action { return p.visit(e, c.report) },
		End: func(_ *dir.Dir, err error) {
			if err != nil && !errors.Is(err, walk.ErrSuspended) {
				p.last().odd = true
			}
		},
		Pause: func(bool) walk.Action { return walk.Continue },
	}
}

func (p *dirPart) last() *folderRest { return &p.rest[len(p.rest)-1] }

func (p *dirPart) begin(d *dir.Dir) {
	path, below := d.AppendPath(nil), d.AppendBelow(nil)
	p.folders = append(p.folders, folder{path: string(path), below: len(path) - len(below), root: d.Root()})
	p.rest = append(p.rest, folderRest{})
}

func (p *dirPart) visit(e *dir.Entry, report func(error)) walk.Action {
	if e.Dir.Depth < 0 { // a root that is a file
		return walk.Continue
	}
	to := p.last()
	switch e.Type {
	case 0:
		info, err := e.Info(fields)
		if err != nil {
			report(err)
			to.odd = true
			return walk.Continue
		}
		p.add(e.Name, info)
	case fs.ModeDir:
		to.others = append(to.others, other{name: string(e.Name), isDir: true})
	case fs.ModeSymlink:
		target, err := e.Target()
		if err != nil {
			report(err)
			to.odd = true
		}
		to.others = append(to.others, other{name: string(e.Name), target: string(target)})
	default:
		to.odd = true
	}
	return walk.Continue
}

// A directory is one that was found, with what is in it by name.
type directory struct {
	path    string // as the walk shows it
	depth   int
	entries map[string]entry
	odd     bool
	sum     [sha256.Size]byte
	size    int64
	saves   int64
	files   int
	above   *directory // nil: a root
}

// An entry says what a name in a directory stands for.
type entry struct {
	kind    byte // f, d or l
	content string
}

// A dirTree has all directories by their absolute paths.
type dirTree struct {
	t    *table
	dirs map[string]*directory
}

// absolutePath returns the absolute path of a folder.
func (t *dirTree) absolutePath(in *folder) string {
	path := withSlash(t.t.roots[in.root].Absolute) + in.path[in.below:]
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// build makes the directories. One may have been listed in several parts.
func (t *dirTree) build(parts []*dirPart) {
	for _, p := range parts {
		for i := range p.folders {
			in, rest := &p.folders[i], &p.rest[i]
			path := t.absolutePath(in)
			d := t.dirs[path]
			if d == nil {
				d = &directory{path: strings.TrimSuffix(in.path, "/"), depth: strings.Count(path, "/"), entries: map[string]entry{}}
				if d.path == "" {
					d.path = t.t.roots[in.root].Path
				}
				t.dirs[path] = d
			}
			d.odd = d.odd || rest.odd
			for _, o := range rest.others {
				kind := byte('l')
				if o.isDir {
					kind = 'd'
				}
				d.entries[o.name] = entry{kind, o.target}
			}
		}
	}
	for path, d := range t.dirs {
		d.above = t.dirs[path[:max(1, strings.LastIndexByte(path, '/'))]] // of / itself it is /
	}
}

// addFiles adds the files: each is the same as those of its class. The others are like nothing
// else.
func (t *dirTree) addFiles(found *Result) {
	classOf := map[uint32]uint32{}
	for i, g := range found.groups {
		for _, c := range found.copies[g.first : g.first+g.n] {
			for _, id := range c.ids(found.ids) {
				classOf[id] = uint32(i + 1)
			}
		}
	}
	for id, r := range t.t.numbers {
		d := t.dirs[t.absolutePath(t.t.folder(id, r))]
		name := t.t.base(id, r)
		if _, again := d.entries[name]; again {
			continue
		}
		class := classOf[id]
		d.odd = d.odd || class == 0
		d.entries[name] = entry{'f', string(binary.LittleEndian.AppendUint32(nil, class))}
		d.files++
		d.size += r.size
		if r.links == 1 {
			d.saves += t.t.file(id).Allocated
		}
	}
}

// sign gives each directory a sum of what is in it, those deepest in the tree first.
func (t *dirTree) sign() {
	paths := make([]string, 0, len(t.dirs))
	for path := range t.dirs {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(t.dirs[b].depth, t.dirs[a].depth) })
	for _, path := range paths {
		d := t.dirs[path]
		names := make([]string, 0, len(d.entries))
		for name := range d.entries {
			names = append(names, name)
		}
		slices.Sort(names)
		sum := sha256.New()
		for _, name := range names {
			e := d.entries[name]
			content := e.content
			if e.kind == 'd' {
				below := t.dirs[withSlash(path)+name]
				if below == nil || below.odd { // it was not entered, or is like nothing else
					d.odd = true
					break
				}
				content = string(below.sum[:])
				d.size, d.files, d.saves = d.size+below.size, d.files+below.files, d.saves+below.saves
			}
			sum.Write(binary.LittleEndian.AppendUint64([]byte{e.kind}, uint64(len(name))))
			sum.Write(binary.LittleEndian.AppendUint64([]byte(name), uint64(len(content))))
			sum.Write([]byte(content))
		}
		sum.Sum(d.sum[:0])
		d.entries = nil
	}
}

// groups returns the groups. Directories without any file are left out.
func (t *dirTree) groups() (groups []DirGroup) {
	same := map[[sha256.Size]byte][]*directory{}
	for _, d := range t.dirs {
		if !d.odd && d.files > 0 {
			same[d.sum] = append(same[d.sum], d)
		}
	}
	isInner := func(d *directory) bool { return d.above != nil && !d.above.odd && len(same[d.above.sum]) > 1 }
	for _, dirs := range same {
		if len(dirs) < 2 || !slices.ContainsFunc(dirs, func(d *directory) bool { return !isInner(d) }) {
			continue
		}
		g := DirGroup{Size: dirs[0].size, Files: dirs[0].files}
		largest := int64(0)
		for _, d := range dirs {
			g.Paths = append(g.Paths, d.path)
			g.Save += d.saves
			largest = max(largest, d.saves)
		}
		g.Save -= largest
		slices.Sort(g.Paths)
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b DirGroup) int {
		return cmp.Or(cmp.Compare(b.Save, a.Save), cmp.Compare(b.Size, a.Size), cmp.Compare(a.Paths[0], b.Paths[0]))
	})
	return groups
}
