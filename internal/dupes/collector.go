package dupes

import (
	"sync"

	"ldx/internal/dir"
	"ldx/internal/search"
)

// A Collector is a search.Sink that collects the regular files among the results. A symbolic link
// to a file is no file.
type Collector struct {
	report     func(error)
	keepsNames bool // a file with several names is a group too, if it has no copy
	mu         sync.Mutex
	parts      []*part
}

// NewCollector returns a Collector. report gets the errors, and may be called concurrently.
func NewCollector(report func(error)) *Collector { return &Collector{report: report} }

// fields say which file it is, and in which state.
const fields = dir.Identity | dir.Size | dir.Links | dir.ModTime | dir.ChangeTime | dir.Allocated

// Needs returns nothing: directories are not asked.
func (*Collector) Needs() dir.Fields { return 0 }

// MayNeed returns what files are asked for.
func (*Collector) MayNeed() dir.Fields { return fields }

// Worker returns the part of one worker.
func (c *Collector) Worker() search.Worker {
	p := &part{}
	c.mu.Lock()
	c.parts = append(c.parts, p)
	c.mu.Unlock()
	return &collecting{part: p, report: c.report}
}

// Close returns true.
func (*Collector) Close() (bool, error) { return true, nil }

// A collecting is one worker's share.
type collecting struct {
	part        *part
	report      func(error)
	path, below []byte
}

// Add adds a file.
func (w *collecting) Add(e *dir.Entry) error {
	if e.Type != 0 || e.Followed() {
		return nil
	}
	info, err := e.Info(fields)
	if err != nil {
		if !dir.Vanished(err) {
			w.report(err)
		}
		return nil
	}
	w.enter(e)
	w.part.add(e.Name, info)
	return nil
}

// enter makes the directory of an entry the last folder.
func (w *collecting) enter(e *dir.Entry) {
	w.path = e.AppendPath(w.path[:0])
	w.path = w.path[:len(w.path)-len(e.Name)]
	root := e.Dir.Root()
	if n := len(w.part.folders); n > 0 && e.Dir.Depth >= 0 {
		if last := &w.part.folders[n-1]; last.root == root && !last.isRoot && last.path == string(w.path) {
			return
		}
	}
	in := folder{path: string(w.path), root: root, isRoot: e.Dir.Depth < 0}
	if !in.isRoot {
		w.below = e.AppendBelow(w.below[:0])
		in.below = len(w.path) - (len(w.below) - len(e.Name))
	}
	w.part.folders = append(w.part.folders, in)
}

// Pause does nothing: nothing is held back.
func (*collecting) Pause() error { return nil }

// Flush does nothing.
func (*collecting) Flush() error { return nil }
