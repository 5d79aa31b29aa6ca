package dir

import (
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"ldx/internal/dirtest"
)

// create makes a directory below another with the kernel's call, which accepts any name.
func create(t *testing.T, at windows.Handle, name string) windows.Handle {
	t.Helper()
	units := appendUnits(nil, []byte(name))
	text := windows.NTUnicodeString{Length: uint16(2 * len(units)), MaximumLength: uint16(2 * len(units)), Buffer: &units[0]}
	object := windows.OBJECT_ATTRIBUTES{RootDirectory: at, ObjectName: &text}
	object.Length = 48
	var h windows.Handle
	var status windows.IO_STATUS_BLOCK
	access := uint32(windows.FILE_LIST_DIRECTORY | windows.FILE_TRAVERSE | windows.DELETE | windows.SYNCHRONIZE)
	err := windows.NtCreateFile(&h, access, &object, &status, nil, 0,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, windows.FILE_CREATE,
		windows.FILE_DIRECTORY_FILE|windows.FILE_SYNCHRONOUS_IO_NONALERT|windows.FILE_DELETE_ON_CLOSE, 0, 0)
	if err != nil {
		t.Skipf("%q cannot be created here: %v", name, err)
	}
	return h
}

func openRoot(t *testing.T, path string) windows.Handle {
	t.Helper()
	h, err := openRootPath(Root(path, path, 0).dir.root, windows.FILE_LIST_DIRECTORY|windows.FILE_TRAVERSE, windows.FILE_DIRECTORY_FILE)
	require.NoError(t, err)
	return h
}

func closeHandle(t *testing.T, h windows.Handle) {
	t.Helper()
	assert.NoError(t, windows.CloseHandle(h))
}

func one(t *testing.T, r *Reader, ref Ref) *Entry {
	t.Helper()
	_, err := r.Open(ref)
	require.NoError(t, err)
	batch, err := r.Next()
	require.NoError(t, err)
	require.Len(t, batch, 1)
	return &batch[0]
}

// Names that Win32 changes or refuses stay as they are: in a listing, and for a directory
// opened by its parent's handle and by its path.
func TestNames(t *testing.T) {
	for _, name := range []string{"con", "nul.txt", "trail.", "trail ", " lead", "ünï-日本-😀", "lone\xed\xa0\x80", strings.Repeat("n", 255)} {
		t.Run(name, func(t *testing.T) {
			root := dirtest.TempDir(t)
			at := openRoot(t, root)
			defer closeHandle(t, at)
			outer := create(t, at, name)
			defer closeHandle(t, outer)
			inner := create(t, outer, name)
			defer closeHandle(t, inner)
			for _, byPath := range []bool{false, true} {
				r := NewReader(0)
				e := one(t, r, Root(root, "root", 0))
				assert.Equal(t, name, string(e.Name))
				ref := e.Ref()
				if byPath {
					ref = ref.Detach()
				}
				_, err := r.Next()
				require.Equal(t, io.EOF, err)
				e = one(t, r, ref)
				assert.Equal(t, "root/"+name+"/"+name, e.Path())
				assert.Equal(t, fs.ModeDir, e.Type)
				r.Close()
			}
		})
	}
}

// A tree deeper than Win32 allows is listed, by handles and by path.
func TestDeepPaths(t *testing.T) {
	root := dirtest.TempDir(t)
	name := strings.Repeat("n", 100)
	if ntdll.NewProc("wine_get_version").Find() == nil {
		name = name[:18] // a longer path would exceed the limit of Unix
	}
	const depth = 200
	at := openRoot(t, root)
	handles := []windows.Handle{at}
	defer func() {
		for _, h := range slices.Backward(handles) {
			closeHandle(t, h)
		}
	}()
	for range depth {
		at = create(t, at, name)
		handles = append(handles, at)
	}
	for _, byPath := range []bool{false, true} {
		r := NewReader(0)
		ref := Root(root, "r", 0)
		for range depth {
			e := one(t, r, ref)
			ref = e.Ref()
			if byPath {
				ref = ref.Detach()
			}
			_, err := r.Next()
			require.Equal(t, io.EOF, err)
		}
		assert.Equal(t, "r"+strings.Repeat("/"+name, depth)+"/", string(ref.AppendPath(nil)))
		_, err := r.Open(ref)
		require.NoError(t, err)
		_, err = r.Next()
		require.Equal(t, io.EOF, err)
		r.Close()
	}
}

// Metadata in the listing needs no system call: the file is removed before it is read.
func TestInfoWithoutAsking(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "file")
	path := filepath.Join(root, "file")
	then := time.Date(1999, 12, 31, 23, 59, 58, 0, time.UTC)
	require.NoError(t, os.Chtimes(path, then, then))
	want, err := os.Stat(path)
	require.NoError(t, err)
	var id windows.ByHandleFileInformation
	func() {
		f, err := os.Open(path)
		require.NoError(t, err)
		defer f.Close()
		require.NoError(t, windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &id))
	}()
	r := NewReader(Identity)
	defer r.Close()
	e := one(t, r, Root(root, root, 0))
	require.NoError(t, os.Remove(path))
	info, err := e.Info(Mode | Size | ModTime | AccessTime | ChangeTime | BirthTime)
	require.NoError(t, err)
	assert.Equal(t, want.Mode(), info.Mode)
	assert.Equal(t, int64(4), info.Size)
	assert.True(t, info.ModTime.Equal(then), info.ModTime)
	info, err = e.Info(Identity)
	require.NoError(t, err, "class 38 has it")
	assert.Equal(t, uint64(id.VolumeSerialNumber), info.Device)
	assert.Equal(t, uint64(id.FileIndexHigh)<<32|uint64(id.FileIndexLow), info.Inode)
	_, err = e.Info(Links)
	assert.True(t, Vanished(err), err)
}

func TestHiddenAttribute(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "plain", "secret", ".dot")
	name, err := windows.UTF16PtrFromString(filepath.Join(root, "secret"))
	require.NoError(t, err)
	require.NoError(t, windows.SetFileAttributes(name, windows.FILE_ATTRIBUTE_HIDDEN))
	if now, err := windows.GetFileAttributes(name); err != nil || now&windows.FILE_ATTRIBUTE_HIDDEN == 0 {
		t.Skip("this system does not keep the attribute") // Wine 8
	}
	r := NewReader(0)
	defer r.Close()
	_, err = r.Open(Root(root, root, 0))
	require.NoError(t, err)
	batch, err := r.Next()
	require.NoError(t, err)
	got := map[string]bool{}
	for i := range batch {
		got[string(batch[i].Name)] = batch[i].Hidden()
	}
	assert.Equal(t, map[string]bool{"plain": false, "secret": true, ".dot": true}, got)
}

// Directories in the cloud: one that would be downloaded, and one that a driver serves, which
// is opened through its reparse point.
func TestCloudAttributes(t *testing.T) {
	for attributes, want := range map[uint32][2]bool{
		ntIsDirectory:                                     {false, false},
		ntIsDirectory | ntReparsePoint:                    {false, true},
		ntIsDirectory | ntReparsePoint | ntRecallOnRead:   {true, true},
		ntIsDirectory | ntRecallOnOpen:                    {true, false},
		ntIsDirectory | ntOffline | ntReadOnly | ntHidden: {false, false},
	} {
		record, _, size := ntFull.parse(ntFull.encode(ntFile{name: []uint16{'x'}, attributes: attributes, tag: 0x9000601a}, true))
		require.NotZero(t, size)
		e := Entry{sys: sysEntry{record}}
		assert.Equal(t, want, [2]bool{e.Remote(), e.sys.served()}, "%#x", attributes)
	}
}

// Empty does not list a directory in the cloud.
func TestRemoteIsNotListed(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "d/file")
	r := NewReader(0)
	defer r.Close()
	defer FetchRemote(false)
	e := one(t, r, Root(root, root, 0))
	binary.LittleEndian.PutUint32(e.sys.record[56:], e.sys.record.attributes()|ntRecallOnRead)
	_, err := e.Empty()
	assert.ErrorIs(t, err, ErrRemote)
	FetchRemote(true)
	empty, err := e.Empty()
	assert.NoError(t, err)
	assert.False(t, empty)
}

// The error of a server that is gone does not mean that a directory was removed.
func TestVanishedByNumber(t *testing.T) {
	for status, want := range map[windows.NTStatus]bool{
		windows.STATUS_BAD_NETWORK_PATH: false, windows.STATUS_BAD_NETWORK_NAME: false, windows.STATUS_ACCESS_DENIED: false,
		windows.STATUS_OBJECT_NAME_NOT_FOUND: true, windows.STATUS_OBJECT_PATH_NOT_FOUND: true, windows.STATUS_DELETE_PENDING: true,
		windows.STATUS_NOT_A_DIRECTORY: true,
	} {
		assert.Equal(t, want, Vanished(&fs.PathError{Op: "open", Path: "x", Err: ntError(status)}), "%#x", uint32(status))
	}
}

// A junction is a link: it is entered only if links are followed.
func TestJunction(t *testing.T) {
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "target/file")
	junction := filepath.Join(root, "junction")
	if out, err := exec.Command("cmd", "/c", "mklink", "/J", junction, filepath.Join(root, "target")).CombinedOutput(); err != nil {
		t.Skipf("no junctions here: %s", out)
	}
	if _, err := os.Lstat(junction); err != nil {
		t.Skip("no junctions here") // Wine 8 claims to make them
	}
	r := NewReader(0)
	defer r.Close()
	_, err := r.Open(Root(root, root, 0))
	require.NoError(t, err)
	batch, err := r.Next()
	require.NoError(t, err)
	for i := range batch {
		e := &batch[i]
		if string(e.Name) != "junction" {
			continue
		}
		assert.Equal(t, fs.ModeSymlink, e.Type)
		target, err := e.Target()
		require.NoError(t, err)
		assert.Equal(t, filepath.Join(root, "target"), string(target))
		require.NoError(t, e.Follow())
		assert.Equal(t, fs.ModeDir, e.Type)
		e = one(t, NewReader(0), e.Ref())
		assert.Equal(t, "file", string(e.Name))
		return
	}
	t.Error("there is no junction in the listing")
}

// Each class gives the same entries.
func TestClasses(t *testing.T) {
	root := dirtest.Tree(t, "basic")
	var want []string
	for first := range classes {
		r := NewReader(Identity)
		d, err := r.Open(Root(root, root, 0))
		require.NoError(t, err)
		d.sys.class = first
		batch, err := r.Next()
		require.NoError(t, err)
		var got []string
		for i := range batch {
			got = append(got, string(batch[i].Name)+batch[i].Type.String())
		}
		if first == 0 {
			want = got
		}
		assert.Equal(t, want, got)
		_, err = r.Next()
		require.Equal(t, io.EOF, err)
		r.Close()
	}
	assert.Len(t, want, len(batchNames(t, root)))
}

func batchNames(t *testing.T, root string) []fs.DirEntry {
	list, err := os.ReadDir(root)
	require.NoError(t, err)
	return list
}

// If a file system refuses a class, the next one is tried. Directories below begin with that
// one.
func TestClassIsRemembered(t *testing.T) {
	for _, status := range []windows.NTStatus{
		windows.STATUS_INVALID_INFO_CLASS, windows.STATUS_INVALID_PARAMETER, windows.STATUS_NOT_SUPPORTED,
		windows.STATUS_NOT_IMPLEMENTED, windows.STATUS_INVALID_LEVEL, windows.STATUS_INVALID_DEVICE_REQUEST,
	} {
		assert.True(t, refusesClass(status), uint32(status))
	}
	assert.False(t, refusesClass(windows.STATUS_ACCESS_DENIED))

	unknown := ntClass{number: 9999, nameAt: 64}
	known := classes[0]
	classes[0] = &unknown
	defer func() { classes[0] = known }()
	root := dirtest.TempDir(t)
	dirtest.Make(t, root, "sub/file")
	r := NewReader(Identity)
	defer r.Close()
	e := one(t, r, Root(root, root, 0))
	assert.Equal(t, 1, e.Dir.sys.class)
	ref := e.Ref()
	_, err := r.Next()
	require.Equal(t, io.EOF, err)
	d, err := r.Open(ref)
	require.NoError(t, err)
	assert.Equal(t, 1, d.sys.class)
	_, err = r.Next()
	require.NoError(t, err)
}

// Listing allocates nothing per entry.
func TestNoAllocation(t *testing.T) {
	root := dirtest.TempDir(t)
	for i := range 300 {
		require.NoError(t, os.WriteFile(filepath.Join(root, strings.Repeat("x", i%50+1)+time.Duration(i).String()), nil, 0o600))
	}
	r := NewReader(0)
	defer r.Close()
	read := func() {
		_, err := r.Open(Root(root, "", 0))
		require.NoError(t, err)
		for err == nil {
			_, err = r.Next()
		}
		require.Equal(t, io.EOF, err)
	}
	read()
	assert.Less(t, testing.AllocsPerRun(10, read), 30.0, "for 300 entries")
}
