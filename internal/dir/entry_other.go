//go:build !windows && !darwin

package dir

// A sysEntry is empty: the listing gives only a name and a type.
type sysEntry struct{}

func (sysEntry) hidden() bool    { return false }
func (sysEntry) remote() bool    { return false }
func (sysEntry) automount() bool { return false }
func (sysEntry) served() bool    { return false }

// LinksByOpening reports whether an entry's Links can only be read by opening it.
const LinksByOpening = false

func fetchRemote(bool) {}
