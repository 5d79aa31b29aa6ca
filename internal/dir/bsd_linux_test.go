//go:build ldx_bsd

package dir

const tellsBirth = false // struct stat of Linux has none
