package dir

import (
	"bytes"
	"encoding/binary"
)

// A dirent64 is one record of getdents64(2): struct linux_dirent64 in the
// kernel's include/linux/dirent.h.
type dirent64 struct {
	name []byte // aliases the buffer, where a NUL follows it
	next int64  // the position after this record, as for lseek
	kind byte   // a DT_ constant
}

// parseDirent64 decodes the record at the start of buf and returns it with its
// size; ok is false if it is not a whole record with a name and its NUL.
func parseDirent64(buf []byte) (rec dirent64, size int, ok bool) {
	const offAt, lenAt, typeAt, nameAt = 8, 16, 18, 19
	if len(buf) < nameAt {
		return rec, 0, false
	}
	size = int(binary.NativeEndian.Uint16(buf[lenAt:]))
	if size <= nameAt || size > len(buf) {
		return rec, 0, false
	}
	// The kernel pads a record to 8 bytes, so its last 8 hold the NUL.
	from := max(nameAt, size-8)
	end := bytes.IndexByte(buf[from:size], 0)
	if end < 0 || end+from == nameAt {
		return rec, 0, false
	}
	end += from
	rec.name = buf[nameAt:end:size]
	rec.next = int64(binary.NativeEndian.Uint64(buf[offAt:]))
	rec.kind = buf[typeAt]
	return rec, size, true
}

func isDots(name []byte) bool {
	return name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.')
}
