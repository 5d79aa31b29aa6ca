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
			n := 0
			if word, n = quoted(word, text[i:]); n == 0 {
				return nil, errors.New("a quote " + string(c) + " is not closed; add another, or a backslash before it")
			}
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

// quoted appends what is between the quotes at the beginning of text to word. It returns the length
// with the quotes; 0: the second is missing. Between double quotes a backslash quotes one of
// the characters that a shell lets it quote there.
func quoted(word []byte, text string) (_ []byte, n int) {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return word, i + 1
		case c == '\\' && quote == '"' && i+1 < len(text) && strings.IndexByte("$`\"\\", text[i+1]) >= 0:
			i++
			word = append(word, text[i])
		default:
			word = append(word, c)
		}
	}
	return word, 0
}
