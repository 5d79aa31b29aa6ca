//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !windows

package spawn

func space() int { return 32 << 10 }

func environment() int { return 0 }

func sizeOf(arg []byte) int { return len(arg) + 1 }

func maxArgument() int { return 0 }
