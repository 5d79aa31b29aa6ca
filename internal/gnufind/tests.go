package gnufind

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ldx/internal/command"
	"ldx/internal/filter"
)

// addTest adds a test on metadata, or an option.
func (l *line) addTest(n node) error {
	switch n.word {
	case "-true", "-noleaf", "-warn", "-nowarn", "-ignore_readdir_race":
		return nil
	case "-type":
		return l.addTypes(n.args[0])
	case "-maxdepth", "-mindepth":
		return l.addDepth(n)
	case "-xdev", "-mount":
		l.flags = append(l.flags, "--one-file-system")
		return nil
	case "-follow":
		l.flags = append(l.flags, "-L")
		l.notes = append(l.notes, "-L enters each directory once")
		return nil
	case "-nouser":
		l.flags = append(l.flags, "--no-user")
		return nil
	case "-nogroup":
		l.flags = append(l.flags, "--no-group")
		return nil
	case "-readable", "-writable", "-empty":
		l.types = append(l.types, restriction(n.word))
		return nil
	case "-executable":
		if !slices.Contains(l.types, "f") {
			return fmt.Errorf("find's -executable has a counterpart in ldx only after -type f")
		}
		l.types = append(l.types, "x")
		return nil
	case "-xtype":
		if n.args[0] == "l" {
			l.types = append(l.types, "broken")
			return nil
		}
	}
	flags, err := l.attribute(n)
	l.flags = append(l.flags, flags...)
	return err
}

// restriction returns the letter of -t for a word.
func restriction(word string) string {
	return map[string]string{"-readable": "r", "-writable": "w", "-empty": "e", "-executable": "x"}[word]
}

// addTypes adds types, with commas between them.
func (l *line) addTypes(list string) error {
	for letter := range strings.SplitSeq(list, ",") {
		if len(letter) != 1 || !strings.Contains("bcdpfls", letter) {
			return noCounterpart("-type " + letter)
		}
	}
	if slices.ContainsFunc(l.types, func(t string) bool { return strings.ContainsAny(t[:1], "bcdpfls") }) {
		return fmt.Errorf("find's -type twice has no counterpart in ldx; -type f,d is any of them")
	}
	l.types = append(l.types, list)
	return nil
}

func (l *line) addDepth(n node) error {
	depth, err := strconv.Atoi(n.args[0])
	switch {
	case err != nil || depth < 0 || n.word == "-maxdepth" && depth == 0:
		return noCounterpart(shown([]string{n.word, n.args[0]}))
	case n.word == "-maxdepth":
		l.flags = append(l.flags, "-d", n.args[0])
	default:
		l.depth = l.depth || depth > 0
		if depth > 1 {
			l.flags = append(l.flags, "--min-depth", n.args[0])
		}
	}
	return nil
}

// addNegated adds a test on metadata that must not hold.
func (l *line) addNegated(n node) error {
	switch n.word {
	case "-type":
		for letter := range strings.SplitSeq(n.args[0], ",") {
			if len(letter) != 1 || !strings.Contains("bcdpfls", letter) {
				return noCounterpart("-type " + letter)
			}
			l.types = append(l.types, "!"+letter)
		}
		return nil
	case "-empty", "-readable", "-writable":
		l.types = append(l.types, "!"+restriction(n.word))
		return nil
	case "-executable":
		if slices.Contains(l.types, "f") {
			l.types = append(l.types, "!x")
			return nil
		}
	}
	flags, err := l.attribute(n)
	if err != nil {
		return err
	}
	if len(flags) != 2 || strings.HasSuffix(flags[0], "newer-than") || strings.HasPrefix(flags[1], "!") {
		return fmt.Errorf("find's ! before %s has no counterpart in ldx", n.word)
	}
	l.flags = append(l.flags, flags[0], "!"+flags[1])
	return nil
}

// attribute returns the flags for a test on metadata.
func (l *line) attribute(n node) ([]string, error) {
	if len(n.args) == 0 {
		return nil, noCounterpart(n.word)
	}
	value := n.args[0]
	switch n.word {
	case "-mtime", "-atime", "-ctime":
		return ages(n, 24*time.Hour, "d")
	case "-mmin", "-amin", "-cmin":
		return ages(n, time.Minute, "min")
	case "-newer":
		return []string{"--newer-than", value}, nil
	case "-anewer":
		return []string{"--accessed-newer-than", value}, nil
	case "-cnewer":
		return []string{"--status-changed-newer-than", value}, nil
	case "-fstype":
		return []string{"--fs-type", value}, nil
	case "-size":
		l.sizes = true
		return sizes(value)
	case "-perm":
		if _, _, err := filter.ParseMode(value); err != nil {
			return nil, noCounterpart(shown([]string{"-perm", value}))
		}
		return []string{"--perm", value}, nil
	case "-user", "-uid":
		return l.owner(n, value)
	case "-group", "-gid":
		return l.owner(n, ":"+value)
	case "-links", "-inum":
		return counts(n.word, value)
	case "-samefile":
		return []string{"--same-file", value}, nil
	}
	if clocks, ok := strings.CutPrefix(n.word, "-newer"); ok && len(clocks) == 2 {
		return newer(n.word, clocks, value)
	}
	return nil, noCounterpart(n.word)
}

// owner returns the flags for a user or a group. There can be one only: ldx uses the last -o.
func (l *line) owner(n node, value string) ([]string, error) {
	if i := slices.Index(l.flags, "-o"); i >= 0 || strings.ContainsAny(value[1:], ":!+-") {
		return nil, fmt.Errorf("find's %s %s here has no counterpart in ldx; -o takes USER:GROUP", n.word, command.ShellWord(n.args[0]))
	}
	return []string{"-o", value}, nil
}

// clockFlag returns, for the letter of a time, how its flags begin.
func clockFlag(letter byte) string {
	switch letter {
	case 'a':
		return "--accessed"
	case 'c':
		return "--status-changed"
	case 'B':
		return "--created"
	}
	return "--changed"
}

// ages returns the flags for -mtime and the like: find counts whole days, and drops the rest.
func ages(n node, unit time.Duration, name string) ([]string, error) {
	value := n.args[0]
	count, err := strconv.Atoi(strings.TrimLeft(value, "+-"))
	if err != nil || count > 100_000 || strings.Trim(value, "+-0123456789") != "" {
		return nil, noCounterpart(shown([]string{n.word, value}))
	}
	flag := clockFlag(n.word[1])
	ago := func(count int) string {
		then := time.Duration(count) * unit
		if now := time.Now(); name == "d" && !now.AddDate(0, 0, -count).Equal(now.Add(-then)) {
			return fmt.Sprint(count*24, "h") // clocks were changed meanwhile
		}
		return fmt.Sprint(count, name)
	}
	whole := 0 // minutes are not rounded
	if name == "d" {
		whole = 1
	}
	switch {
	case strings.HasPrefix(value, "-") && count > 0:
		return []string{flag + "-within", ago(count)}, nil
	case strings.HasPrefix(value, "+"):
		return []string{flag + "-before", ago(count + whole)}, nil
	case strings.HasPrefix(value, "-") || whole == 0:
		return nil, noCounterpart(shown([]string{n.word, value}))
	case count == 0:
		return []string{flag + "-within", ago(1)}, nil
	}
	return []string{flag + "-before", ago(count), flag + "-within", ago(count + 1)}, nil
}

// newer returns the flags for -newerXY.
func newer(word, clocks, value string) ([]string, error) {
	if clocks == "mm" {
		return []string{"--newer-than", value}, nil
	}
	date := len(value) > 4 && value[4] == '-' || strings.HasPrefix(value, "@") || strings.HasSuffix(value, " ago")
	if _, err := filter.ParseTime(value, time.Now()); err != nil || !date || clocks[1] != 't' {
		return nil, noCounterpart(shown([]string{word, value}))
	}
	return []string{clockFlag(clocks[0]) + "-within", value}, nil
}

// sizes returns the flags for -size, which rounds sizes up to whole units.
func sizes(value string) ([]string, error) {
	digits := strings.TrimLeft(value, "+-")
	unit := strings.TrimLeft(digits, "0123456789")
	count, err := strconv.ParseInt(strings.TrimSuffix(digits, unit), 10, 40)
	i := strings.Index("b c w k M G", unit)
	if unit == "" {
		i = 0
	}
	if err != nil || i < 0 || len(unit) > 1 || len(value) > len(digits)+1 {
		return nil, noCounterpart(shown([]string{"-size", value}))
	}
	of := func(count int64) string {
		switch unit {
		case "k", "M", "G":
			return fmt.Sprint(count, strings.ToLower(unit), "i")
		}
		return fmt.Sprint(count*map[string]int64{"c": 1, "w": 2}[unit]+count*map[string]int64{"": 512, "b": 512}[unit], "b")
	}
	switch {
	case value[0] == '+':
		return []string{"-S", "!-" + of(count)}, nil
	case value[0] == '-' && count == 0:
		return nil, noCounterpart(shown([]string{"-size", value}))
	case value[0] == '-':
		return []string{"-S", "-" + of(count-1)}, nil
	case count == 0:
		return []string{"-S", "0b"}, nil
	}
	return []string{"-S", "!-" + of(count-1), "-S", "-" + of(count)}, nil
}

// counts returns the flags for a number. In find +N is more than N; in ldx it is at least N.
func counts(word, value string) ([]string, error) {
	flag := map[string]string{"-links": "--links", "-inum": "--inode"}[word]
	sign := strings.TrimRight(value, "0123456789")
	n, err := strconv.ParseInt(value[len(sign):], 10, 63)
	switch {
	case err != nil || len(sign) > 1 || sign == "-" && n == 0:
		return nil, noCounterpart(shown([]string{word, value}))
	case sign == "+":
		return []string{flag, fmt.Sprint("+", n+1)}, nil
	case sign == "-":
		return []string{flag, fmt.Sprint("-", n-1)}, nil
	}
	return []string{flag, value}, nil
}
