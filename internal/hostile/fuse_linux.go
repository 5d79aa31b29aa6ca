//go:build amd64 || arm64

package hostile

import (
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// A fileSystem answers the kernel's requests for a tree. A node's inode number
// is also its number in the kernel.
type fileSystem struct {
	fuse.RawFileSystem // answers ENOSYS to all other requests
	tree               *tree
	stop               chan struct{} // closed when the test ends
}

func newFileSystem(fs FS) *fileSystem {
	if fs.Counts == nil {
		fs.Counts = new(Counts)
	}
	return &fileSystem{fuse.NewDefaultRawFileSystem(), newTree(fs), make(chan struct{})}
}

func (f *fileSystem) fs() *FS { return &f.tree.fs }

func (f *fileSystem) node(number uint64) *node {
	f.tree.mu.Lock()
	defer f.tree.mu.Unlock()
	return f.tree.nodes[number-1]
}

// child returns the entry of a directory with the name, or nil.
func (f *fileSystem) child(parent uint64, name string) *node {
	f.tree.mu.Lock()
	defer f.tree.mu.Unlock()
	n := f.tree.nodes[parent-1]
	f.tree.grow(n)
	return n.names[name]
}

// begin makes an operation wait, hang or fail as its fault says.
func (f *fileSystem) begin(op Op, name string, cancel <-chan struct{}) fuse.Status {
	f.fs().Counts.n[op].Add(1)
	if status := f.delay(op, cancel); status != fuse.OK {
		return status
	}
	if fault := f.fs().Faults[name]; op != ReadDir || fault.After == 0 {
		return f.fault(op, name, cancel)
	}
	return fuse.OK
}

func (f *fileSystem) delay(op Op, cancel <-chan struct{}) fuse.Status {
	delay := f.fs().Delay[op]
	if delay == 0 {
		return fuse.OK
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	return f.wait(timer.C, cancel)
}

func (f *fileSystem) fault(op Op, name string, cancel <-chan struct{}) fuse.Status {
	fault := f.fs().Faults[name]
	if slices.Contains(fault.Hang, op) && !f.released() {
		if f.fs().OnHang != nil {
			f.fs().OnHang(name, op)
		}
		if status := f.wait(nil, cancel); status != fuse.OK {
			return status
		}
	}
	if err := fault.Fail[op]; err != nil {
		return fuse.ToStatus(err)
	}
	return fuse.OK
}

func (f *fileSystem) released() bool {
	select {
	case <-f.fs().Release:
		return true
	default:
		return false
	}
}

// wait waits for ready, or for another end: the kernel cancels the request of a
// process that received a signal.
func (f *fileSystem) wait(ready <-chan time.Time, cancel <-chan struct{}) fuse.Status {
	var released <-chan struct{}
	if ready == nil {
		released = f.fs().Release
	}
	select {
	case <-ready:
		return fuse.OK
	case <-released:
		return fuse.OK
	case <-cancel:
		f.fs().Counts.n[Interrupt].Add(1)
		return fuse.EINTR
	case <-f.stop:
		return fuse.EIO
	}
}

func (f *fileSystem) Lookup(cancel <-chan struct{}, header *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	n := f.child(header.NodeId, name)
	if n == nil {
		// A missing entry can be slow, but has no other fault.
		f.fs().Counts.n[Lookup].Add(1)
		if status := f.delay(Lookup, cancel); status != fuse.OK {
			return status
		}
		return fuse.ENOENT
	}
	if status := f.begin(Lookup, n.path, cancel); status != fuse.OK {
		return status
	}
	out.NodeId = n.number
	out.SetEntryTimeout(f.fs().Cache)
	out.SetAttrTimeout(f.fs().Cache)
	f.attr(n, &out.Attr)
	return fuse.OK
}

func (f *fileSystem) GetAttr(cancel <-chan struct{}, input *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	n := f.node(input.NodeId)
	status := f.begin(GetAttr, n.path, cancel)
	if status == fuse.OK {
		out.SetTimeout(f.fs().Cache)
		f.attr(n, &out.Attr)
	}
	return status
}

func (f *fileSystem) attr(n *node, out *fuse.Attr) {
	a := Attr{
		Inode: f.inode(n), Size: uint64(len(n.text)), Mode: n.kind | 0o644, Links: 1,
		User: uint32(os.Geteuid()), Group: uint32(os.Getegid()), Time: time.Unix(1e9, 0),
	}
	if n.kind == Dir {
		a.Mode, a.Size = n.kind|0o755, 4096
	}
	a.Blocks = (a.Size + 511) / 512
	if f.fs().Attr != nil {
		f.fs().Attr(n.path, &a)
	}
	seconds, nanoseconds := uint64(a.Time.Unix()), uint32(a.Time.Nanosecond())
	*out = fuse.Attr{
		Ino: a.Inode, Size: a.Size, Blocks: a.Blocks, Mode: a.Mode, Nlink: a.Links, Owner: fuse.Owner{Uid: a.User, Gid: a.Group},
		Atime: seconds, Mtime: seconds, Ctime: seconds, Atimensec: nanoseconds, Mtimensec: nanoseconds, Ctimensec: nanoseconds, Blksize: 4096,
	}
}

func (f *fileSystem) inode(n *node) uint64 {
	if f.fs().Inode != nil {
		return f.fs().Inode(n.path)
	}
	return n.number
}

func (f *fileSystem) OpenDir(cancel <-chan struct{}, input *fuse.OpenIn, _ *fuse.OpenOut) fuse.Status {
	return f.begin(OpenDir, f.node(input.NodeId).path, cancel)
}

func (f *fileSystem) ReadDir(cancel <-chan struct{}, input *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	n := f.node(input.NodeId)
	if status := f.begin(ReadDir, n.path, cancel); status != fuse.OK {
		return status
	}
	listing := f.listing(n)
	fault := f.fs().Faults[n.path]
	until := min(2+fault.After, len(listing))
	if fault.After == 0 {
		until = -1 // begin returned a fault
	}
	for i := int(input.Offset); ; i++ {
		if i == until {
			if len(out.Bytes()) > 0 {
				return fuse.OK // the next batch begins with the fault
			}
			if status := f.fault(ReadDir, n.path, cancel); status != fuse.OK {
				return status
			}
		}
		entry, ok := entryAt(listing, i, fault.Endless)
		if !ok || !addEntry(out, entry) {
			return fuse.OK
		}
	}
}

func entryAt(listing []Entry, i int, endless bool) (Entry, bool) {
	if i < len(listing) {
		return listing[i], true
	}
	i -= len(listing)
	return Entry{Name: "e" + strconv.Itoa(i), Inode: 1<<40 + uint64(i), Type: File}, endless
}

// addEntry adds an entry to a batch, if there is room.
func addEntry(out *fuse.DirEntryList, entry Entry) bool {
	begin := len(out.Bytes())
	if !out.AddDirEntry(fuse.DirEntry{Name: entry.Name, Ino: entry.Inode, Mode: entry.Type}) {
		return false
	}
	if entry.Inode == 0 { // go-fuse treats 0 as unknown
		clear(out.Bytes()[begin : begin+8])
	}
	return true
}

// listing returns the entries of a directory as it lists them.
func (f *fileSystem) listing(n *node) []Entry {
	f.tree.mu.Lock()
	defer f.tree.mu.Unlock()
	if n.listing == nil {
		f.tree.grow(n)
		n.listing = f.list(n)
	}
	return n.listing
}

func (f *fileSystem) list(n *node) []Entry {
	parent := n
	if n.parent != nil {
		parent = n.parent
	}
	entries := []Entry{{".", f.inode(n), Dir}, {"..", f.inode(parent), Dir}}
	for _, e := range n.entries {
		entries = append(entries, Entry{path.Base(e.path), f.inode(e), e.kind})
	}
	if f.fs().Shuffle {
		r := rand.New(rand.NewPCG(n.number, 0))
		r.Shuffle(len(entries)-2, func(i, j int) { entries[i+2], entries[j+2] = entries[j+2], entries[i+2] })
	}
	if f.fs().UnknownTypes {
		for i := range entries {
			entries[i].Type = Unknown
		}
	}
	if f.fs().List != nil {
		entries = f.fs().List(n.path, entries)
	}
	return entries
}

func (f *fileSystem) Readlink(cancel <-chan struct{}, header *fuse.InHeader) ([]byte, fuse.Status) {
	n := f.node(header.NodeId)
	return []byte(n.text), f.begin(ReadLink, n.path, cancel)
}

func (f *fileSystem) Access(cancel <-chan struct{}, input *fuse.AccessIn) fuse.Status {
	return f.begin(Access, f.node(input.NodeId).path, cancel)
}

func (f *fileSystem) Open(cancel <-chan struct{}, input *fuse.OpenIn, _ *fuse.OpenOut) fuse.Status {
	return f.begin(Open, f.node(input.NodeId).path, cancel)
}

func (f *fileSystem) Read(cancel <-chan struct{}, input *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	n := f.node(input.NodeId)
	if status := f.begin(Read, n.path, cancel); status != fuse.OK {
		return nil, status
	}
	from := min(input.Offset, uint64(len(n.text)))
	return fuse.ReadResultData(buf[:copy(buf, n.text[from:])]), fuse.OK
}

func (f *fileSystem) StatFs(_ <-chan struct{}, _ *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	out.NameLen, out.Bsize = 255, 4096
	return fuse.OK
}
