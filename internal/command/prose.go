package command

import "strings"

// The prose of a page is Markdown of a few forms, with blank lines between them:
//
//	## Title                a section
//	- `code`: text          what something means
//	- text                  an item of a list
//	text with `code`        a paragraph
//	    code                an example: indented by at least two spaces
//
// A line that continues an item is indented.

type blockKind uint8

const (
	blockTitle blockKind = iota
	blockTerm            // text is what follows the term
	blockItem
	blockParagraph
	blockCode
)

// A block is a title, a paragraph, an item or an example.
type block struct {
	kind blockKind
	term string
	text string
}

// blocks returns the blocks of a prose.
func blocks(prose string) (list []block) {
	for paragraph := range strings.SplitSeq(strings.Trim(prose, "\n"), "\n\n") {
		switch {
		case strings.HasPrefix(paragraph, "## "):
			list = append(list, block{kind: blockTitle, text: paragraph[len("## "):]})
		case strings.HasPrefix(paragraph, "  "):
			list = append(list, block{kind: blockCode, text: outdent(paragraph)})
		case strings.HasPrefix(paragraph, "- "):
			for item := range strings.SplitSeq("\n"+paragraph, "\n- ") {
				if item != "" {
					list = append(list, newItem(item))
				}
			}
		case paragraph != "":
			list = append(list, block{kind: blockParagraph, text: paragraph})
		}
	}
	return list
}

func newItem(text string) block {
	text = strings.ReplaceAll(text, "\n  ", "\n")
	if term, meaning, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(text, "`") && strings.HasSuffix(term, "`") {
		return block{kind: blockTerm, term: term, text: meaning}
	}
	return block{kind: blockItem, text: text}
}

// outdent removes the spaces before the first line from all lines.
func outdent(text string) string {
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	return strings.ReplaceAll("\n"+text, "\n"+indent, "\n")[1:]
}
