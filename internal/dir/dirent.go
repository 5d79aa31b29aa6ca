package dir

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math/bits"
)

// The DT_ constants. They are the same on all systems that have them.
const (
	dtUnknown = 0
	dtFIFO    = 1
	dtChar    = 2
	dtDir     = 4
	dtBlock   = 6
	dtRegular = 8
	dtLink    = 10
	dtSocket  = 12
)

// direntTypes has the Type for each DT_ constant.
var direntTypes = [16]fs.FileMode{
	dtUnknown: fs.ModeIrregular,
	dtFIFO:    fs.ModeNamedPipe,
	dtChar:    fs.ModeDevice | fs.ModeCharDevice,
	3:         fs.ModeIrregular,
	dtDir:     fs.ModeDir,
	5:         fs.ModeIrregular,
	dtBlock:   fs.ModeDevice,
	7:         fs.ModeIrregular,
	dtRegular: 0,
	9:         fs.ModeIrregular,
	dtLink:    fs.ModeSymlink,
	11:        fs.ModeIrregular,
	dtSocket:  fs.ModeSocket,
	13:        fs.ModeIrregular,
	14:        fs.ModeIrregular, // BSD's whiteouts
	15:        fs.ModeIrregular,
}

// fileMode translates st_mode. Its high bits, the type, are a DT_ constant.
func fileMode(mode uint32) fs.FileMode {
	const setUID, setGID, sticky = 0o4000, 0o2000, 0o1000
	m := fs.FileMode(mode&0o777) | direntTypes[mode>>12&15]
	if mode&setUID != 0 {
		m |= fs.ModeSetuid
	}
	if mode&setGID != 0 {
		m |= fs.ModeSetgid
	}
	if mode&sticky != 0 {
		m |= fs.ModeSticky
	}
	return m
}

// parseDirent64 decodes the record of getdents64(2) that buf begins with: struct
// linux_dirent64 in the kernel's include/linux/dirent.h. It returns the name, which aliases
// buf and has a NUL after it; the type, a DT_ constant; the position after the record, as for
// lseek; and the record's size. The name ends at its first NUL, even if a damaged file system
// has more after it, so it may be empty. The size is 0 if buf does not begin with a whole
// record.
func parseDirent64(buf []byte) (name []byte, kind byte, next int64, size int) {
	const (
		nextAt, sizeAt, kindAt, nameAt = 8, 16, 18, 19

		unit      = 8 // filldir64 pads records to a multiple of it
		minSize   = 24
		usualSize = 56 // few records are larger

		ones, highs = 0x0101010101010101, 0x8080808080808080
	)
	if len(buf) < minSize {
		return nil, 0, 0, 0
	}
	size = int(binary.NativeEndian.Uint16(buf[sizeAt:]))
	if size < minSize || size%unit != 0 || size > len(buf) {
		return nil, 0, 0, 0
	}
	last := size - unit
	tail := binary.LittleEndian.Uint64(buf[last:])
	if last == sizeAt {
		tail |= 1<<24 - 1 // three bytes come before the name
	}
	zeros := (tail - ones) &^ tail & highs // its lowest bit is the high bit of the first zero byte
	end := last + bits.TrailingZeros64(zeros)/8
	// The kernel puts one NUL at the end, so a NUL before the last 8 bytes means a damaged
	// name. A branch for each word would take more time than the words.
	early := uint64(highs)
	if size <= usualSize && cap(buf) >= usualSize {
		words := buf[:usualSize] // bytes after the record are masked
		first := binary.LittleEndian.Uint64(words[16:]) | (1<<24 - 1)
		second := binary.LittleEndian.Uint64(words[24:])
		third := binary.LittleEndian.Uint64(words[32:])
		fourth := binary.LittleEndian.Uint64(words[40:])
		early = (first-ones)&^first&uint64(int64(16-last)>>63) |
			(second-ones)&^second&uint64(int64(24-last)>>63) |
			(third-ones)&^third&uint64(int64(32-last)>>63) |
			(fourth-ones)&^fourth&uint64(int64(40-last)>>63)
	}
	if early&highs != 0 || zeros == 0 {
		length := bytes.IndexByte(buf[nameAt:size], 0)
		if length < 0 {
			return nil, 0, 0, 0
		}
		end = nameAt + length
	}
	return buf[nameAt:end:size], buf[kindAt], int64(binary.NativeEndian.Uint64(buf[nextAt:])), size
}

func isDots(name []byte) bool {
	return name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.')
}

// A direntLayout has the offsets in a directory record that begins with a file number of 8
// bytes. The number of a removed entry is 0.
type direntLayout struct {
	sizeAt          int // 2 bytes; 0: the size follows from the name's length
	kindAt          int // 1 byte, a DT_ constant
	lengthAt, bytes int // of the name; 0 bytes: a NUL ends it
	nameAt          int
}

// The layouts of struct dirent, from the systems' sys/dirent.h.
var (
	freebsdDirent   = direntLayout{sizeAt: 16, kindAt: 18, lengthAt: 20, bytes: 2, nameAt: 24}
	openbsdDirent   = direntLayout{sizeAt: 16, kindAt: 18, lengthAt: 19, bytes: 1, nameAt: 24}
	netbsdDirent    = direntLayout{sizeAt: 8, lengthAt: 10, bytes: 2, kindAt: 12, nameAt: 13}
	dragonflyDirent = direntLayout{lengthAt: 8, bytes: 2, kindAt: 10, nameAt: 16}
	linuxDirent     = direntLayout{sizeAt: 16, kindAt: 18, nameAt: 19}
)

// parse decodes the record that buf begins with. The name aliases buf and ends at its first
// NUL; it is nil for a record to skip. kind is a DT_ constant. The size is 0 if buf does not
// begin with a whole record.
func (l *direntLayout) parse(buf []byte) (name []byte, kind byte, size int) {
	if len(buf) < l.nameAt {
		return nil, 0, 0
	}
	length := 0
	switch l.bytes {
	case 1:
		length = int(buf[l.lengthAt])
	case 2:
		length = int(binary.NativeEndian.Uint16(buf[l.lengthAt:]))
	}
	if l.sizeAt > 0 {
		size = int(binary.NativeEndian.Uint16(buf[l.sizeAt:]))
	} else {
		size = (l.nameAt + length + 1 + 7) &^ 7
	}
	if size > len(buf) || size < l.nameAt+length {
		return nil, 0, 0
	}
	name = buf[l.nameAt:size:size]
	if l.bytes > 0 {
		name = name[:length:length]
	}
	if end := bytes.IndexByte(name, 0); end >= 0 {
		name = name[:end:end]
	}
	if binary.NativeEndian.Uint64(buf) == 0 {
		name = nil
	}
	return name, buf[l.kindAt], size
}
