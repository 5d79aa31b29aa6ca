package search

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/printer"
	"ldx/internal/walk"
)

// Paths is a list of paths to test instead of searching, which is read as it is needed. It is not
// safe for concurrent use.
type Paths struct {
	Labels   Labels // how the paths of results begin
	Absolute bool   // they have absolute paths, for patterns and hyperlinks

	r    *bufio.Reader
	end  byte
	err  error    // of r
	list [][]byte // what is left, once all are read
	read bool
}

// ReadPaths returns the list that r has, each path with end after it. Empty ones are skipped.
func ReadPaths(r io.Reader, end byte) *Paths {
	return &Paths{r: bufio.NewReaderSize(r, 64<<10), end: end}
}

// next returns the next path, or io.EOF.
func (p *Paths) next() (path string, err error) {
	if p.read {
		if len(p.list) == 0 {
			return "", p.err
		}
		path, p.list = string(p.list[0]), p.list[1:]
		return path, nil
	}
	for path == "" && p.err == nil {
		if path, p.err = p.r.ReadString(p.end); p.err != nil && !errors.Is(p.err, io.EOF) {
			return "", p.err // what was read of a path may be that of another file
		}
		path = strings.TrimSuffix(path, string(p.end))
		if os.PathSeparator == '\\' && p.end == '\n' {
			path = strings.TrimSuffix(path, "\r")
		}
	}
	if path == "" {
		return "", p.err
	}
	return path, nil
}

// sort reads all paths and puts them into an order by path.
func (p *Paths) sort(o *printer.Order, reversed bool) {
	var list [][]byte
	for path, err := p.next(); err == nil; path, err = p.next() {
		list = append(list, []byte(path))
	}
	slices.SortStableFunc(list, o.ComparePaths)
	if reversed {
		slices.Reverse(list)
	}
	p.list, p.read = list, true
}

// waits reports whether to read the next path may take long.
func (p *Paths) waits() bool { return !p.read && p.r.Buffered() == 0 }

// ref returns a Ref of a path.
func (p *Paths) ref(path string) (dir.Ref, error) {
	if strings.IndexByte(path, 0) >= 0 {
		return dir.Ref{}, fmt.Errorf("a path in the list has a NUL character: %q; -0 reads paths that end in one", path)
	}
	roots, err := p.Labels.Roots([]string{path})
	if err == nil && p.Absolute {
		err = MakeAbsolute(roots)
	}
	if err != nil {
		return dir.Ref{}, err
	}
	if roots[0].Label == "" { // the working directory, which has no other name
		roots[0].Label = "."
	}
	return dir.Root(path, roots[0].Label, 0).WithAbsolute(roots[0].Absolute), nil
}

// testPaths visits the paths of the list, in its order or in that of the Sequence.
func (s *search) testPaths(ctx context.Context) (stats walk.Stats) {
	t := &pathTest{search: s, visitor: s.visitor(), readers: make([]*dir.Reader, max(1, s.KeepAtOnce))}
	for i := range t.readers {
		t.readers[i] = dir.NewReader(s.Walk.Want)
	}
	if to, ok := s.Sink.(*sorted); ok && s.Walk.Sequence != nil {
		s.Paths.sort(&to.order, s.Walk.Sequence.Reversed)
	}
	var err error
	for n := 0; ctx.Err() == nil; n++ {
		waits := s.Paths.waits()
		if (waits || n%len(t.readers) == 0) && t.pause(waits) == walk.Stop {
			break
		}
		var path string
		if path, err = s.Paths.next(); err != nil {
			break
		}
		stats.Entries++
		if t.test(path, t.readers[n%len(t.readers)]) == walk.Stop {
			break
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.Walk.Report(&walk.RootError{Err: fmt.Errorf("the list of paths: %w", err)})
	}
	t.pause(true)
	for _, r := range t.readers {
		stats.Calls.Add(r.Calls())
		r.Close()
	}
	stats.Workers = 1
	return stats
}

// A pathTest tests paths one by one.
type pathTest struct {
	*search
	visitor walk.Visitor
	readers []*dir.Reader // one for each entry that is held
}

// pause has the visitor use what it holds; see walk.Visitor.
func (t *pathTest) pause(idle bool) walk.Action {
	if t.visitor.Pause(false) == walk.Stop {
		return walk.Stop
	}
	if idle {
		return t.visitor.Pause(true)
	}
	return walk.Continue
}

// test visits a path. An error is reported.
func (t *pathTest) test(path string, r *dir.Reader) walk.Action {
	ref, err := t.Paths.ref(path)
	if err != nil {
		t.Walk.Report(&walk.RootError{Err: err})
		return walk.Continue
	}
	e, err := r.Root(ref)
	r.Drop(ref)
	if err != nil {
		t.Walk.Report(&walk.RootError{Err: err})
		return walk.Continue
	}
	if os.IsPathSeparator(path[len(path)-1]) && len(e.Name) > 0 {
		e.Tag = 1 // printed with it; see printer.Style.Listed
	}
	if t.Walk.Follow {
		if err := e.Follow(); err != nil {
			t.Walk.Report(err)
		}
	}
	action := t.visitor.Visit(e)
	if t.visitor.Result == nil || action == walk.Stop {
		return action
	}
	if text, _ := t.visitor.Result(); text != nil {
		return t.Walk.Sequence.Use(&walk.Result{Text: text, At: -1})
	}
	return action
}
