package spawn

import "os"

func systemSpace() int { return 0 }

// maxArgument returns how long a single argument may be: 32 pages with its NUL (execve(2)).
func maxArgument() int { return 32*os.Getpagesize() - 1 }
