package printer

var AppendEscaped = appendEscaped

// Codes returns what the palette may write between ESC [ and m.
func (p *Palette) Codes() []string {
	var codes []string
	for _, list := range []map[string]string{p.kinds, p.suffixes} {
		for _, code := range list {
			codes = append(codes, code)
		}
	}
	return codes
}
