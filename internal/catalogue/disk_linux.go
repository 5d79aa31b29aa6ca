package catalogue

import (
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// A disk is what several readers share. It is locked while one reads from it, if it rotates.
type disk struct {
	sync.Mutex
	rotating bool
}

// disk returns the disk of a device.
func (c *Catalogue) disk(device uint64) *disk {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.disks[device]
	if d == nil {
		d = &disk{rotating: rotates(device)}
		c.disks[device] = d
	}
	return d
}

// rotates reports whether the kernel knows that a device is a rotating disk, or a part of one.
func rotates(device uint64) bool {
	at := fmt.Sprintf("/sys/dev/block/%d:%d/", unix.Major(device), unix.Minor(device))
	for _, queue := range []string{"queue/rotational", "../queue/rotational"} {
		if text, err := os.ReadFile(at + queue); err == nil {
			return text[0] == '1'
		}
	}
	return false
}
