package cli

import (
	"slices"
	"strings"

	"ldx/internal/filter"
)

// kindColours are the colours of the kinds of --type-group if LS_COLORS is not set. They are of the
// terminal's own palette, which can be read on its background.
var kindColours = [...][2]string{
	{"archive", "31"},
	{"audio", "36"},
	{"code", "32"},
	{"config", "33"},
	{"data", "33"},
	{"document", "33"},
	{"font", "35"},
	{"image", "35"},
	{"video", "35"},
}

// defaultColours returns the LS_COLORS to use if it is not set: those of ls, and others for what a
// broken link is, for kinds of files, for files that stand out and for those that do not matter.
func defaultColours() string {
	const important, unimportant = "1;33", "90"
	var b strings.Builder
	b.WriteString("or=1;31")
	add := func(colour, start, ends string) {
		for end := range strings.FieldsSeq(ends) {
			b.WriteString(":*" + start + end + "=" + colour)
		}
	}
	for _, kind := range filter.Kinds() {
		i := slices.IndexFunc(kindColours[:], func(k [2]string) bool { return k[0] == kind[0] })
		add(kindColours[i][1], ".", kind[1])
	}
	add("32", ".", "ts") // code more often than video
	add(important, "", "Makefile Dockerfile README README.md README.txt LICENSE")
	add(unimportant, "", ".aux .bak .class .dll .lock .log .o .obj .orig .part .pyc .rlib .swp .tmp ~")
	return b.String()
}
