package printer

import "fmt"

// appendURL appends the file URL of a path on a host, which may be "" (RFC 8089). A path that
// begins with a drive gets a slash before it.
func appendURL(b []byte, host string, path []byte) []byte {
	b = append(append(b, "file://"...), host...)
	if len(path) > 0 && path[0] != '/' {
		b = append(b, '/')
	}
	for _, c := range path {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '/', c == '-', c == '.', c == '_', c == '~', c == ':':
			b = append(b, c)
		default:
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return b
}
