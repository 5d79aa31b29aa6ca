package printer

import (
	"os/user"
	"strconv"
	"sync"
)

// owners has the names of users or groups that have been looked up. It is safe for
// concurrent use.
type owners struct {
	lookUp func(id string) (string, error)
	mu     sync.Mutex
	known  map[uint32]string
}

var (
	users = owners{known: make(map[uint32]string), lookUp: func(id string) (string, error) {
		u, err := user.LookupId(id)
		if err != nil {
			return "", err
		}
		return u.Username, nil
	}}
	groups = owners{known: make(map[uint32]string), lookUp: func(id string) (string, error) {
		g, err := user.LookupGroupId(id)
		if err != nil {
			return "", err
		}
		return g.Name, nil
	}}
)

// name returns the name of a user or group, or its number if it has none.
func (o *owners) name(id uint32) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if name, ok := o.known[id]; ok {
		return name
	}
	digits := strconv.FormatUint(uint64(id), 10)
	name, err := o.lookUp(digits)
	if err != nil {
		name = digits
	}
	o.known[id] = name
	return name
}

// nameOf is as name for the digits of a number, and returns what is none as it is.
func (o *owners) nameOf(digits []byte) []byte {
	id, err := strconv.ParseUint(string(digits), 10, 32)
	if err != nil {
		return digits
	}
	return []byte(o.name(uint32(id)))
}
