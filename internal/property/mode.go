package property

import "io/fs"

// AppendMode appends a mode as ls shows it (POSIX, "ls", STDOUT): drwxr-sr-t.
func AppendMode(b []byte, mode fs.FileMode) []byte {
	text := [...]byte{typeLetter(mode), '-', '-', '-', '-', '-', '-', '-', '-', '-'}
	for i := range 9 {
		if mode&(1<<(8-i)) != 0 {
			text[1+i] = "rwx"[i%3]
		}
	}
	for _, special := range [...]struct {
		mode   fs.FileMode
		at     int
		letter string // with and without x
	}{{fs.ModeSetuid, 3, "sS"}, {fs.ModeSetgid, 6, "sS"}, {fs.ModeSticky, 9, "tT"}} {
		if mode&special.mode == 0 {
			continue
		}
		if text[special.at] == 'x' {
			text[special.at] = special.letter[0]
		} else {
			text[special.at] = special.letter[1]
		}
	}
	return append(b, text[:]...)
}

// permissions returns the bits of a mode that chmod changes, as chmod numbers them.
func permissions(mode fs.FileMode) uint64 {
	bits := uint64(mode.Perm())
	for i, special := range [...]fs.FileMode{fs.ModeSticky, fs.ModeSetgid, fs.ModeSetuid} {
		if mode&special != 0 {
			bits |= 0o1000 << i
		}
	}
	return bits
}
