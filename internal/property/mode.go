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
