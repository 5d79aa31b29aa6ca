package printer

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

// A Shown is a path and its text.
type Shown struct{ Path, Text string }

// InOrder returns the results in trees in the order of their paths.
func InOrder(trees [][]Shown) []Shown {
	all := make([]*tree, len(trees))
	for i, results := range trees {
		all[i] = new(tree)
		for _, s := range results {
			all[i].add([]byte(s.Path), []byte(s.Text))
		}
	}
	var shown []Shown
	var text restored
	for _, it := range inOrder(all) {
		path := it.place.appendPrefix(nil)
		shown = append(shown, Shown{string(path) + string(it.text[:it.name]), string(text.of(it))})
	}
	return shown
}

// AppendURL is appendURL.
func AppendURL(b []byte, host string, path []byte) []byte { return appendURL(b, host, path) }

// CompareNatural is compareNatural.
func CompareNatural(a, b []byte) int { return compareNatural(a, b) }
