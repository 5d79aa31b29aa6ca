package index

import (
	"io/fs"
	"syscall"
)

func stampOfInfo(info fs.FileInfo) Stamp {
	sys := info.Sys().(*syscall.Stat_t)
	return Stamp{uint64(sys.Dev), sys.Ino, sys.Mtim.Nano(), sys.Ctim.Nano()}
}
