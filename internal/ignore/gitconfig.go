package ignore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ldx/internal/glob"
)

// A setting is one line of a git configuration file.
type setting struct {
	key   string // section.name or section.subsection.name; but for the subsection in lowercase
	value string
	bare  bool // there was no "=": it is true
}

// gitConfig is what matters here of a repository's configuration.
type gitConfig struct {
	excludesFile *string // nil: not set
	ignoreCase   bool
	perTree      bool // extensions.worktreeConfig
	tooDeep      bool // files include each other without end: git would give up
}

// read reads the configuration in git's order (git-config(1), FILES): the last
// that sets something counts.
func (g *git) read(at *gitDir) gitConfig {
	var c gitConfig
	get := g.ig.opt.Getenv
	if system := get("GIT_CONFIG_SYSTEM"); !isTrue(get("GIT_CONFIG_NOSYSTEM")) {
		if system == "" {
			system = systemConfig()
		}
		g.include(&c, at, system, 0)
	}
	if global := get("GIT_CONFIG_GLOBAL"); global != "" {
		g.include(&c, at, global, 0)
	} else {
		if g.config != "" {
			g.include(&c, at, g.config+"config", 0)
		}
		if g.home != "" {
			g.include(&c, at, g.home+".gitconfig", 0)
		}
	}
	if at.own != "" {
		g.apply(&c, at, at.config, at.common+"config", 0)
		if c.perTree {
			g.apply(&c, at, at.perTree, at.own+"config.worktree", 0)
		}
	}
	n, _ := strconv.Atoi(get("GIT_CONFIG_COUNT"))
	for i := range n {
		key := get(fmt.Sprintf("GIT_CONFIG_KEY_%d", i))
		value := get(fmt.Sprintf("GIT_CONFIG_VALUE_%d", i))
		g.apply(&c, at, []setting{{key: strings.ToLower(key), value: value}}, "", 0)
	}
	return c
}

func systemConfig() string {
	if os.PathSeparator == '\\' {
		return `C:\Program Files\Git\etc\gitconfig`
	}
	return "/etc/gitconfig"
}

// include applies a file, if there is one. Those that all repositories share are
// read once.
func (g *git) include(c *gitConfig, at *gitDir, path string, depth int) {
	g.mu.Lock()
	settings, known := g.settings[path]
	if !known {
		data, _ := readRegular(path)
		settings = parseConfig(data)
		g.settings[path] = settings
	}
	g.mu.Unlock()
	g.apply(c, at, settings, path, depth)
}

// maxDepth is how deep inclusion goes (MAX_INCLUDE_DEPTH in git's config.c).
const maxDepth = 10

// apply applies the settings of the file at path.
func (g *git) apply(c *gitConfig, at *gitDir, settings []setting, path string, depth int) {
	for _, s := range settings {
		if c.tooDeep {
			return
		}
		switch s.key {
		case "core.excludesfile":
			file := g.expand(s.value)
			c.excludesFile = &file
		case "core.ignorecase":
			c.ignoreCase = s.bare || isTrue(s.value)
		case "extensions.worktreeconfig":
			c.perTree = s.bare || isTrue(s.value)
		default:
			condition, isInclude := strings.CutPrefix(s.key, "include")
			condition, isPath := strings.CutSuffix(condition, ".path")
			if !isInclude || !isPath || !g.holds(condition, at, path) {
				continue
			}
			if c.tooDeep = depth == maxDepth; c.tooDeep {
				return
			}
			file := g.expand(s.value)
			if !filepath.IsAbs(file) {
				file = filepath.Join(filepath.Dir(path), file)
			}
			g.include(c, at, file, depth+1)
		}
	}
}

// holds reports whether the condition of an include is true: "" or, for
// includeIf, "if." and what is in the quotes.
func (g *git) holds(condition string, at *gitDir, path string) bool {
	if condition == "" {
		return true
	}
	kind, pattern, _ := strings.Cut(strings.TrimPrefix(condition, "if."), ":")
	text := strings.TrimSuffix(at.own, "/")
	switch kind {
	case "onbranch":
		text = at.branch()
	case "gitdir", "gitdir/i":
		pattern = g.expand(pattern)
		if below, ok := strings.CutPrefix(pattern, "./"); ok {
			pattern = filepath.ToSlash(filepath.Dir(path)) + "/" + below
		} else if !filepath.IsAbs(pattern) {
			pattern = "**/" + pattern
		}
	default:
		return false
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	compiled, err := glob.Compile(pattern, glob.Options{Path: true, Fold: kind == "gitdir/i"})
	return err == nil && text != "" && compiled.Match([]byte(text))
}

// expand gives "~/" its meaning.
func (g *git) expand(path string) string {
	if below, ok := strings.CutPrefix(path, "~/"); ok && g.home != "" {
		return g.home + below
	}
	return path
}

// isTrue reports whether git takes a value for true.
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n != 0
}

// parseConfig reads a git configuration file (git-config(1), SYNTAX). Where git
// would give up, it ends.
func parseConfig(data []byte) []setting {
	p := configParser{text: strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")}
	for p.next() == nil {
	}
	return p.settings
}

type configParser struct {
	text     string // what is left
	section  string // ends in a dot
	settings []setting
}

var errConfig = errors.New("the end, or what git would not read")

// next reads a section's name, a setting, or what is between.
func (p *configParser) next() error {
	p.text = strings.TrimLeft(p.text, " \t\n\r")
	if p.text == "" {
		return errConfig
	}
	switch b := p.text[0]; {
	case b == '#' || b == ';':
		_, p.text, _ = strings.Cut(p.text, "\n")
		return nil
	case b == '[':
		return p.header()
	case 'a' <= b|0x20 && b|0x20 <= 'z':
		return p.setting()
	}
	return errConfig
}

// header reads [section] or [section "subsection"].
func (p *configParser) header() error {
	end := strings.IndexAny(p.text, "] \t\n")
	if end < 0 || p.text[end] == '\n' {
		return errConfig
	}
	p.section = strings.ToLower(p.text[1:end]) + "."
	rest := strings.TrimLeft(p.text[end:], " \t")
	if p.text[end] == ']' {
		p.text = rest[1:]
		return nil
	}
	if !strings.HasPrefix(rest, `"`) {
		return errConfig
	}
	var name strings.Builder
	for rest = rest[1:]; ; rest = rest[1:] {
		if rest == "" || rest[0] == '\n' {
			return errConfig
		}
		if rest[0] == '"' {
			break
		}
		if rest[0] == '\\' {
			if rest = rest[1:]; rest == "" || rest[0] == '\n' {
				return errConfig
			}
		}
		name.WriteByte(rest[0])
	}
	if !strings.HasPrefix(rest, `"]`) {
		return errConfig
	}
	p.section += name.String() + "."
	p.text = rest[2:]
	return nil
}

// setting reads "name = value", or "name".
func (p *configParser) setting() error {
	end := 0
	for end < len(p.text) && (p.text[end] == '-' || '0' <= p.text[end] && p.text[end] <= '9' ||
		'a' <= p.text[end]|0x20 && p.text[end]|0x20 <= 'z') {
		end++
	}
	s := setting{key: p.section + strings.ToLower(p.text[:end])}
	p.text = strings.TrimLeft(p.text[end:], " \t")
	switch {
	case p.text == "" || p.text[0] == '\n':
		s.bare = true
	case p.text[0] != '=':
		return errConfig
	default:
		p.text = p.text[1:]
		var err error
		if s.value, err = p.value(); err != nil {
			return err
		}
	}
	p.settings = append(p.settings, s)
	return nil
}

// value reads up to the end of the line. Spaces at its ends, and comments, are
// left out unless they are quoted.
func (p *configParser) value() (string, error) {
	p.text = strings.TrimLeft(p.text, " \t")
	var value strings.Builder
	kept, quoted := 0, false // without spaces at the end, there are so many bytes
	for {
		if p.text == "" || p.text[0] == '\n' {
			if quoted {
				return "", errConfig
			}
			return value.String()[:kept], nil
		}
		b := p.text[0]
		p.text = p.text[1:]
		switch {
		case (b == '#' || b == ';') && !quoted:
			_, p.text, _ = strings.Cut(p.text, "\n")
			return value.String()[:kept], nil
		case b == '"':
			quoted = !quoted
			kept = value.Len()
			continue
		case b == '\\':
			kept = value.Len()
			if p.text == "" {
				return value.String(), nil
			}
			escaped := strings.IndexByte("tbn\\\"\n", p.text[0])
			if escaped < 0 {
				return "", errConfig
			}
			p.text = p.text[1:]
			if escaped < 5 {
				value.WriteByte("\t\b\n\\\""[escaped])
				kept = value.Len()
			}
			continue
		}
		value.WriteByte(b)
		if quoted || b != ' ' && b != '\t' {
			kept = value.Len()
		}
	}
}
