//go:build !unix

package process

import (
	"os"
	"syscall"
)

func deadly() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

func suspend(os.Signal) bool { return false }
