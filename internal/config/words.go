package config

import (
	"errors"
	"strings"
)

// Words splits a text as a shell splits a command line: at blanks, but not those in quotes or
// after a backslash. Nothing is expanded: *, ~ and $ stand for themselves.
func Words(text string) ([]string, error) { return split(text, false) }

// split splits a text into words. If comments is set, a # that begins a word ends the text.
func split(text string, comments bool) (words []string, err error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, errors.New("there is a NUL character, which no argument can have; remove it")
	}
	var word []byte
	inWord := false // which may be empty, as ''
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, string(word))
			}
			word, inWord = word[:0], false
			continue
		case c == '#' && comments && !inWord:
			return words, nil
		case c == '\'' || c == '"':
			n := quotedLen(text[i:])
			if n == 0 {
				return nil, errors.New("a quote " + string(c) + " is not closed; add another, or a backslash before it")
			}
			word = appendQuoted(word, text[i:i+n])
			i += n - 1
		case c == '\\' && i+1 == len(text):
			return nil, errors.New(`there is nothing after the backslash at the end; write it twice, or in quotes: '\'`)
		case c == '\\':
			i++
			word = append(word, text[i])
		default:
			word = append(word, c)
		}
		inWord = true
	}
	if inWord {
		words = append(words, string(word))
	}
	return words, nil
}

// quotedLen returns the length of the quotes at the beginning of a text, with what is between
// them; 0: the second is missing.
func quotedLen(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == text[0]:
			return i + 1
		case isEscape(text, i):
			i++
		}
	}
	return 0
}

// appendQuoted appends what is between the quotes that a text begins and ends with.
func appendQuoted(word []byte, text string) []byte {
	for i := 1; i < len(text)-1; i++ {
		if isEscape(text, i) {
			i++
		}
		word = append(word, text[i])
	}
	return word
}

// isEscape reports whether text[i] is a backslash before one of the characters that a shell lets it
// quote between the double quotes that begin the text.
func isEscape(text string, i int) bool {
	return text[i] == '\\' && text[0] == '"' && i+1 < len(text) && strings.IndexByte("$`\"\\", text[i+1]) >= 0
}
