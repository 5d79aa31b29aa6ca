package term

import "bytes"

// AppendPlain appends text without its colours and hyperlinks: CSI and OSC sequences (ECMA-48),
// the latter ended by ST.
func AppendPlain(b, text []byte) []byte {
	for {
		at := bytes.IndexByte(text, 0x1b)
		if at < 0 || at+1 == len(text) {
			return append(b, text...)
		}
		b = append(b, text[:at]...)
		kind, rest := text[at+1], text[at+2:]
		end := 0
		switch kind {
		case '[':
			end = bytes.IndexFunc(rest, func(r rune) bool { return '@' <= r && r <= '~' }) + 1
		case ']':
			end = bytes.Index(rest, []byte("\x1b\\")) + len("\x1b\\")
		}
		text = rest[min(max(end, 0), len(rest)):]
	}
}
