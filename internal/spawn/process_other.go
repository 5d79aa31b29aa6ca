//go:build !windows

package spawn

import "syscall"

// prepare returns program unchanged: a process gets its arguments as they are.
func prepare(program string, _ []string) (string, *syscall.SysProcAttr, error) {
	return program, nil, nil
}

func refuse(string, []byte) error { return nil }

func spaceFor(string) int { return space() }
