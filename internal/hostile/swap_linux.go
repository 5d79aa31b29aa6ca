package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// A Swapper keeps replacing directories by links, and links by directories.
type Swapper struct {
	t     testing.TB
	aside int // descriptor of the directory that holds what is not in place
	pairs []*pair
	count atomic.Int64
	stop  chan struct{}
	done  chan error
	end   sync.Once
}

// A pair is two names to exchange. The directory of the first one is open, as
// its path may lead elsewhere at times.
type pair struct {
	parent    int
	name      string
	asideName string
	swapped   bool
}

// Swap keeps replacing directories below dir by symbolic links to outside, and
// back: those in names, relative to dir, or else all directories in dir itself.
// Names are exchanged, so that each exists at all times. Replaced directories
// are kept beside dir, on the same file system.
func Swap(t testing.TB, dir, outside string, names ...string) *Swapper {
	t.Helper()
	if len(names) == 0 {
		names = directories(t, dir)
	}
	aside, err := os.MkdirTemp(filepath.Dir(dir), "ldx-aside-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(aside)) })
	s := &Swapper{t: t, aside: openDir(t, aside), stop: make(chan struct{}), done: make(chan error, 1)}
	for i, name := range names {
		p := &pair{parent: openDir(t, filepath.Join(dir, filepath.Dir(name))), name: filepath.Base(name), asideName: strconv.Itoa(i)}
		must(t, os.Symlink(outside, filepath.Join(aside, p.asideName)))
		s.pairs = append(s.pairs, p)
	}
	if err := s.exchange(s.pairs[0]); err == unix.EINVAL || err == unix.ENOSYS {
		t.Skip("this file system does not exchange names")
	} else if err != nil {
		t.Fatal(err)
	}
	go func() { s.done <- s.run() }()
	t.Cleanup(func() { s.Stop() })
	return s
}

func directories(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if names == nil {
		t.Fatalf("%s has no directories", dir)
	}
	return names
}

func openDir(t testing.TB, dir string) int {
	t.Helper()
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(&os.PathError{Op: "open", Path: dir, Err: err})
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}

// run exchanges one pair after another, and puts all back in the end.
func (s *Swapper) run() error {
	for i := 0; ; i++ {
		select {
		case <-s.stop:
			return s.restore()
		default:
		}
		p := s.pairs[i%len(s.pairs)]
		if err := s.exchange(p); err != nil {
			return fmt.Errorf("exchange of %s: %w", p.name, err)
		}
	}
}

func (s *Swapper) restore() error {
	for _, p := range s.pairs {
		if !p.swapped {
			continue
		}
		if err := s.exchange(p); err != nil {
			return fmt.Errorf("exchange of %s: %w", p.name, err)
		}
	}
	return nil
}

func (s *Swapper) exchange(p *pair) error {
	err := unix.Renameat2(p.parent, p.name, s.aside, p.asideName, unix.RENAME_EXCHANGE)
	if err == nil {
		p.swapped = !p.swapped
		s.count.Add(1)
	}
	return err
}

// Count returns the number of exchanges so far.
func (s *Swapper) Count() int64 { return s.count.Load() }

// Stop puts all directories back, and returns the number of exchanges.
func (s *Swapper) Stop() int64 {
	s.t.Helper()
	s.end.Do(func() {
		close(s.stop)
		if err := <-s.done; err != nil {
			s.t.Error(err)
		}
	})
	return s.Count()
}
