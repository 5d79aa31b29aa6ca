//go:build !unix

package ignore

const openFlags = 0
