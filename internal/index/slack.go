//go:build !ldx_noslack

package index

import "time"

// Slack is the default for Stamp.Stable. Kernels before Linux 6.13 update a directory's times
// every 1 to 10 ms, HFS+ every second.
const Slack = 3 * time.Second
