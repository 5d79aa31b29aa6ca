//go:build ldx_bsd

package dir

const hasBirth = false // struct stat of Linux lacks it
