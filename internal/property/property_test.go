package property_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/property"
)

// entries calls f for each entry of a directory.
func entries(t *testing.T, path string, f func(e *dir.Entry)) {
	t.Helper()
	r := dir.NewReader(0)
	defer r.Close()
	_, err := r.Open(dir.Root(path, "", 0))
	require.NoError(t, err)
	for {
		batch, err := r.Next()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
		for i := range batch {
			f(&batch[i])
		}
	}
}

// No name or alias is that of two properties.
func TestNames(t *testing.T) {
	for _, names := range [][]string{property.SortKeys(), property.Placeholders()} {
		sorted := slices.Sorted(slices.Values(names))
		assert.Len(t, slices.Compact(sorted), len(names))
		for _, name := range names {
			p := property.Get(name)
			require.NotNil(t, p, name)
			assert.Same(t, p, property.Get(p.Name))
			for _, alias := range p.Aliases {
				assert.Same(t, p, property.Get(alias))
			}
		}
	}
	for _, clock := range []dir.Fields{dir.ModTime, dir.AccessTime, dir.ChangeTime, dir.BirthTime} {
		assert.Equal(t, clock, property.Get(property.TimeName(clock)).Needs)
	}
	assert.Nil(t, property.Get("colour"))
}

// Keys of times compare as these do, whatever file systems have.
func TestTimesCompare(t *testing.T) {
	var times []time.Time
	for _, seconds := range []int64{-1 << 63, -62135596801, -62135596800, -1, 0, 1, 1 << 31, 1 << 40, 1<<63 - 1} {
		for _, nano := range []int64{0, 1, 999_999_999} {
			times = append(times, time.Unix(seconds, nano))
		}
	}
	mtime := property.Get("mtime")
	key := func(t time.Time) []byte { return mtime.AppendKey(nil, nil, &dir.Info{ModTime: t}) }
	none := key(time.Time{})
	for i, a := range times {
		ka := key(a)
		assert.Equal(t, 1, bytes.Compare(ka, none), "%v", a)
		whole, rest := mtime.CutKey(append(ka, "next"...))
		assert.Equal(t, ka, whole)
		assert.Equal(t, "next", string(rest))
		for j, b := range times {
			want := min(1, max(-1, i-j))
			assert.Equal(t, want, property.CompareTimes(a, b))
			assert.Equal(t, want, bytes.Compare(ka, key(b)), "%v, %v", a, b)
		}
	}
	assert.Equal(t, "-", string(property.AppendTime(nil, time.Time{}, time.UTC, time.RFC3339)))
	assert.Equal(t, "0001-01-01T00:00:00Z", string(property.AppendTime(nil, time.Unix(-62135596800, 0), time.UTC, time.RFC3339)))
	assert.Equal(t, "-9223372036854775808", string(property.AppendTime(nil, times[0], time.UTC, time.RFC3339)))
}

// Owners are in the order of their names, as they are shown.
func TestOwnersCompareByName(t *testing.T) {
	for _, name := range []string{"user", "group"} {
		p := property.Get(name)
		ids := []uint32{0, 1, 2, 8, 9, 33, 1000, 65534, 4_000_000_000, 12345}
		rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		type owner struct {
			name string
			key  []byte
		}
		var all []owner
		for _, id := range append(ids, ids...) {
			info := &dir.Info{User: id, Group: id}
			shown := p.AppendShown(nil, p.AppendRaw(nil, nil, info))
			all = append(all, owner{string(shown), p.AppendKey(nil, nil, info)})
		}
		p.Ranks(func(yield func([]byte) bool) {
			for _, o := range all {
				yield(o.key)
			}
		})
		for _, a := range all {
			for _, b := range all {
				assert.Equal(t, strings.Compare(a.name, b.name), bytes.Compare(a.key, b.key), "%s, %s", a.name, b.name)
			}
		}
	}
}

// Every mode looks as GNU find shows it.
func TestMode(t *testing.T) {
	tree := dirtest.TempDir(t)
	for mode := range 0o10000 {
		path := filepath.Join(tree, strconv.FormatInt(int64(mode), 8))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		bits := os.FileMode(mode & 0o777)
		for i, special := range []os.FileMode{os.ModeSticky, os.ModeSetgid, os.ModeSetuid} {
			if mode&(0o1000<<i) != 0 {
				bits |= special
			}
		}
		require.NoError(t, os.Chmod(path, bits))
	}
	out, err := exec.Command("find", tree, "-type", "f", "-printf", "%f %M %m\n").Output()
	if err != nil {
		t.Skip("GNU find: ", err)
	}
	want := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		name, mode, _ := strings.Cut(strings.TrimSpace(line), " ")
		want[name] = mode
	}
	entries(t, tree, func(e *dir.Entry) {
		info, err := e.Info(dir.Mode)
		require.NoError(t, err)
		shown := append(property.AppendMode(nil, info.Mode), ' ')
		shown = property.Get("perm").AppendRaw(shown, e, info)
		require.Equal(t, want[string(e.Name)], string(shown), "%s", e.Name)
	})
}
