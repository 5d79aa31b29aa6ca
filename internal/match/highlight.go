package match

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode"
)

// A Highlighter finds the parts of a text that patterns match: to show them, not to decide. Of a
// glob these are the characters that it has, not those that its wildcards stand for. It knows no
// parts of patterns beyond regular expressions, nor of texts in another normal form. It is safe
// for concurrent use.
type Highlighter struct {
	patterns []string
	opt      Options
	compiled sync.Once
	parts    []*regexp.Regexp // of the patterns
}

// NewHighlighter returns a Highlighter of patterns that New takes. They are compiled when they
// are first needed. Of very many patterns it finds nothing.
func NewHighlighter(patterns []string, opt Options) *Highlighter {
	const maxPatterns = 100
	if len(patterns) > maxPatterns {
		patterns = nil
	}
	return &Highlighter{patterns: patterns, opt: opt}
}

// AppendSpans appends the start and the end of each part of text that one of the patterns matches,
// in order and without overlaps.
func (h *Highlighter) AppendSpans(spans [][2]int, text []byte) [][2]int {
	h.compiled.Do(h.compile)
	from := len(spans)
	for _, re := range h.parts {
		for _, found := range re.FindAllSubmatchIndex(text, -1) {
			const whole = 2 // indexes; those of groups follow
			if h.opt.Syntax == Glob {
				found = found[whole:]
			} else {
				found = found[:whole]
			}
			for pair := range slices.Chunk(found, 2) {
				if 0 <= pair[0] && pair[0] < pair[1] {
					spans = append(spans, [2]int{pair[0], pair[1]})
				}
			}
		}
	}
	return spans[:from+len(united(spans[from:]))]
}

// united sorts spans and makes one of those that overlap or touch.
func united(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	n := 0
	for _, s := range spans {
		if n > 0 && s[0] <= spans[n-1][1] {
			spans[n-1][1] = max(spans[n-1][1], s[1])
			continue
		}
		spans[n] = s
		n++
	}
	return spans[:n]
}

func (h *Highlighter) compile() {
	for _, pattern := range h.patterns {
		p, err := h.opt.parse(pattern)
		if err != nil || p.beyond != nil {
			continue
		}
		source := p.source
		switch {
		case p.literal != nil:
			source = p.literal.source()
		case isAll(p.tree):
			continue
		case h.opt.Syntax == Glob:
			source = literalGroups(p.tree).String()
		}
		if re, err := regexp.Compile(source); err == nil {
			h.parts = append(h.parts, re)
		}
	}
}

// source returns the literal as an expression of package regexp.
func (l *literal) source() string {
	source := regexp.QuoteMeta(l.text)
	if l.at&atStart != 0 {
		source = `\A` + source
	}
	if l.at&atEnd != 0 {
		source += `\z`
	}
	if l.fold {
		source = "(?i)" + source
	}
	return source
}

// literalGroups returns an expression with a group around each of its literals and sets.
func literalGroups(tree *syntax.Regexp) *syntax.Regexp {
	negated := tree.Op == syntax.OpCharClass && slices.Contains(tree.Rune, unicode.MaxRune) // [^/], [!a]
	if tree.Op == syntax.OpLiteral || tree.Op == syntax.OpCharClass && !negated {
		return &syntax.Regexp{Op: syntax.OpCapture, Sub: []*syntax.Regexp{tree}}
	}
	grouped := *tree
	grouped.Sub = nil
	for _, sub := range tree.Sub {
		grouped.Sub = append(grouped.Sub, literalGroups(sub))
	}
	return &grouped
}
