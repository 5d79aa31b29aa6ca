package checksum

import (
	"bufio"
	"bytes"
	"io"
	"sync"
	"sync/atomic"

	"ldx/internal/catalogue"
	"ldx/internal/dir"
)

// A Check reads files, and compares their hashes with those in a list.
type Check struct {
	Catalogue *catalogue.Catalogue
	Workers   int         // the number of files read at a time
	Report    func(error) // gets the errors of files, in the order of the list
	Out       io.Writer
	Form      Form // of paths
	Quiet     bool // print only what differs
	Silent    bool // print nothing

	Files, Done atomic.Int64 // in the list, and read so far

	// The numbers of files that differ and that cannot be read, and of lines that are none of
	// sha256sum's.
	Differ, Unreadable, Malformed int64
}

// A listed file is a line of the list.
type listed struct {
	path  []byte
	want  catalogue.Sum
	same  bool
	err   error
	ready chan struct{} // closed when it has been read
}

// Run reads the list and all files in it. Results are printed in its order. The error is that of
// reading the list, or of Out.
func (c *Check) Run(list io.Reader) error {
	files, err := c.parse(list)
	if err != nil {
		return err
	}
	c.Files.Store(int64(len(files)))
	var readers sync.WaitGroup
	next := atomic.Int64{}
	for range c.Workers {
		readers.Go(func() {
			hasher := c.Catalogue.Hasher()
			for i := next.Add(1) - 1; i < int64(len(files)); i = next.Add(1) - 1 {
				files[i].compare(hasher)
				c.Done.Add(1)
				close(files[i].ready)
			}
		})
	}
	out := bufio.NewWriter(c.Out)
	for _, f := range files {
		if out.Buffered() > 0 && !isClosed(f.ready) {
			if err = out.Flush(); err != nil {
				break
			}
		}
		<-f.ready
		if err = c.print(out, f); err != nil {
			break
		}
	}
	if err != nil {
		next.Store(int64(len(files)))
		c.Catalogue.Stop()
	}
	readers.Wait()
	if err != nil {
		return err
	}
	return out.Flush()
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// parse returns the files in a list. Lines that begin with a # are comments.
func (c *Check) parse(list io.Reader) (files []*listed, err error) {
	text, err := io.ReadAll(list)
	if err != nil {
		return nil, err
	}
	end, extra := []byte{'\n'}, []byte{'\r'}
	if bytes.IndexByte(text, 0) >= 0 { // of -0: no path has one
		end, extra = []byte{0}, nil
	}
	for line := range bytes.SplitSeq(bytes.TrimSuffix(text, end), end) {
		line = bytes.TrimSuffix(line, extra)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		sum, path, ok := parseLine(line)
		if !ok {
			c.Malformed++
			continue
		}
		files = append(files, &listed{path: path, want: sum, ready: make(chan struct{})})
	}
	return files, nil
}

// compare reads the file.
func (l *listed) compare(h *catalogue.Hasher) {
	f, err := dir.OpenFile(string(l.path))
	if err != nil {
		l.err = err
		return
	}
	defer f.Close()
	sum, _, err := h.Verify(0, f)
	l.same, l.err = sum == l.want, err
}

// print prints the result of a file.
func (c *Check) print(out *bufio.Writer, l *listed) error {
	verdict := "OK"
	switch {
	case l.err != nil:
		c.Unreadable++
		c.Report(l.err)
		verdict = "FAILED open or read"
	case !l.same:
		c.Differ++
		verdict = "FAILED"
	}
	if c.Silent || c.Quiet && verdict == "OK" {
		return nil
	}
	_, err := out.Write(c.Form.verdict(nil, l.path, verdict))
	return err
}

// verdict appends a line that says what a file is. As sha256sum does, it escapes a path only if that
// is more than a line.
func (f Form) verdict(b, path []byte, verdict string) []byte {
	escaped := bytes.IndexByte(path, '\n') >= 0
	if escaped {
		b = append(b, '\\')
	}
	b = append(f.appendPath(b, path, escaped), ": "...)
	return append(append(b, verdict...), '\n')
}
