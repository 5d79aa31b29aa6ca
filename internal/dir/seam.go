package dir

import (
	"os"
	"sync/atomic"
)

// The seam to the operating system. Each system has one file with a sysReader,
// what one worker reads with, and a sysDir, the open handle of a directory.
// Their errors are bare errnos, which Reader dresses.
//
//	open    opens d below the open directory at, or if at is nil below the root's path.
//	        The directories on the way are in below, and d is the last. A link is followed
//	        only where the directory's follow is set, and in the root's path
//	next    appends the next batch of d's entries, without "." and "..", each
//	        with its type; io.EOF comes with the last batch, or after it; the
//	        entries that batch has already stay valid
//	rewind  makes the first batch of d the next one
//	close   closes the handle
//	local   reports whether the system is certain to answer at once what it is asked
//	        about the name in d, or about d itself if the name is nil; open and next
//	        are given that
//
// A sysEntry is what the listing has told of an entry besides its name and type:
//
//	hidden, remote, automount  as in Entry
//	served                     the directory is a link for the system, which a
//	                           driver serves: it is opened through the link
//
// stat sets the fields of info that are wanted, of the entry or of a link's
// target; access asks what this process may do with the entry; openFile opens a regular
// file, or the one that a followed link leads to; remove removes the entry, removeDir an empty
// directory d, whose parent is reached as in open; readFile
// appends what a file in an open directory holds, which is nothing, without an
// error, for what is no file, is in the cloud, or is a link that is not to be
// followed; vanished knows the errors of a directory that was removed or replaced, and
// temporary those that may not come again once others have been closed;
// mountedInItself reports whether e is a directory that is mounted below itself;
// maxReaders is how many Readers may list at a time, and maxShared how many handles
// may be kept open for children; fetchRemote is as FetchRemote, and setBuffer as
// SetBuffer. Who asks the system about an entry calls Entry.asked.
var (
	_ interface {
		open(d, at *Dir, below []*Dir, local bool) error
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
	_ func(e *Entry, a Access) (bool, error)                                      = access
	_ func(d *Dir, name string, follow bool, limit int, b []byte) ([]byte, error) = readFile
	_ func(err error) bool                                                        = vanished
	_ func(err error) bool                                                        = temporary
	_ func(e *Entry) bool                                                         = mountedInItself
	_ func() int                                                                  = maxReaders
	_ func() int                                                                  = maxShared
	_ func(allowed bool)                                                          = fetchRemote
)

// FetchRemote says whether the system may fetch over a network what this process
// opens: files and directories that are in the cloud.
func FetchRemote(allowed bool) {
	mayFetch.Store(allowed)
	fetchRemote(allowed)
}

var mayFetch atomic.Bool
