package catalogue

import (
	"maps"
	"os"
)

// A volume is what is known of the file system of a device.
type volume struct {
	id      uint64 // see identify; it stays the same when the file system is mounted again
	trusted bool   // it gives a file an inode number that stays, and another ctime with each change
}

// volume returns that of a device, which f is on.
func (c *Catalogue) volume(device uint64, f *os.File) volume {
	if v, ok := (*c.volumes.Load())[device]; ok {
		return v
	}
	v := identify(f, device)
	c.mu.Lock()
	defer c.mu.Unlock()
	known := maps.Clone(*c.volumes.Load())
	known[device] = v
	c.volumes.Store(&known)
	return v
}
