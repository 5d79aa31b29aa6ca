//go:build ignore

// Winestub writes a DLL that lets Go programs start under the Wine 8 of Debian
// 12, which lacks it: bcryptprimitives.dll with its one export ProcessPrng,
// forwarded to what Wine has, ADVAPI32.SystemFunction036 (RtlGenRandom).
//
//	go run .ci/winestub.go FILE
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
)

// The layout is that of the PE format specification: headers, then one section
// that holds the export directory.
const (
	fileAlign    = 0x200
	sectionAlign = 0x1000
	sectionRVA   = 0x1000
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run .ci/winestub.go FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], dll("bcryptprimitives.dll", "ProcessPrng", "ADVAPI32.SystemFunction036"), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func dll(name, export, target string) []byte {
	// The export directory and its three tables, then their strings. A function
	// whose address lies within the directory is a forwarder's name.
	const tables, strings = 40, 40 + 4 + 4 + 2
	nameAt := uint32(sectionRVA + strings)
	exportAt := nameAt + uint32(len(name)) + 1
	targetAt := exportAt + uint32(len(export)) + 1
	section := pack(
		uint32(0), uint32(0), uint32(0), nameAt,
		uint32(1), uint32(1), uint32(1), // first ordinal, functions, names
		uint32(sectionRVA+tables), uint32(sectionRVA+tables+4), uint32(sectionRVA+tables+8),
		targetAt, exportAt, uint16(0),
		[]byte(name+"\x00"+export+"\x00"+target+"\x00"),
	)
	size := uint32(len(section))

	dos := make([]byte, 64)
	copy(dos, "MZ")
	binary.LittleEndian.PutUint32(dos[60:], 64)
	const optionalSize = 112 + 16*8
	head := pack(
		dos, []byte("PE\x00\x00"),
		uint16(0x8664), uint16(1), uint32(0), uint32(0), uint32(0), uint16(optionalSize), uint16(0x2022), // a DLL for amd64
		uint16(0x20b), uint16(0), uint32(0), uint32(fileAlign), uint32(0), uint32(0), uint32(sectionRVA), // PE32+
		uint64(0x180000000), uint32(sectionAlign), uint32(fileAlign),
		uint16(6), uint16(0), uint16(0), uint16(0), uint16(6), uint16(0), uint32(0), // versions
		uint32(2*sectionAlign), uint32(fileAlign), uint32(0), uint16(3), uint16(0x0100),
		uint64(0x100000), uint64(0x1000), uint64(0x100000), uint64(0x1000), uint32(0), uint32(16), // stack, heap, directories
		uint32(sectionRVA), size, make([]byte, 15*8),
		[]byte(".edata\x00\x00"), size, uint32(sectionRVA), uint32(fileAlign), uint32(fileAlign),
		uint32(0), uint32(0), uint32(0), uint32(0x40000040), // data, readable
	)
	return append(padded(head), padded(section)...)
}

func pack(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func padded(b []byte) []byte {
	return append(b, make([]byte, (fileAlign-len(b)%fileAlign)%fileAlign)...)
}
