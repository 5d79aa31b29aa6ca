package printer

var AppendEscaped = appendEscaped

// Codes returns what the palette may write between ESC [ and m.
func (p *Palette) Codes() []string {
	var codes []string
	for _, code := range p.kinds {
		codes = append(codes, code)
	}
	for _, s := range p.suffixes {
		codes = append(codes, s.code)
	}
	return codes
}
