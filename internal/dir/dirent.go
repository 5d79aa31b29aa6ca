package dir

import (
	"encoding/binary"
	"math/bits"
)

// parseDirent64 decodes the record of getdents64(2) that buf begins with: struct
// linux_dirent64 in the kernel's include/linux/dirent.h. It gives the name, which
// aliases buf and has a NUL after it; the type, a DT_ constant; the position that
// comes after the record, as for lseek; and the record's size. A size of 0 says
// that buf does not begin with a whole record.
func parseDirent64(buf []byte) (name []byte, kind byte, next int64, size int) {
	const (
		nextAt, sizeAt, kindAt, nameAt = 8, 16, 18, 19

		unit  = 8 // filldir64 pads a record to a multiple of it
		least = 24
	)
	if len(buf) < least {
		return nil, 0, 0, 0
	}
	size = int(binary.NativeEndian.Uint16(buf[sizeAt:]))
	if size < least || size%unit != 0 || size > len(buf) {
		return nil, 0, 0, 0
	}
	// So the NUL is among the last 8, and is the first one there. In the
	// shortest record, three of them come before the name.
	tail := binary.LittleEndian.Uint64(buf[size-unit : size])
	if size == least {
		tail |= 1<<24 - 1
	}
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	zeros := (tail - ones) &^ tail & highs // lowest bit set: the high one of the first zero byte
	end := size - unit + bits.TrailingZeros64(zeros)/8
	if zeros == 0 || end == nameAt {
		return nil, 0, 0, 0
	}
	return buf[nameAt:end:size], buf[kindAt], int64(binary.NativeEndian.Uint64(buf[nextAt:])), size
}

func isDots(name []byte) bool {
	return name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.')
}
