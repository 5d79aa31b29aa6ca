//go:build !windows && !darwin

package dir

// A sysEntry has nothing: the listing gives a name and a type.
type sysEntry struct{}

func (sysEntry) hidden() bool    { return false }
func (sysEntry) remote() bool    { return false }
func (sysEntry) automount() bool { return false }
func (sysEntry) served() bool    { return false }

// LinksByOpening says that an entry's Links cannot be had without opening it.
const LinksByOpening = false

func fetchRemote(bool) {}
