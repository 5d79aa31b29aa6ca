//go:build unix && !aix

package index

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// stampOf returns the stamp of the directory at path.
func stampOf(t testing.TB, path string) Stamp {
	var st unix.Stat_t
	require.NoError(t, unix.Lstat(path, &st))
	return Stamp{Device: uint64(st.Dev), Inode: uint64(st.Ino), Modified: st.Mtim.Nano(), Changed: st.Ctim.Nano()}
}
