package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// An UnknownError means that no placeholder has a name.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return "there is no placeholder {" + e.Name + "}; for the text give {{" + e.Name + "}}"
}

// ErrLayout means that a placeholder has no layouts.
var ErrLayout = errors.New("it has no layout; a width is such as :>10 or :<10")

// A LookUp returns the number of the field {name:layout}, or {name} with the layout "". The name may
// be a digit but 0. The error is an *UnknownError if there is none, which is no error if the name is
// that of a part of the path, or says what is wrong with the layout.
type LookUp func(name, layout string) (n int, err error)

// A parser reads one template.
type parser struct {
	Template
	lookUp  LookUp // nil: there are no names
	line    bool   // the template is for lines, not for arguments
	literal strings.Builder
}

// Parse reads a template of paths alone.
func Parse(text string) *Template {
	p := parser{}
	_ = p.parse(text) // only names have errors
	return &p.Template
}

// ParseLine reads a template for lines, where \t \n \0 \\ stand for a tab, a newline, a NUL and a
// backslash. A name that is no placeholder's is an error.
func ParseLine(text string, lookUp LookUp) (*Template, error) {
	p := parser{lookUp: lookUp, line: true}
	err := p.parse(text)
	return &p.Template, err
}

// ParseArgument reads a template for an argument of a command. What other programs take for their
// own stands for itself: a name that is no placeholder's ({print}) or has no layouts
// ({name:.x}), names after a dollar sign (${name}) and backslashes.
func ParseArgument(text string, lookUp LookUp) (*Template, error) {
	p := parser{lookUp: lookUp}
	err := p.parse(text)
	return &p.Template, err
}

func (p *parser) parse(text string) error {
	for dollar := false; text != ""; {
		switch {
		case strings.HasPrefix(text, "{{"), strings.HasPrefix(text, "}}"):
			p.literal.WriteByte(text[0])
			text = text[2:]
			continue
		case p.line && text[0] == '\\' && len(text) > 1 && strings.IndexByte(escapes, text[1]) >= 0:
			p.literal.WriteByte(escaped[strings.IndexByte(escapes, text[1])])
			text = text[2:]
			continue
		}
		end := strings.IndexByte(text, '}') + 1
		found, is, err := part{}, false, error(nil)
		if text[0] == '{' {
			found, is, err = p.placeholder(text[:end], dollar)
		}
		dollar = text[0] == '$'
		switch {
		case !is:
			p.literal.WriteByte(text[0])
			text = text[1:]
		case strings.HasPrefix(text[end:], "}"): // "{}}" is "{}", for its } is escaped
			p.literal.WriteString(text[:end])
			text = text[end+1:]
		case err != nil:
			return err
		default:
			p.endLiteral()
			p.parts = append(p.parts, found)
			text = text[end:]
		}
	}
	p.endLiteral()
	return nil
}

// What may follow a backslash, and what it stands for.
const escapes, escaped = `tn0\`, "\t\n\x00\\"

func (p *parser) endLiteral() {
	if p.literal.Len() > 0 {
		p.parts = append(p.parts, part{text: p.literal.String()})
		p.literal.Reset()
	}
}

// placeholder returns the part for a text in braces. is is false if it is no placeholder, but a
// text. dollar says that it comes after a dollar sign.
func (p *parser) placeholder(text string, dollar bool) (found part, is bool, err error) {
	if found.fill = find(placeholders[:], text); found.fill != nil || p.lookUp == nil || len(text) < 2 {
		return found, found.fill != nil, nil
	}
	name, layout, _ := strings.Cut(text[1:len(text)-1], ":")
	if !isName(name) || dollar && !p.line {
		return found, false, nil
	}
	layout = found.cutWidth(layout)
	found.field, err = p.lookUp(name, layout)
	_, unknown := errors.AsType[*UnknownError](err)
	if unknown {
		if found.fill = find(pathNames[:], "{"+name+"}"); found.fill != nil {
			unknown, err = false, nil
			if layout != "" {
				err = ErrLayout
			}
		}
	}
	switch {
	case !p.line && (unknown || errors.Is(err, ErrLayout)):
		return found, false, nil
	case err != nil && !unknown:
		err = fmt.Errorf("%s: %w", text, err)
	}
	return found, true, err
}

// isName reports whether a placeholder could have this name.
func isName(name string) bool {
	if len(name) == 1 && '1' <= name[0] && name[0] <= '9' {
		return true
	}
	for i := range len(name) {
		if c := name[i] | 0x20; (c < 'a' || c > 'z') && name[i] != '_' && (i == 0 || name[i] < '0' || name[i] > '9') {
			return false
		}
	}
	return name != ""
}

// cutWidth returns a layout without the alignment and the width at its end, which it sets.
func (p *part) cutWidth(layout string) string {
	at := strings.LastIndexByte(layout, ':') + 1
	const maxWidth = 10_000
	if at == len(layout) || strings.IndexByte("<>^", layout[at]) < 0 {
		return layout
	}
	width, err := strconv.ParseUint(layout[at+1:], 10, 32)
	if err != nil || width > maxWidth {
		return layout
	}
	p.align, p.width = layout[at], int(width)
	return layout[:max(0, at-1)]
}
