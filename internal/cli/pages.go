package cli

import (
	_ "embed"
	"slices"

	"ldx/internal/command"
	"ldx/internal/process"
)

// The prose of the manual pages, in the form of command.Page.Sections. README links to the
// Markdown in cmd/ldx that is made of it.
var (
	//go:embed pages/ldx.md
	findSections string
	//go:embed pages/ldx-du.md
	duSections string
	//go:embed pages/ldx-dupes.md
	dupesSections string
	//go:embed pages/ldx-hash.md
	hashSections string
	//go:embed pages/ldx-index.md
	indexSections string
	//go:embed pages/ldx-bench.md
	benchSections string
)

// pageDate is the date of the manual pages.
const pageDate = "2026-11-22"

// A manual is a manual page.
type manual struct {
	of    string // the subcommand; "": the search
	page  command.Page
	flags []*command.Flags
}

// manuals returns all manual pages.
func manuals() []manual {
	_, find := findCommand(new(int))
	_, du := duCommand(new(int))
	_, dupes := dupesCommand(new(int))
	_, hash := hashCommand(new(int))
	_, index := indexCommand(new(int))
	return []manual{
		{"", findPage(), []*command.Flags{find}},
		{"du", duPage(), []*command.Flags{du}},
		{"dupes", dupesPage(), []*command.Flags{dupes}},
		{"hash", hashPage(), []*command.Flags{hash}},
		{"index", indexPage(), []*command.Flags{index}},
		{"bench", benchPage(), benchFlagSets()},
	}
}

// manualOf returns the manual page of a subcommand.
func manualOf(of string) (m manual, ok bool) {
	all := manuals()
	i := slices.IndexFunc(all, func(m manual) bool { return m.of == of })
	if i < 0 {
		return m, false
	}
	return all[i], true
}

// name returns what man knows the page by.
func (m manual) name() string {
	if m.of == "" {
		return "ldx"
	}
	return "ldx-" + m.of
}

// roff returns the page in the language of man(7).
func (m manual) roff() []byte {
	version, _ := process.Build()
	return m.page.Manual(version, pageDate, m.flags...)
}
