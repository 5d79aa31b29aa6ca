package index

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"ldx/internal/dir"
	"ldx/internal/state"
)

// writeSnapshot writes all directories as a new snapshot.
func (w *writer) writeSnapshot(out io.Writer) error {
	payloads, parents, err := w.collect()
	if err != nil {
		return err
	}
	b := body{family: newFamily(payloads, parents, w.complete)}
	b.numbers, b.count = b.renumber()
	if err := b.lay(); err != nil {
		return err
	}
	data := make([]byte, b.size)
	b.fill(data)
	if _, err := out.Write(b.header(w.root, strings.Join(w.trusts, ","), data)); err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

// A body is the four sections of a snapshot, to be written by several goroutines.
type body struct {
	*family
	numbers []Node // in the snapshot, by the number in family
	count   Node
	devices []uint64
	places  []place // by the number in family
	// where the sections begin; the first begins at 0
	types, children, names uint64
	size                   uint64
}

// parallel calls f for parts of the numbers below n, in as many goroutines as there are
// processors.
func parallel(n int, f func(from, to int)) {
	var all sync.WaitGroup
	for parts, i := runtime.GOMAXPROCS(0), 0; i < parts; i++ {
		all.Go(func() { f(i*n/parts, (i+1)*n/parts) })
	}
	all.Wait()
}

// lay links all directories and decides where each is written.
func (b *body) lay() error {
	b.places = make([]place, len(b.numbers))
	devices := make([]uint64, len(b.numbers))
	parallel(len(b.numbers), func(from, to int) {
		var found []dir.Child
		for n := from; n < to; n++ {
			if b.numbers[n] == 0 {
				continue
			}
			found = b.link(Node(n), nil, func(c Node) Node { return b.numbers[c] }, found)
			d, _ := decodeDelta(b.payloads[n])
			b.places[n] = place{uint32(len(d.types)), uint32(d.childCount()), uint64(len(d.names)), 0}
			devices[n] = d.stamp.Device
		}
	})
	var entries, dirs, names uint64
	for n := range b.places {
		p := &b.places[n]
		types, children, size := uint64(p.entry), uint64(p.child), p.name
		if entries+types > math.MaxUint32 {
			return ErrTooLarge
		}
		p.entry, p.child, p.name = uint32(entries), uint32(dirs), names
		entries, dirs, names = entries+types, dirs+children, names+size
		if b.numbers[n] != 0 {
			device := slices.Index(b.devices, devices[n])
			if device < 0 {
				device = len(b.devices)
				b.devices = append(b.devices, devices[n])
			}
			p.device = uint32(device)
		}
	}
	b.types = uint64(b.count) * directorySize
	b.children = b.types + entries
	b.names = b.children + dirs*childSize
	b.size = b.names + names
	if b.size > math.MaxInt {
		return ErrTooLarge
	}
	return nil
}

// fill writes the sections to data.
func (b *body) fill(data []byte) {
	parallel(len(b.numbers), func(from, to int) {
		for n := from; n < to; n++ {
			number := b.numbers[n]
			if number == 0 {
				continue
			}
			d, _ := decodeDelta(b.payloads[n])
			if d.parent = b.numbers[d.parent]; number == rootNode {
				d.parent = 0
			}
			at := &b.places[n]
			putDirectory(data[int(number-1)*directorySize:][:0], &d, at)
			copy(data[b.types+uint64(at.entry):], d.types)
			copy(data[b.children+uint64(at.child)*childSize:], d.children)
			copy(data[b.names+at.name:], d.names)
		}
	})
}

// header returns the header of a snapshot with this body.
func (b *body) header(root, trusts string, data []byte) []byte {
	le := binary.LittleEndian
	chunks := int(state.ChunkCount(int64(len(data))))
	sums := headerSize + len(root) + len(trusts) + len(b.devices)*deviceSize
	end := (sums + chunks*state.SumSize + headerAlign - 1) / headerAlign * headerAlign
	h := append(make([]byte, 0, end), snapshotMagic...)
	h = le.AppendUint32(h, version)
	h = le.AppendUint32(h, uint32(end))
	h = le.AppendUint32(h, 0)
	h = le.AppendUint32(h, uint32(len(root)))
	h = le.AppendUint64(h, rand.Uint64())
	h = le.AppendUint64(h, uint64(time.Now().UnixNano()))
	h = le.AppendUint32(h, uint32(len(b.devices)))
	h = le.AppendUint32(h, uint32(chunks))
	for _, n := range []uint64{b.types, b.children - b.types, b.names - b.children, b.size - b.names} {
		h = le.AppendUint64(h, n)
	}
	h = le.AppendUint64(h, uint64(len(trusts)))
	h = append(append(h, root...), trusts...)
	for _, device := range b.devices {
		h = le.AppendUint64(h, device)
	}
	h = h[:end]
	parallel(chunks, func(from, to int) {
		for c := from; c < to; c++ {
			le.PutUint32(h[sums+c*state.SumSize:], state.Checksum(data[c*state.ChunkSize:min((c+1)*state.ChunkSize, len(data))]))
		}
	})
	le.PutUint32(h[16:], state.Checksum(h[:16], h[20:]))
	return h
}

// writeLog writes a record for each directory that was added.
func (w *writer) writeLog(out io.Writer) error {
	payloads, parents, err := w.collect()
	if err != nil {
		return err
	}
	f := newFamily(payloads, parents, w.complete)
	f.adopt(w.base)
	b := bufio.NewWriterSize(out, 1<<20)
	var head []byte
	var found []dir.Child
	for n, p := range payloads {
		if p != nil {
			found = f.link(Node(n), w.base, func(c Node) Node { return c }, found)
			head = state.AppendFrame(head[:0], p)
			b.Write(head) //nolint:errcheck // Flush returns it
			b.Write(p)    //nolint:errcheck
		}
	}
	return b.Flush()
}
