package command

import "bytes"

// A Summary is help that fits one screen: the flags that people use most.
type Summary struct {
	Name, Title string
	Usage       []string // what comes after the name
	Flags       []SummaryFlag
	Examples    string
	More        string // where the rest is
}

// A SummaryFlag is a flag, and what it does in a few words.
type SummaryFlag struct{ Name, Text string }

// Help returns the text, with the flags of a command.
func (s Summary) Help(f *Flags) []byte {
	w := bytes.NewBufferString(s.Name + ": " + s.Title + "\n\n")
	prefix := "Usage: "
	for _, usage := range s.Usage {
		w.WriteString(prefix + s.Name + " " + usage + "\n")
		prefix = "       "
	}
	w.WriteString("\n")
	for _, flag := range s.Flags {
		writeFlag(w, f.Lookup(flag.Name), flag.Text)
	}
	w.WriteString("\nExamples:\n" + s.Examples + "\n" + s.More)
	return w.Bytes()
}
