//go:build !ldx_noslack

package state

import "time"

// Slack is the age below which the times of a file or directory prove nothing about its content.
// Kernels before Linux 6.13 update these times every 1 to 10 ms, HFS+ every second.
const Slack = 3 * time.Second
