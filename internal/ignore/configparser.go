package ignore

import (
	"errors"
	"strings"
)

// A setting is one line of a git configuration file.
type setting struct {
	section string // the section's name: "core." or "section.subsection."; in lowercase except for the subsection
	name    string // in lowercase
	value   string
	bare    bool // there is no "=", so the value is true
}

// parseConfig parses a git configuration file (git-config(1), SYNTAX). It stops
// where git would report an error.
func parseConfig(data []byte) []setting {
	p := configParser{text: strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")}
	for p.next() == nil {
	}
	return p.settings
}

type configParser struct {
	text     string // not parsed yet
	section  string // ends in a dot
	settings []setting
}

var errConfig = errors.New("end of file, or a syntax error")

// next parses a section header, a setting, a comment or space.
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

// header parses [section] or [section "subsection"].
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

// setting parses "name = value", or "name".
func (p *configParser) setting() error {
	end := 0
	for end < len(p.text) && (p.text[end] == '-' || '0' <= p.text[end] && p.text[end] <= '9' ||
		'a' <= p.text[end]|0x20 && p.text[end]|0x20 <= 'z') {
		end++
	}
	s := setting{section: p.section, name: strings.ToLower(p.text[:end])}
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

// value parses the rest of the line. Unquoted comments, and unquoted space at
// the ends, are not part of the value.
func (p *configParser) value() (string, error) {
	p.text = strings.TrimLeft(p.text, " \t")
	var value strings.Builder
	kept, quoted := 0, false // kept: length of the value without space at its end
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
