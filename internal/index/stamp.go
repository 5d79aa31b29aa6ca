package index

import "time"

// A Stamp identifies a state of a directory's names. Two stamps are compared for equality,
// never for order: clocks are set back, and archives restore old times.
type Stamp struct {
	Device, Inode     uint64
	Modified, Changed int64 // mtime and ctime in nanoseconds
}

// Slack is the default for Stable. Kernels before Linux 6.13 update a directory's times every
// 1 to 10 ms, HFS+ every second.
const Slack = 3 * time.Second

// Stable reports whether the stamp was older than slack when the listing began. A younger one
// proves nothing: a change right after the listing may leave the same times.
func (s Stamp) Stable(began time.Time, slack time.Duration) bool {
	return max(s.Modified, s.Changed) < began.Add(-slack).UnixNano()
}
