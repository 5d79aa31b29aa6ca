//go:build (linux && !ldx_fallback) || darwin || freebsd || netbsd || openbsd

package dir

import "golang.org/x/sys/unix"

func readlinkat(at int, name string, buf []byte) (int, error) { return unix.Readlinkat(at, name, buf) }
