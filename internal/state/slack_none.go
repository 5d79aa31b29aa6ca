//go:build ldx_noslack

package state

// Slack is nothing in tests, whose trees are younger than any slack. Only a kernel that gives
// each change another time (Linux since 6.13, on ext4, xfs and btrfs) is right then.
const Slack = 0
