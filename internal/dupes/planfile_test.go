//go:build !windows

// Absolute paths are others on Windows.

package dupes

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const examplePlan = `{"ldx_dupes_plan":1,"deed":"hard","roots":[{"path":"/r","device":1,"inode":2}],"groups":[{"size":3,
"sha256":"0000000000000000000000000000000000000000000000000000000000000000",
"keep":{"device":1,"inode":3,"mtime_ns":4,"ctime_ns":5,"allocated":6,"links":1,"names":[{"root":0,"path":"a/b"}]},
"change":[{"device":1,"inode":7,"mtime_ns":8,"ctime_ns":9,"allocated":10,"links":2,"names":[{"root":0,"path_b64":"eP8="},{"root":0}]}]}]}`

// TestPlan reads a plan, and has it written again.
func TestPlan(t *testing.T) {
	plan, err := ParsePlan([]byte(examplePlan))
	require.NoError(t, err)
	require.Len(t, plan.Groups, 1)
	copies := plan.Groups[0].Copies
	assert.Equal(t, Name{Path: "/r/a/b", Absolute: "/r/a/b", Folder: "a", Base: "b"}, copies[0].Names[0])
	assert.Equal(t, Name{Path: "/r/x\xff", Absolute: "/r/x\xff", Base: "x\xff"}, copies[1].Names[0])
	assert.Equal(t, Name{Path: "/r", Absolute: "/r", Base: "r", IsRoot: true}, copies[1].Names[1])
	assert.Equal(t, plan, rewritten(t, plan))
}

func rewritten(t *testing.T, plan *Plan) *Plan {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WritePlan(&b, plan.Deed, plan.Roots, slices.Values(plan.Groups)))
	again, err := ParsePlan(b.Bytes())
	require.NoError(t, err, b.String())
	return again
}

// TestForgedPlan has plans that lead elsewhere, or make no sense.
func TestForgedPlan(t *testing.T) {
	for _, tt := range []struct{ old, forged, want string }{
		{`"a/b"`, `"../b"`, "is no path below /r"},
		{`"a/b"`, `"a/../../b"`, "is no path below /r"},
		{`"a/b"`, `"/etc/passwd"`, "is no path below /r"},
		{`"a/b"`, `"a//b"`, "is no path below /r"},
		{`"a/b"`, `"a\u0000b"`, "is no path below /r"},
		{`"path":"/r"`, `"path":"r"`, "is no absolute path"},
		{`{"root":0,"path":"a/b"}`, `{"root":1,"path":"a/b"}`, "there is no root 1"},
		{`{"root":0,"path":"a/b"}`, `{"root":-1,"path":"a/b"}`, "there is no root -1"},
		{`{"root":0,"path":"a/b"}`, ``, "a file has no name"},
		{`"inode":7`, `"inode":3`, "the file that is kept is changed"},
		{`"deed":"hard"`, `"deed":""`, `there is no deed ""`},
		{`"deed":"hard"`, `"deed":"soft"`, `there is no deed "soft"`},
		{`plan":1`, `plan":2`, "version 2"},
		{`"size":3`, `"size":-3`, "missing"},
		{`"size":3`, `"sice":3`, "unknown field"},
		{`]}]}]}`, `]}]}]} {}`, "something after"},
	} {
		forged := strings.Replace(examplePlan, tt.old, tt.forged, 1)
		require.NotEqual(t, examplePlan, forged)
		_, err := ParsePlan([]byte(forged))
		assert.ErrorContains(t, err, tt.want, tt.forged)
	}
}

// FuzzPlan requires that no name leads out of its root, and that a plan is what is written of it.
func FuzzPlan(f *testing.F) {
	f.Add([]byte(examplePlan))
	f.Fuzz(func(t *testing.T, data []byte) {
		plan, err := ParsePlan(data)
		if err != nil {
			return
		}
		for _, g := range plan.Groups {
			require.NotEmpty(t, g.Change)
			require.NotContains(t, g.Change, g.Keep)
			for _, c := range g.Copies {
				for _, n := range c.Names {
					require.Contains(t, n.Absolute, plan.Roots[n.Root].Path)
					require.NotContains(t, strings.Split(n.Folder+"/"+n.Base, "/"), "..")
					require.NotContains(t, n.Folder+n.Base, "\x00")
				}
			}
		}
		if len(plan.Groups) > 0 {
			require.Equal(t, plan, rewritten(t, plan))
		}
	})
}
