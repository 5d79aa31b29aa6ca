//go:build !(amd64 || arm64 || ppc64le || riscv64 || s390x) && !ldx_bsd && !ldx_fallback

package dir

import "golang.org/x/sys/unix"

const hasFstatat = false

func (*sysReader) fstatat(int, []byte) (Stamp, unix.Errno) { return Stamp{}, unix.ENOSYS }
