package command

// Nearest returns the one of words that a mistyped word may have meant, or "".
func Nearest(word string, words []string) (best string) {
	changes := 3 // more make another word
	for _, w := range words {
		if d := distance(word, w); d < changes && d < len(word) {
			best, changes = w, d
		}
	}
	return best
}
