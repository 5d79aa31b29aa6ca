//go:build !unix && !windows

package cli

import "os"

func catchBrokenPipe() {}

func isBrokenPipe(error) bool { return false }

// isTerminal takes any device for a terminal.
func isTerminal(f *os.File) bool {
	fi, err := f.Stat()
	return err == nil && fi.Mode()&os.ModeCharDevice != 0
}

func terminalSize(*os.File) (height, width int) { return usualHeight, usualWidth }

// descriptorLimit returns more than anybody needs: there is no limit on handles.
func descriptorLimit() int { return 1 << 20 }

func enableColours(*os.File) bool { return true }
