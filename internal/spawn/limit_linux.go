package spawn

import "os"

func systemSpace() int { return 0 }

// maxArgument returns the maximum length of an argument: 32 pages with its NUL
// (execve(2)).
func maxArgument() int { return 32*os.Getpagesize() - 1 }
