// Package hostile makes what a program that reads directories must survive: file
// systems that are slow, hang, fail or lie, system calls that fail, names that change
// while they are read, and limits. It is for tests. What the machine lacks skips the
// test, and what was mounted or started ends with it.
//
// A file system in this process, in which every answer takes 10 ms and one directory
// hangs until the reader is interrupted:
//
//	var counts hostile.Counts
//	dir := hostile.Mount(t, hostile.FS{
//		Dirs: 3, Files: 5, Depth: 2,
//		Entries: []string{".gitignore =", "hung/file", "bad/file"},
//		Delay:   hostile.Slow(10 * time.Millisecond),
//		Faults: map[string]hostile.Fault{
//			"hung": {Hang: []hostile.Op{hostile.OpenDir}},
//			"bad":  {Fail: map[hostile.Op]error{hostile.ReadDir: syscall.EIO}},
//		},
//		Counts: &counts,
//	})
//
// A test must leave a mount to other processes. A system call of its own there can keep
// the Go runtime from running the server that answers it; so can os/exec, with a
// working directory there. [Run] enters it in the new process:
//
//	got := hostile.Run(t, hostile.Limits{Dir: dir, Time: 5 * time.Second}, "find", ".")
//	// got.Stdout, got.Stderr, got.Exit, got.TimedOut
//
// The same as a user who owns nothing, with 20 descriptors and one CPU:
//
//	got := hostile.Run(t, hostile.Limits{Nobody: true, Ulimits: []string{"-n 20"}, OneCPU: true}, "find", dir)
//
// An ext4 file system in which bytes were changed, so that a name holds a NUL:
//
//	dir := hostile.Ext4Image(t,
//		func(dir string) { dirtest.Make(t, dir, "a", "..XHIDDEN") },
//		func(image []byte) []byte {
//			return bytes.ReplaceAll(image, []byte("..XHIDDEN"), []byte("..\x00HIDDEN"))
//		})
//
// The second getdents64 of each thread fails:
//
//	stdout, stderr, exit := hostile.Strace(t, "getdents64:error=EIO:when=2", "find", dir)
//
// Directories that are links to outside half of the time:
//
//	swapper := hostile.Swap(t, dir, outside)
//	// ... search dir ...
//	swaps := swapper.Stop()
package hostile

import (
	"sync/atomic"
	"time"
)

// An Op is an operation of a file system.
type Op int

// The operations that the kernel asks a file system for.
const (
	Lookup   Op = iota // of a name in a directory; its fault is that of the path it would have
	GetAttr            // stat
	OpenDir            // open of a directory
	ReadDir            // a batch of its entries
	ReadLink           // the target of a link
	Access             // access and chdir
	Open               // open of a file
	Read               // a part of its content

	Interrupt // a request was interrupted and got EINTR; this is only counted

	numOps
)

var opNames = [numOps]string{"lookup", "getattr", "opendir", "readdir", "readlink", "access", "open", "read", "interrupt"}

func (op Op) String() string { return opNames[op] }

// An FS describes a file system. It is a tree that is generated, from the root down, or
// described, or both. Paths are relative to the root, with slashes; the root is ".".
type FS struct {
	// Each generated directory has Files files f0, f1, ... and, above Depth, Dirs
	// directories d0, d1, ... The root is at depth 0.
	Dirs, Files, Depth int

	Endless bool // there is no Depth

	// Entries are described as for dirtest.Make: "a/b/" is a directory, "a/b" a file
	// that holds its own path, "empty =" an empty file, "l -> target" a symbolic link.
	Entries []string

	Contents map[string]string // of files, by path, which need no entry

	Delay  map[Op]time.Duration // before each answer
	Faults map[string]Fault     // by path

	UnknownTypes bool // directories do not say what their entries are
	Shuffle      bool // directories are in no order, though always in the same

	Inode func(path string) uint64                   // replaces inode numbers: 0, equal ones
	Attr  func(path string, a *Attr)                 // changes what stat says, but not the listing
	List  func(path string, entries []Entry) []Entry // changes a listing, which begins with "." and ".."

	Cache time.Duration // the kernel may keep names and attributes for so long

	OnHang  func(path string, op Op) // is called by the server when an operation begins to hang
	Release <-chan struct{}          // once it is closed, what hangs goes on and nothing hangs any more

	Counts *Counts // counts operations
}

// A Fault is what is wrong with a path.
type Fault struct {
	Fail map[Op]error // a syscall.Errno for an operation
	Hang []Op         // these are not answered until they are interrupted, or the test ends

	// After is the number of entries that come before ReadDir fails or hangs, if it does.
	After int

	// Endless has the listing go on with e0, e1, ... for ever, which cannot be looked up.
	Endless bool
}

// The types of Entry.Type and of Attr.Mode, as in st_mode.
const (
	Unknown = 0
	Dir     = 0o040000
	File    = 0o100000
	Link    = 0o120000
)

// An Entry is one of a directory's listing. The kernel answers EIO to a name that is
// empty or has a slash, but lets a NUL pass.
type Entry struct {
	Name  string
	Inode uint64
	Type  uint32
}

// Attr is what stat says.
type Attr struct {
	Inode, Size, Blocks      uint64
	Mode, Links, User, Group uint32
	Time                     time.Time
}

// Slow is an FS.Delay of d before each answer.
func Slow(d time.Duration) map[Op]time.Duration {
	delay := map[Op]time.Duration{}
	for op := range Interrupt {
		delay[op] = d
	}
	return delay
}

// Counts counts the operations of a file system, also those that failed.
type Counts struct{ n [numOps]atomic.Int64 }

// Of returns how many there were of one kind.
func (c *Counts) Of(op Op) int64 { return c.n[op].Load() }
