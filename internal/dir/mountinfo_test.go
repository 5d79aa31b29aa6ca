package dir

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseMounts(t *testing.T) {
	table := parseMounts([]byte(`22 27 0:21 / / rw,relatime - ext4 /dev/vda rw
36 35 98:0 /mnt1 /mnt/my\040disk\134 rw,noatime master:1 shared:7 - fuse.sshfs a:/b rw
37 22 0:41 / /net rw - autofs systemd-1 rw
38 22 0:42 / /home/me/nfs rw - nfs4 server:/ rw
39 22 0:43 / /proc rw - proc proc rw
40 22 0:44 / /odd rw - newfs none rw
a line that is cut
41 22 0:45 / /cut
`))
	assert.Equal(t, map[uint64]bool{22: true, 36: false, 37: false, 38: false, 39: true, 40: false}, table.local)
	assert.True(t, table.remote)
	for _, name := range []string{`my disk\`, "net", "nfs", "proc", "odd"} {
		assert.True(t, table.mounted(nil, []byte(name)), name)
	}
	for _, name := range []string{"mnt", "home", "me", "ne", "nett", "prod", "cut", "a"} {
		assert.False(t, table.mounted(nil, []byte(name)), name)
	}
	assert.True(t, table.mounted([]byte("me"), []byte("nfs")))
	assert.True(t, table.mounted([]byte(""), []byte("net")))
	assert.False(t, table.mounted([]byte("you"), []byte("nfs")))
	assert.False(t, parseMounts([]byte("22 27 0:21 / / rw - ext4 /dev/vda rw\n")).remote)
	assert.False(t, parseMounts(nil).mounted(nil, []byte("a")))
}

func FuzzParseMounts(f *testing.F) {
	f.Add([]byte("36 35 98:0 /mnt1 /mnt/a\\040b rw master:1 - fuse.x a:/b rw\n"))
	f.Add([]byte("1 2 3 4 \\777 6 -"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table := parseMounts(data)
		for name := range table.names {
			if !table.mounted(nil, []byte(name)) {
				t.Fatalf("%q is not among the names", name)
			}
		}
	})
}
