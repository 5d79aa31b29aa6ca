package printer

import (
	"bytes"
	"io/fs"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/property"
)

// A Palette has the colours of entries from LS_COLORS (dir_colors(5)). It is safe for
// concurrent use.
type Palette struct {
	kinds      map[string]string // codes by "di", "ln", ...
	suffixes   map[string]suffix // codes by suffix in lowercase
	lengths    []int             // of suffixes, each once
	linkTarget bool              // a link has the colour of its target
	files      dir.Fields        // that the colours of files depend on
	dirs       dir.Fields        // that the colours of directories depend on
}

// A suffix is the colour of names that end in it. If a name has several, the last in
// LS_COLORS counts, as in ls.
type suffix struct {
	code  string
	order int // place in LS_COLORS
}

// defaults are the colours of ls for the kinds that LS_COLORS does not name.
var defaults = [...]struct{ kind, code string }{
	{"di", "1;34"},
	{"ln", "1;36"},
	{"pi", "33"},
	{"so", "1;35"},
	{"bd", "1;33"},
	{"cd", "1;33"},
	{"ex", "1;32"},
	{"su", "37;41"},
	{"sg", "30;43"},
	{"tw", "30;42"},
	{"ow", "34;42"},
	{"st", "37;44"},
}

// NewPalette reads the value of LS_COLORS. Kinds that it does not name have the colours of ls.
// Invalid parts are ignored.
func NewPalette(value string) *Palette {
	p := &Palette{kinds: make(map[string]string), suffixes: make(map[string]suffix)}
	for _, d := range defaults {
		p.kinds[d.kind] = d.code
	}
	for at, entry := range strings.Split(value, ":") {
		key, code, ok := strings.Cut(entry, "=")
		code, valid := normalCode(code)
		if !ok || !valid && key != "ln" {
			continue
		}
		if end, ok := strings.CutPrefix(key, "*"); ok {
			p.suffixes[strings.ToLower(end)] = suffix{code, at}
		} else if key == "ln" && strings.HasSuffix(entry, "=target") {
			p.linkTarget = true
		} else if valid {
			p.kinds[key] = code
			p.linkTarget = p.linkTarget && key != "ln"
		}
	}
	p.learnNeeds()
	return p
}

// learnNeeds sets lengths, files and dirs: the system is asked only for what colours depend
// on.
func (p *Palette) learnNeeds() {
	seen := make(map[int]bool)
	longest := 0
	for end := range p.suffixes {
		seen[len(end)] = true
		longest = max(longest, len(end))
	}
	for n := 1; n <= longest; n++ {
		if seen[n] {
			p.lengths = append(p.lengths, n)
		}
	}
	for _, kind := range []string{"su", "sg", "ex"} {
		if hasModes && p.kinds[kind] != "" {
			p.files |= dir.Mode
		}
	}
	if p.kinds["mh"] != "" {
		p.files |= dir.Links
	}
	for _, kind := range []string{"tw", "ow", "st"} {
		if hasModes && p.kinds[kind] != "" {
			p.dirs |= dir.Mode
		}
	}
}

// normalCode returns an SGR code, numbers separated by semicolons, without leading zeros; ""
// if it changes nothing. ok is false if it is not an SGR code.
func normalCode(code string) (normal string, ok bool) {
	var numbers []string
	for number := range strings.SplitSeq(code, ";") {
		if strings.Trim(number, "0123456789") != "" || len(number) > 3 {
			return "", false
		}
		number = strings.TrimLeft(number, "0")
		if number == "" && len(numbers) == 0 {
			continue // a reset at the start changes nothing
		}
		if number == "" {
			number = "0"
		}
		numbers = append(numbers, number)
	}
	return strings.Join(numbers, ";"), true
}

// style returns the code for an entry.
func (p *Palette) style(e *dir.Entry) string {
	switch e.Type {
	case fs.ModeSymlink:
		return p.linkStyle(e)
	case fs.ModeDir:
		return p.dirStyle(e)
	case 0:
		return p.fileStyle(e)
	}
	return p.plainStyle(e.Name, e.Type)
}

// plainStyle returns the code for a name and a type, without asking the system.
func (p *Palette) plainStyle(name []byte, mode fs.FileMode) string {
	if mode == 0 {
		return p.nameStyle(name)
	}
	if i := property.TypeIndex(mode); i >= 0 {
		return p.kinds[property.Types[i].Colour]
	}
	return p.kinds["no"]
}

func (p *Palette) linkStyle(e *dir.Entry) string {
	if _, ok := p.kinds["or"]; ok || p.linkTarget {
		if broken, err := e.Broken(); broken && err == nil {
			return p.kinds["or"]
		}
	}
	if target := *e; p.linkTarget && target.Follow() == nil && target.Type != fs.ModeSymlink {
		return p.style(&target)
	}
	return p.kinds["ln"]
}

func (p *Palette) dirStyle(e *dir.Entry) string {
	if p.dirs != 0 {
		if info, err := e.Info(p.dirs); err == nil {
			sticky, open := info.Mode&fs.ModeSticky != 0, info.Mode&0o002 != 0
			switch {
			case sticky && open && p.kinds["tw"] != "":
				return p.kinds["tw"]
			case open && p.kinds["ow"] != "":
				return p.kinds["ow"]
			case sticky && p.kinds["st"] != "":
				return p.kinds["st"]
			}
		}
	}
	return p.kinds["di"]
}

func (p *Palette) fileStyle(e *dir.Entry) string {
	if code := p.kinds["ex"]; code != "" && !hasModes {
		if ok, err := e.May(dir.Execute); ok && err == nil {
			return code
		}
	}
	if p.files != 0 {
		if info, err := e.Info(p.files); err == nil {
			switch {
			case info.Mode&fs.ModeSetuid != 0 && p.kinds["su"] != "":
				return p.kinds["su"]
			case info.Mode&fs.ModeSetgid != 0 && p.kinds["sg"] != "":
				return p.kinds["sg"]
			case info.Mode&0o111 != 0 && p.kinds["ex"] != "":
				return p.kinds["ex"]
			case info.Links > 1 && p.kinds["mh"] != "":
				return p.kinds["mh"]
			}
		}
	}
	return p.nameStyle(e.Name)
}

func (p *Palette) nameStyle(name []byte) string {
	name, best := bytes.ToLower(name), suffix{order: -1}
	for _, n := range p.lengths {
		if n <= len(name) {
			if s, ok := p.suffixes[string(name[len(name)-n:])]; ok && s.order > best.order {
				best = s
			}
		}
	}
	if best.order >= 0 {
		return best.code
	}
	if code, ok := p.kinds["fi"]; ok {
		return code
	}
	return p.kinds["no"]
}
