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
	known  sync.Map // number -> name
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
	if name, ok := o.known.Load(id); ok {
		return name.(string)
	}
	digits := strconv.FormatUint(uint64(id), 10)
	name, err := o.lookUp(digits)
	if err != nil {
		name = digits
	}
	o.known.Store(id, name)
	return name
}
