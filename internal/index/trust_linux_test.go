package index

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ldx/internal/dirtest"
)

// A file system that is not trusted proves nothing, unless it is trusted on request. That is
// kept when the recording is updated and written anew.
func TestTrustOnRequest(t *testing.T) {
	base := dirtest.TempDir(t)
	dirtest.Make(t, base, "lower/a/b/", "upper/", "work/", "root/")
	root := filepath.Join(base, "root")
	options := strings.ReplaceAll("lowerdir=BASE/lower,upperdir=BASE/upper,workdir=BASE/work", "BASE", base)
	if err := unix.Mount("overlay", root, "overlay", 0, options); err != nil {
		t.Skip("cannot mount an overlay: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(root, 0)) })
	s := NewStore(filepath.Join(base, "ldx"))
	for _, trusts := range [][]string{nil, {"9p", "overlay"}, nil} {
		u, err := s.Update(root, trusts)
		require.NoError(t, err)
		record(t, u.w, root)
		_, err = u.Write(true)
		require.NoError(t, err)
		require.NoError(t, u.Close())
		if trusts != nil {
			rewrite(t, s, root)
			dirtest.Make(t, root, "new/")
		}
		rec := open(t, s, root)
		young, untrusted := rec.Unproved()
		assert.Zero(t, young)
		if trusts == nil && len(rec.snap.trusts) == 0 {
			assert.Equal(t, 3, untrusted)
			dirtest.Make(t, root, "more/")
			assert.Zero(t, heal(t, s, root), "searches add nothing of such file systems")
		} else {
			assert.Zero(t, untrusted)
			assert.Equal(t, []string{"9p", "overlay"}, rec.snap.trusts)
		}
	}
	all, read := compare(t, open(t, s, root), root, true)
	assert.Zero(t, read)
	assert.Equal(t, 5, all)
}
