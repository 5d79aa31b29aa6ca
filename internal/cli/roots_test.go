package cli

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
)

// A volume that is mounted below a root is left out of it, and is not if it is a root
// or contains one.
func TestExceptVolume(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its paths have drives")
	}
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "System/Volumes/Data/x", "System/Data/x", "Volumes/Data/x")
	volume := tree + "/System/Volumes/Data"
	for root, want := range map[string]string{
		"": volume, "/System": volume, "/System/Volumes": volume, "/Volumes": "", "/System/Volumes/Data": "", "/Sys": "",
	} {
		except := exceptVolume([]string{"/elsewhere", tree + root}, volume)
		if want == "" && except == nil {
			continue
		}
		var got []string
		listDirs(t, tree+root, func(e *dir.Entry) {
			if except(e) {
				got = append(got, e.Path())
			}
		})
		if want == "" {
			assert.Empty(t, got, root)
		} else {
			assert.Equal(t, []string{want}, got, root)
		}
	}
	assert.Nil(t, exceptVolume([]string{"/home", "/System/Volumes/Data/x"}, dataVolume))
	assert.NotNil(t, exceptVolume([]string{"/"}, dataVolume))
}

// listDirs visits all directories below a root, which is the second.
func listDirs(t *testing.T, root string, visit func(*dir.Entry)) {
	t.Helper()
	if _, err := os.Stat(root); err != nil {
		return
	}
	r := dir.NewReader(0)
	defer r.Close()
	refs := []dir.Ref{dir.Root(root, root, 1)}
	for len(refs) > 0 {
		_, err := r.Open(refs[0])
		require.NoError(t, err)
		refs = refs[1:]
		for {
			batch, err := r.Next()
			if err != nil {
				break
			}
			for i := range batch {
				if e := &batch[i]; e.Type.IsDir() {
					visit(e)
					refs = append(refs, e.Ref())
				}
			}
		}
	}
}
