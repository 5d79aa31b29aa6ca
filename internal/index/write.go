package index

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// A file is what a snapshot or a log is written to.
type file interface {
	io.Writer
	io.WriterAt
	io.Seeker
}

// writeSnapshot writes all directories as a new snapshot.
func (w *Writer) writeSnapshot(out file) error {
	payloads, err := w.collect()
	if err != nil {
		return err
	}
	f := newFamily(payloads, w.complete)
	numbers, count := f.renumber()
	b := body{}
	if err := b.lay(f, numbers, count); err != nil {
		return err
	}
	header := b.header(w.root)
	if _, err := out.Seek(int64(len(header)), io.SeekStart); err != nil {
		return err
	}
	sums := &summer{w: bufio.NewWriterSize(out, 1<<20)}
	if err := b.write(sums, f, numbers); err != nil {
		return err
	}
	copy(header[b.sumsAt:], sums.sums)
	binary.LittleEndian.PutUint32(header[16:], checksum(header[:16], header[20:]))
	_, err = out.WriteAt(header, 0)
	return err
}

// A body is the four sections of a snapshot.
type body struct {
	directories            []byte
	devices                []uint64
	types, children, names uint64 // lengths
	sumsAt                 int    // in the header
}

// lay links all directories and makes their records.
func (b *body) lay(f *family, numbers []Node, count Node) error {
	b.directories = make([]byte, 0, int(count)*directorySize)
	for n, number := range numbers {
		if number == 0 {
			continue
		}
		f.link(Node(n), nil, func(c Node) Node { return numbers[c] })
		d, _ := decodeDelta(f.payloads[n])
		d.parent = numbers[d.parent]
		if number == rootNode {
			d.parent = 0
		}
		device := slices.Index(b.devices, d.stamp.Device)
		if device < 0 {
			device = len(b.devices)
			b.devices = append(b.devices, d.stamp.Device)
		}
		at := place{entry: uint32(b.types), child: uint32(b.children / nodeSize), name: b.names}
		b.directories = putDirectory(b.directories, &d, at, uint32(device))
		b.types += uint64(len(d.types))
		b.children += uint64(len(d.children))
		b.names += uint64(len(d.names))
		if b.types > math.MaxUint32 {
			return ErrTooLarge
		}
	}
	return nil
}

// header returns the header, without checksums.
func (b *body) header(root string) []byte {
	le := binary.LittleEndian
	size := int64(len(b.directories)) + int64(b.types+b.children+b.names)
	chunks := int(chunkCount(size))
	b.sumsAt = headerSize + len(root) + len(b.devices)*deviceSize
	end := (b.sumsAt + chunks*sumSize + headerAlign - 1) / headerAlign * headerAlign
	h := append(make([]byte, 0, end), snapshotMagic...)
	h = le.AppendUint32(h, version)
	h = le.AppendUint32(h, uint32(end))
	h = le.AppendUint32(h, 0)
	h = le.AppendUint32(h, uint32(len(root)))
	h = le.AppendUint64(h, rand.Uint64())
	h = le.AppendUint64(h, uint64(time.Now().UnixNano()))
	h = le.AppendUint32(h, uint32(len(b.devices)))
	h = le.AppendUint32(h, uint32(chunks))
	for _, n := range []uint64{uint64(len(b.directories)), b.types, b.children, b.names} {
		h = le.AppendUint64(h, n)
	}
	h = append(h, root...)
	for _, device := range b.devices {
		h = le.AppendUint64(h, device)
	}
	return h[:end]
}

// write writes the sections.
func (b *body) write(w *summer, f *family, numbers []Node) error {
	w.add(b.directories)
	for _, part := range []func(*directory) []byte{
		func(d *directory) []byte { return d.types },
		func(d *directory) []byte { return d.children },
		func(d *directory) []byte { return d.names },
	} {
		for n, number := range numbers {
			if number != 0 {
				d, _ := decodeDelta(f.payloads[n])
				w.add(part(&d))
			}
		}
	}
	return w.flush()
}

// A summer writes bytes and keeps the CRC-32C of each chunk.
type summer struct {
	w     *bufio.Writer // keeps the first error
	chunk []byte
	sums  []byte
}

func (s *summer) add(b []byte) {
	for len(b) > 0 {
		n := min(len(b), chunkSize-len(s.chunk))
		s.chunk, b = append(s.chunk, b[:n]...), b[n:]
		if len(s.chunk) == chunkSize {
			s.endChunk()
		}
	}
}

func (s *summer) endChunk() {
	s.sums = binary.LittleEndian.AppendUint32(s.sums, checksum(s.chunk))
	s.w.Write(s.chunk) //nolint:errcheck // Flush returns it
	s.chunk = s.chunk[:0]
}

func (s *summer) flush() error {
	if len(s.chunk) > 0 {
		s.endChunk()
	}
	return s.w.Flush()
}

// writeLog writes a record for each directory that was added.
func (w *Writer) writeLog(out io.Writer) error {
	payloads, err := w.collect()
	if err != nil {
		return err
	}
	f := newFamily(payloads, w.complete)
	f.adopt(w.base)
	b := bufio.NewWriterSize(out, 1<<20)
	var head []byte
	for n, p := range payloads {
		if p != nil {
			f.link(Node(n), w.base, func(c Node) Node { return c })
			head = appendFrame(head[:0], p)
			b.Write(head) //nolint:errcheck // Flush returns it
			b.Write(p)    //nolint:errcheck
		}
	}
	return b.Flush()
}
