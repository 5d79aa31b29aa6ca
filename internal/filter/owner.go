package filter

import (
	"errors"
	"fmt"
	"os/user"
	"strconv"
	"strings"
)

// ParseOwner reads [!][USER][:[!][GROUP]], names or numbers. It returns the Attributes that must
// hold: none for an empty part.
func ParseOwner(value string) ([]Attribute, error) {
	owner, group, _ := strings.Cut(value, ":")
	if strings.Contains(group, ":") {
		return nil, errors.New("give USER, USER:GROUP or :GROUP, each perhaps with a ! before it")
	}
	var attributes []Attribute
	for _, part := range []struct {
		name   string
		lookUp func(string) (uint32, error)
		is     func(uint32) Attribute
	}{
		{owner, UserID, User},
		{group, GroupID, Group},
	} {
		name, not := Negated(part.name)
		if name == "" {
			continue
		}
		id, err := part.lookUp(name)
		if err != nil {
			return nil, err
		}
		a := part.is(id)
		if not {
			a = a.Not()
		}
		attributes = append(attributes, a)
	}
	return attributes, nil
}

// UserID returns the number of a user, given by name or number.
func UserID(name string) (uint32, error) {
	return idOf("user", name, func() (string, error) {
		u, err := user.Lookup(name)
		if err != nil {
			return "", err
		}
		return u.Uid, nil
	})
}

// GroupID returns the number of a group, given by name or number.
func GroupID(name string) (uint32, error) {
	return idOf("group", name, func() (string, error) {
		g, err := user.LookupGroup(name)
		if err != nil {
			return "", err
		}
		return g.Gid, nil
	})
}

func idOf(kind, name string, lookUp func() (string, error)) (uint32, error) {
	id, err := strconv.ParseUint(name, 10, 32)
	if err != nil {
		var digits string
		if digits, err = lookUp(); err == nil {
			id, err = strconv.ParseUint(digits, 10, 32)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("there is no %s %q; give names or numbers, such as 0 or root:0", kind, name)
	}
	return uint32(id), nil
}

var errMode = errors.New("give permission bits such as 644 or u=rw,go=r: exactly these; -644: at least these; /222: any of these")

// ParseMode reads [-/]MODE as find's -perm does: in octal or as for chmod (u=rw,go+r). It
// returns what Permissions takes.
func ParseMode(value string) (Comparison, uint32, error) {
	how := Equal
	switch {
	case strings.HasPrefix(value, "-"):
		how, value = AtLeast, value[1:]
	case strings.HasPrefix(value, "/"):
		how, value = AtMost, value[1:]
	}
	if bits, err := strconv.ParseUint(value, 8, 32); err == nil {
		if bits > 0o7777 {
			return 0, 0, errMode
		}
		return how, uint32(bits), nil
	}
	var bits uint32
	for clause := range strings.SplitSeq(value, ",") {
		var err error
		if bits, err = addClause(bits, clause); err != nil {
			return 0, 0, err
		}
	}
	return how, bits, nil
}

// addClause changes bits as one clause of chmod's syntax says: [ugoa]*[=+-][rwxst]*.
func addClause(bits uint32, clause string) (uint32, error) {
	at := strings.IndexAny(clause, "=+-")
	if at < 0 {
		return 0, errMode
	}
	who := uint32(0)
	for _, c := range clause[:at] {
		class, ok := map[rune]uint32{'u': 0o4700, 'g': 0o2070, 'o': 0o1007, 'a': 0o7777}[c]
		if !ok {
			return 0, errMode
		}
		who |= class
	}
	if at == 0 {
		who = 0o7777
	}
	what := uint32(0)
	for _, c := range clause[at+1:] {
		class, ok := map[rune]uint32{'r': 0o444, 'w': 0o222, 'x': 0o111, 's': 0o6000, 't': 0o1000}[c]
		if !ok {
			return 0, errMode
		}
		what |= class
	}
	if what&0o1000 != 0 {
		who |= 0o1000
	}
	switch clause[at] {
	case '=':
		return bits&^who | what&who, nil
	case '-':
		return bits &^ (what & who), nil
	}
	return bits | what&who, nil
}
