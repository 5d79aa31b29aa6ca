package gnufind

import (
	"fmt"
	"slices"
	"strings"

	"ldx/internal/command"
)

func isAction(n node) bool {
	if n.op != isTest {
		return false
	}
	switch n.word {
	case "-print", "-print0", "-ls", "-printf", "-delete", "-exec", "-execdir", "-ok", "-okdir", "-quit", "-prune",
		"-fprint", "-fprint0", "-fprintf", "-fls":
		return true
	}
	return false
}

// addAction adds what is done with results.
func (l *line) addAction(n node) error {
	switch n.word {
	case "-quit":
		l.actions = append(l.actions, "-1")
		return nil
	case "-exec", "-execdir", "-ok", "-okdir":
		return l.addCommand(n.word, n.args)
	}
	if l.action != "" {
		return fmt.Errorf("find's %s after %s has no counterpart in ldx", n.word, l.action)
	}
	l.action = n.word
	switch n.word {
	case "-print":
	case "-print0":
		l.actions = append(l.actions, "-0")
	case "-ls":
		l.actions = append(l.actions, "-l")
	case "-printf":
		return l.addTemplate(n.args[0])
	case "-delete":
		l.addDelete()
	default:
		return noCounterpart(n.word)
	}
	return nil
}

// addCommand adds -exec or one like it. args ends in ; or +.
func (l *line) addCommand(word string, args []string) error {
	if l.action != "" && l.action != word {
		return fmt.Errorf("find's %s after %s has no counterpart in ldx", word, l.action)
	}
	end := len(args) - 1
	flag, words := "-x", slices.Clone(args[:end])
	if args[end] == "+" {
		flag = "-X"
	}
	inDir, asks := strings.HasSuffix(word, "dir"), strings.HasPrefix(word, "-ok")
	text := strings.Join(words, " ")
	switch {
	case !strings.Contains(text, "{}"):
		return fmt.Errorf("find's %s without {} has no counterpart in ldx, where each command gets a path", word)
	case strings.Contains(text, "{}}"): // which is no placeholder
		return fmt.Errorf("find's {} before a } has no counterpart in ldx")
	case inDir && flag == "-X":
		return fmt.Errorf("find's %s with + has no counterpart in ldx; end it with \\;", word)
	case l.action == "" && inDir:
		l.actions = append(l.actions, "--exec-dir")
	}
	if l.action == "" && asks {
		l.actions = append(l.actions, "--confirm")
		l.notes = append(l.notes, "--confirm asks on the terminal")
	}
	l.action = word
	if len(l.exec) > 0 {
		if l.exec[0] != flag {
			return fmt.Errorf("find's -exec with ; and with + in one line has no counterpart in ldx")
		}
		l.exec = append(l.exec, ";")
	}
	if last := len(words) - 1; last > 0 && words[last] == "{}" && !strings.Contains(strings.Join(words[:last], " "), "{}") {
		words = words[:last] // which is added anyway
	}
	for i, word := range words {
		parts := strings.Split(word, "{}")
		for j, part := range parts {
			parts[j] = strings.NewReplacer("{", "{{", "}", "}}").Replace(part)
		}
		words[i] = strings.Join(parts, "{}")
	}
	l.exec = slices.Concat(l.exec, []string{flag}, words)
	return nil
}

// addDelete adds --delete.
func (l *line) addDelete() {
	l.actions = append(l.actions, "--delete")
	l.notes = append(l.notes, "--delete asks first, --yes does not")
	if slices.Contains(l.types, "d") && slices.Contains(l.types, "e") {
		l.notes = append(l.notes, "directories that become empty by this are left; run it again for those")
	}
}

// addTemplate adds the format of -printf, if it is made of paths, names and sizes in lines.
func (l *line) addTemplate(format string) error {
	text, lines := strings.CutSuffix(format, `\n`)
	if !lines || strings.Contains(text, `\`) {
		return fmt.Errorf("find's -printf %s has no counterpart in ldx; see --format", command.ShellWord(format))
	}
	var b strings.Builder
	for rest := text; rest != ""; rest = rest[1:] {
		switch c := rest[0]; {
		case c == '%' && len(rest) > 1:
			rest = rest[1:]
			i := strings.IndexByte("pfs%", rest[0])
			if i < 0 {
				return fmt.Errorf("%%%c of find's -printf has no counterpart in ldx; see --format", rest[0])
			}
			if strings.HasPrefix(rest[1:], "}") && rest[0] != '%' { // {}} is no placeholder
				return fmt.Errorf("%%%c before a } of find's -printf has no counterpart in ldx", rest[0])
			}
			b.WriteString([]string{"{}", "{/}", "{size}", "%"}[i])
		case c == '{' || c == '}':
			b.WriteString(strings.Repeat(string(rest[0]), 2))
		default:
			b.WriteByte(c)
		}
	}
	l.actions = append(l.actions, "--format", b.String())
	return nil
}
