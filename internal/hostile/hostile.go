// Package hostile makes conditions that a program that reads directories must
// survive: file systems that are slow, hang, fail or lie, system calls that
// fail, names that change while they are read, and limits. It is for tests. A
// test is skipped if the machine lacks what it needs. Mounts and processes end
// with their test.
//
// A file system served by this process. Each answer takes 10 ms, and one
// directory hangs until the reader is interrupted:
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
// A test must use a mount from other processes only. A system call of its own
// there can block the Go runtime from running the server that answers it; so
// can os/exec with a current directory there. [Run] enters the directory in the
// new process:
//
//	got := hostile.Run(t, hostile.Limits{Dir: dir, Time: 5 * time.Second}, "find", ".")
//	// got.Stdout, got.Stderr, got.Exit, got.TimedOut
//
// The same as a user who owns nothing, with 20 descriptors and one CPU:
//
//	got := hostile.Run(t, hostile.Limits{Nobody: true, Ulimits: []string{"-n 20"}, OneCPU: true}, "find", dir)
//
// An ext4 file system with changed bytes, so that a name has a NUL:
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
// Directories that are links to the outside half of the time:
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

// The operations that the kernel requests of a file system.
const (
	Lookup   Op = iota // a name in a directory; faults are by the path it would have
	GetAttr            // stat
	OpenDir            // open of a directory
	ReadDir            // a batch of its entries
	ReadLink           // the target of a link
	Access             // access and chdir
	Open               // open of a file
	Read               // a part of a file's content

	Interrupt // a request was interrupted and got EINTR; only counted

	numOps
)

var opNames = [numOps]string{"lookup", "getattr", "opendir", "readdir", "readlink", "access", "open", "read", "interrupt"}

func (op Op) String() string { return opNames[op] }

// An FS describes a file system. Its tree is generated, listed as entries, or
// both. Paths are relative to the root, with slashes; the root is ".".
type FS struct {
	// Each generated directory has Files files f0, f1, ... and, above Depth,
	// Dirs directories d0, d1, ... The root is at depth 0.
	Dirs, Files, Depth int

	Endless bool // the depth has no limit

	// Entries are described as for dirtest.Make: "a/b/" is a directory, "a/b" a
	// file that contains its own path, "empty =" an empty file, "l -> target" a
	// symbolic link.
	Entries []string

	Contents map[string]string // contents of files, by path; they need no entry

	Delay  map[Op]time.Duration // before each answer
	Faults map[string]Fault     // by path

	UnknownTypes bool // listings have no types
	Shuffle      bool // listings are unordered, but always the same

	Inode func(path string) uint64                   // replaces inode numbers, also by 0 or equal ones
	Attr  func(path string, a *Attr)                 // changes the result of stat, but not the listing
	List  func(path string, entries []Entry) []Entry // changes a listing; it begins with "." and ".."

	Cache time.Duration // how long the kernel may cache names and attributes

	OnHang  func(path string, op Op) // called by the server when an operation begins to hang
	Release <-chan struct{}          // once it is closed, nothing hangs any more

	Counts *Counts // counts operations
}

// A Fault makes a path misbehave.
type Fault struct {
	Fail map[Op]error // fail with a syscall.Errno
	Hang []Op         // do not answer until interrupted, or until the test ends

	// After is the number of entries listed before ReadDir fails or hangs.
	After int

	// Endless continues the listing with e0, e1, ... without end. Lookups of
	// these fail.
	Endless bool
}

// The types in Entry.Type and Attr.Mode, as in st_mode.
const (
	Unknown = 0
	Dir     = 0o040000
	File    = 0o100000
	Link    = 0o120000
)

// An Entry is an entry of a listing. For a name that is empty or has a slash
// the kernel returns EIO; a name with a NUL passes.
type Entry struct {
	Name  string
	Inode uint64
	Type  uint32
}

// Attr is the result of stat.
type Attr struct {
	Inode, Size, Blocks      uint64
	Mode, Links, User, Group uint32
	Time                     time.Time
}

// Slow returns an FS.Delay of d before each answer.
func Slow(d time.Duration) map[Op]time.Duration {
	delay := map[Op]time.Duration{}
	for op := range Interrupt {
		delay[op] = d
	}
	return delay
}

// Counts counts the operations of a file system, including failed ones.
type Counts struct{ n [numOps]atomic.Int64 }

// Of returns the number of operations of one kind.
func (c *Counts) Of(op Op) int64 { return c.n[op].Load() }
