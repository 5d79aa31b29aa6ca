package property

import (
	"os/user"
	"strconv"
	"sync"
)

// owners looks up the names of users or groups, each once. It is safe for concurrent use.
type owners struct {
	lookUp func(id string) (string, error)
	mu     sync.Mutex
	known  map[uint32]string
}

var (
	users = owners{lookUp: func(id string) (string, error) {
		u, err := user.LookupId(id)
		if err != nil {
			return "", err
		}
		return u.Username, nil
	}}
	groups = owners{lookUp: func(id string) (string, error) {
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
	if o.known == nil {
		o.known = make(map[uint32]string)
	}
	o.known[id] = name
	return name
}
