package dir

import (
	"os"
	"sync/atomic"
)

// The seam to the operating system. Each system has two types: a sysReader, which one
// worker lists directories with, and a sysDir, the open handle of a directory. Their
// errors are bare errnos; Reader adds the operation and the path.
//
//	open    opens d relative to the open directory at, or to the root's path if at is
//	        nil. below has the directories on the way; the last one is d. A link is
//	        followed only in the root's path and where the directory's follow is set
//	next    appends the next batch of d's entries, each with its type, without "." and
//	        "..". io.EOF comes with the last batch or after it. Entries already in the
//	        batch stay valid
//	rewind  starts the listing of d again
//	close   closes the handle
//	stamp   returns the stamp of d: of the path below the open directory at or, if the path is
//	        nil, of at itself
//	local   reports whether the system is certain to answer at once: about the name in
//	        d, or about d itself if the name is nil. open and next get that answer
//
// A sysEntry is what the listing gave for an entry besides its name and type:
//
//	hidden, remote, automount  as in Entry
//	served                     the directory looks like a link to the system, but a
//	                           driver serves it: it is opened through the link
//
// The functions:
//
//	stat             sets the wanted fields of info, for the entry or a link's target
//	readLink         returns the text of a link
//	openFile         opens a regular file, or the one that a followed link leads to
//	remove           removes the entry
//	removeDir        removes the empty directory d; its parent is reached as in open
//	move             renames the entry to name in the open directory to, unless that exists
//	access           reports whether this process may access the entry
//	readFile         appends the content of a file in an open directory; nothing, without
//	                 an error, if it is not a file, is in the cloud, or is a link that must
//	                 not be followed
//	vanished         reports whether an error means that a directory was removed or
//	                 replaced
//	temporary        reports whether an error may go away once others have closed something
//	mountedInItself  reports whether a directory is mounted below itself
//	mounted          as Entry.Mounted
//	fileSystem       returns the name of the file system of an open directory; "" if it is not
//	                 known
//	openFolder       opens a directory by its name below a root, without following links below it
//	StatFile, OpenNoFollow and the methods of Folder
//	maxReaders       the number of Readers that may list at a time
//	maxShared        the number of handles that may be kept open for children
//	fetchRemote      as FetchRemote; setBuffer as SetBuffer
//
// A function that asks the system about an entry calls Entry.asked.
var (
	_ interface {
		open(d, at *Dir, below []*Dir, local bool) error
		stamp(d, at *Dir, path []byte, local bool) (Stamp, error)
		local(d *Dir, name []byte, follow bool) bool
		next(d *Dir, batch []Entry, local bool) ([]Entry, error)
		rewind(d *Dir) error
		setBuffer(size int)
		removeDir(d, at *Dir, below []*Dir) error
	} = (*sysReader)(nil)
	_ interface{ close() } = (*sysDir)(nil)
	_ interface {
		hidden() bool
		remote() bool
		automount() bool
		served() bool
	} = sysEntry{}

	_ func(e *Entry, want Fields, follow, local bool, info *Info) error           = stat
	_ func(e *Entry) ([]byte, error)                                              = readLink
	_ func(e *Entry) (*os.File, error)                                            = openFile
	_ func(e *Entry) error                                                        = remove
	_ func(e *Entry, to *os.File, name string) error                              = move
	_ func(e *Entry, a Access) (bool, error)                                      = access
	_ func(d *Dir, name string, follow bool, limit int, b []byte) ([]byte, error) = readFile
	_ func(err error) bool                                                        = vanished
	_ func(err error) bool                                                        = temporary
	_ func(e *Entry) bool                                                         = mountedInItself
	_ func(e *Entry) bool                                                         = mounted
	_ func(d *Dir) (string, error)                                                = fileSystem
	_ func(root string, id ID, below string) (sysFolder, error)                   = openFolder
	_ func(f *os.File) (Info, error)                                              = StatFile
	_ func(path string) (*os.File, error)                                         = OpenNoFollow
	_ func() int                                                                  = maxReaders
	_ func() int                                                                  = maxShared
	_ func(allowed bool)                                                          = fetchRemote
)

// FetchRemote sets whether the system may download files and directories in the cloud when
// this process opens them.
func FetchRemote(allowed bool) {
	mayFetch.Store(allowed)
	fetchRemote(allowed)
}

var mayFetch atomic.Bool
