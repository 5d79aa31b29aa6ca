package state

import (
	"encoding/binary"
	"hash/crc32"
)

// LogHeaderSize is the length of the header of a log: magic 8, version 4, CRC-32C 4, id of the file
// that it is beside 8. Records follow, each in a frame.
const LogHeaderSize = 24

// LogHeader returns the header of a log beside the file with this id. magic has 8 letters.
func LogHeader(magic string, version uint32, id uint64) []byte {
	b := append(make([]byte, 0, LogHeaderSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	rest := binary.LittleEndian.AppendUint64(nil, id)
	b = binary.LittleEndian.AppendUint32(b, Checksum(b, rest))
	return append(b, rest...)
}

// FrameSize is the length of a frame without its payload: length of the payload 4, CRC-32C of that
// and the payload 4. The first record without the right CRC-32C ends a log.
const FrameSize = 8

// Frame returns the payload of the record that b begins with; nil if it is torn or damaged.
func Frame(b []byte) []byte {
	if len(b) < FrameSize {
		return nil
	}
	size := binary.LittleEndian.Uint32(b)
	if uint64(size) > uint64(len(b)-FrameSize) {
		return nil
	}
	p := b[FrameSize : FrameSize+size]
	if Checksum(b[:4], p) != binary.LittleEndian.Uint32(b[4:]) {
		return nil
	}
	return p
}

// AppendFrame appends the length and the CRC-32C that come before the payload p.
func AppendFrame(b, p []byte) []byte {
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(p)))
	return binary.LittleEndian.AppendUint32(append(b, size...), Checksum(size, p))
}

// Checksum returns the CRC-32C of the parts, one after the other.
func Checksum(parts ...[]byte) (sum uint32) {
	table := crc32.MakeTable(crc32.Castagnoli) // made at the first call
	for _, part := range parts {
		sum = crc32.Update(sum, table, part)
	}
	return sum
}
