package du_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/du"
	"ldx/internal/format"
	"ldx/internal/property"
	"ldx/internal/walk"
)

// options count the length of files only, which is the same on all systems.
func options() du.Options { return du.Options{Apparent: true, Depth: walk.Unlimited, Files: true} }

func count(t *testing.T, opt du.Options, workers int, paths ...string) *du.Result {
	var roots []walk.Root
	for _, path := range paths {
		roots = append(roots, walk.Root{Path: path, Label: filepath.ToSlash(path)})
	}
	return du.Count(context.Background(), roots, walk.Options{
		Workers: workers, MaxDepth: walk.Unlimited, Hidden: true,
		Report: func(err error) { t.Error(err) },
	}, opt)
}

// write makes a file with a size in bytes, and the directories above it.
func write(t *testing.T, tree, name string, size int) {
	path := filepath.Join(tree, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, make([]byte, size), 0o644))
}

func plain(b, path, _ []byte, _ fs.FileMode) []byte { return append(b, path...) }

func lines(t *testing.T, r *du.Result) string {
	var b bytes.Buffer
	require.NoError(t, (&du.Lines{Style: du.Style{Path: plain}}).Write(&b, r))
	return b.String()
}

// The result is the same with any number of workers: the sum of the sizes that package os gives,
// with each file counted once, however many names it has.
func TestCount(t *testing.T) {
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d", seed)
	for i := range uint64(3) {
		tree := dirtest.TempDir(t)
		dirtest.Random(t, tree, seed+i)
		want := make(map[string]int64)
		var known []fs.FileInfo
		require.NoError(t, filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
			require.NoError(t, err)
			info, err := d.Info()
			require.NoError(t, err)
			if d.IsDir() {
				want[filepath.ToSlash(path)] += 0
				return nil
			}
			if r := rand.New(rand.NewPCG(seed, uint64(len(known)))); d.Type().IsRegular() && r.IntN(3) == 0 {
				_ = os.Link(path, filepath.Join(tree, fmt.Sprintf("zz-link%d", len(known))))
			}
			known = append(known, info)
			return nil
		}))
		first := lines(t, count(t, options(), 1, tree))
		for _, workers := range []int{2, 3, 16} {
			assert.Equal(t, first, lines(t, count(t, options(), workers, tree)))
		}
		total := int64(0)
		for _, info := range known {
			total += info.Size()
		}
		r := count(t, options(), 4, tree)
		assert.Equal(t, total, int64(r.Total.Bytes))
		for _, depth := range []int{0, 1, 3} {
			opt := options()
			opt.Depth, opt.Files = depth, false
			assert.Equal(t, r.Total, count(t, opt, 4, tree).Total)
		}
		opt := options()
		opt.EachLink, opt.Depth = true, 0
		assert.GreaterOrEqual(t, count(t, opt, 4, tree).Total.Bytes, r.Total.Bytes)
	}
}

// Files with names in several directories, claimed by many workers.
func TestClaims(t *testing.T) {
	tree := dirtest.TempDir(t)
	for i := range 300 {
		dirtest.Make(t, tree, fmt.Sprintf("d%03d/f%03d", i%20, i))
	}
	for i := range 300 {
		from := filepath.Join(tree, fmt.Sprintf("d%03d", i%20), fmt.Sprintf("f%03d", i))
		to := filepath.Join(tree, fmt.Sprintf("d%03d", (i+7)%20), fmt.Sprintf("link%03d", i))
		if err := os.Link(from, to); err != nil {
			t.Skip(err)
		}
	}
	want := lines(t, count(t, options(), 1, tree))
	for range 20 {
		require.Equal(t, want, lines(t, count(t, options(), 8, tree)))
	}
	r := count(t, options(), 8, tree)
	assert.Equal(t, uint64(300+20+1), r.Total.Entries)
}

// A sum that overflows is the largest number.
func TestSumsDoNotOverflow(t *testing.T) {
	tree := dirtest.TempDir(t)
	for i := range 3 {
		dirtest.Make(t, tree, fmt.Sprintf("d/f%d", i))
		if err := os.Truncate(filepath.Join(tree, "d", fmt.Sprintf("f%d", i)), math.MaxInt64-4096); err != nil {
			t.Skip(err)
		}
	}
	assert.Equal(t, uint64(math.MaxUint64), count(t, options(), 2, tree).Total.Bytes)
}

func TestGroups(t *testing.T) {
	tree := dirtest.TempDir(t)
	for name, size := range map[string]int{"a.go": 5, "B.GO": 3, "sub/c.tar.gz": 7, "sub/none": 2, ".hidden": 1, "dot.": 1} {
		write(t, tree, name, size)
	}
	for _, row := range []struct {
		by   *property.Grouping
		want string
	}{
		{du.GroupBy("ext", time.Time{}), "8\t2\tgo\n7\t1\tgz\n4\t3\t(none)\n0\t2\t(directories)\n"},
		{du.GroupBy("type", time.Time{}), "19\t6\tfile\n0\t2\tdirectory\n"},
		{du.GroupBy("age", time.Now()), "19\t6\tup to 1 day\n0\t2\t(directories)\n"},
		{du.GroupBy("age", time.Now().Add(-time.Hour)), "19\t6\tin the future\n0\t2\t(directories)\n"},
		{du.GroupBy("age", time.Now().Add(1000*time.Hour)), "19\t6\tup to 3 months\n0\t2\t(directories)\n"},
	} {
		opt := options()
		opt.Group, opt.Files = row.by, false
		r := count(t, opt, 2, tree)
		var b bytes.Buffer
		require.NoError(t, (&du.Lines{Style: du.Style{Path: plain}}).WriteGroups(&b, r, row.by))
		assert.Equal(t, row.want, b.String())
		b.Reset()
		require.NoError(t, du.WriteGroupsCSV(&b, r, row.by, false))
		rows, err := csv.NewReader(&b).ReadAll()
		require.NoError(t, err)
		assert.Len(t, rows, 1+strings.Count(row.want, "\n"))
	}
}

// Files with several names, and roots in other roots, count once in groups and among the biggest
// files too, under the name that counts.
func TestWhatCountsOnce(t *testing.T) {
	tree := dirtest.TempDir(t)
	write(t, tree, "a/b/f.go", 1000)
	write(t, tree, "a/g.c", 10)
	for i := range 20 {
		if err := os.Link(filepath.Join(tree, "a", "b", "f.go"), filepath.Join(tree, "a", fmt.Sprintf("link.e%02d", i))); err != nil {
			t.Skip(err)
		}
	}
	a, b := filepath.Join(tree, "a"), filepath.Join(tree, "a", "b")
	var first string
	for _, opt := range []du.Options{
		{Apparent: true, Depth: 0, Top: 5, Group: du.GroupBy("ext", time.Time{})},
		{Apparent: true, Depth: walk.Unlimited, Top: 5, Group: du.GroupBy("ext", time.Time{})},
	} {
		for _, roots := range [][]string{{a}, {a, b}, {a, b, a}, {a, filepath.Join(b, "f.go"), b}} {
			for range 5 {
				r := count(t, opt, 4, roots...)
				var sum du.Sum
				for _, s := range r.Groups {
					sum.Bytes += s.Bytes
					sum.Entries += s.Entries
				}
				assert.Equal(t, du.Sum{Bytes: 1010, Entries: 4}, sum)
				assert.Equal(t, sum, r.Total)
				require.Len(t, r.Files, 2)
				name := string(r.Files[0].AppendPath(nil))
				first = cmp.Or(first, name)
				assert.Equal(t, first, name)
			}
		}
	}
	opt := du.Options{Apparent: true, Top: 30, EachLink: true}
	for _, f := range count(t, opt, 2, a).Files {
		assert.FileExists(t, string(f.AppendPath(nil)))
	}
}

// The choice among files of the same size is the same each time.
func TestBiggestOfEqual(t *testing.T) {
	tree := dirtest.TempDir(t)
	for i := range 400 {
		write(t, tree, fmt.Sprintf("d%d/f%d", i%20, i), 100)
	}
	opt := du.Options{Apparent: true, Depth: walk.Unlimited, Top: 30}
	names := func(workers int) (all []string) {
		for _, f := range count(t, opt, workers, tree).Files {
			all = append(all, string(f.AppendPath(nil)))
		}
		return all
	}
	want := names(1)
	require.Len(t, want, 30)
	for range 10 {
		assert.Equal(t, want, names(8))
	}
}

// Directories in which nothing counts are not shown.
func TestMatching(t *testing.T) {
	tree := dirtest.TempDir(t)
	write(t, tree, "a/yes", 5)
	write(t, tree, "b/no", 5)
	opt := options()
	opt.Files = false
	opt.Match = func() func(*dir.Entry) (bool, error) {
		return func(e *dir.Entry) (bool, error) { return string(e.Name) == "yes", nil }
	}
	r := count(t, opt, 2, tree)
	var out bytes.Buffer
	require.NoError(t, (&du.Lines{Style: du.Style{Path: plain, Matching: true}}).Write(&out, r))
	assert.Equal(t, fmt.Sprintf("5\t%s/a\n5\t%[1]s\n", filepath.ToSlash(tree)), out.String())
	assert.Len(t, (&du.Style{Matching: true}).Biggest(r, 9), 2)
}

// Files that appear, grow and vanish meanwhile are not errors, and the rest counts.
func TestChangingTree(t *testing.T) {
	tree := dirtest.TempDir(t)
	for i := range 50 {
		write(t, tree, fmt.Sprintf("stays%d/file", i), 1000)
	}
	var churn sync.WaitGroup
	var stop atomic.Bool
	churn.Go(func() {
		for i := 0; !stop.Load(); i++ {
			sub := filepath.Join(tree, fmt.Sprintf("stays%d", i%50), "goes")
			_ = os.MkdirAll(filepath.Join(sub, "deep"), 0o755)
			_ = os.WriteFile(filepath.Join(sub, "deep", "f"), make([]byte, 1+i%1000), 0o644)
			_ = os.Link(filepath.Join(sub, "deep", "f"), filepath.Join(sub, "g"))
			if i%3 > 0 {
				_ = os.RemoveAll(sub)
			}
		}
	})
	for i := range 60 {
		opt := options()
		opt.EachLink = i%2 == 0
		r := count(t, opt, 4, tree)
		assert.GreaterOrEqual(t, r.Total.Bytes, uint64(50*1000))
		assert.Less(t, r.Total.Bytes, uint64(50*(1000+2*1000)))
	}
	stop.Store(true)
	churn.Wait()
}

// Programs can read what is written for them, whatever the names are.
func TestRecords(t *testing.T) {
	tree := dirtest.TempDir(t)
	write(t, tree, "plain", 1234)
	for _, name := range dirtest.WeirdNames() {
		if os.WriteFile(filepath.Join(tree, name), []byte("12"), 0o644) != nil {
			t.Logf("%q cannot be made here", name)
		}
	}
	opt := options()
	opt.Time = dir.ModTime
	r := count(t, opt, 2, tree)
	records := du.Records{Style: du.Style{Path: plain, Total: true}, Clock: dir.ModTime}
	var b bytes.Buffer
	require.NoError(t, records.WriteJSON(&b, r))
	objects, sum := 0, 0.0
	for decoder := json.NewDecoder(&b); ; objects++ {
		var o map[string]any
		err := decoder.Decode(&o)
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		assert.True(t, o["path"] != nil || o["path_b64"] != nil, o)
		_, err = time.Parse(time.RFC3339Nano, o["mtime"].(string))
		assert.NoError(t, err)
		if o["type"] == "file" {
			sum += o["size"].(float64)
		}
	}
	assert.Equal(t, float64(r.Total.Bytes), sum)
	b.Reset()
	require.NoError(t, records.WriteCSV(&b, r))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	assert.Len(t, rows, objects+1)
	assert.Equal(t, []string{"path", "type", "depth", "size", "entries", "mtime"}, rows[0])

	b.Reset()
	require.NoError(t, (&du.Treemap{Style: records.Style, Width: 500, Height: 400}).Write(&b, r))
	for decoder := xml.NewDecoder(&b); ; {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
}

// The rectangles of a treemap lie in that of their directory, do not overlap, and have areas in
// proportion to their sizes.
func TestTreemap(t *testing.T) {
	tree := dirtest.TempDir(t)
	for i, size := range []int{600, 600, 400, 300, 200, 200, 100} { // the paper's example
		require.NoError(t, os.WriteFile(filepath.Join(tree, fmt.Sprint("f", i)), make([]byte, size), 0o644))
	}
	r := count(t, options(), 1, tree)
	var b bytes.Buffer
	require.NoError(t, (&du.Treemap{Style: du.Style{Path: plain}, Width: 604, Height: 418}).Write(&b, r))
	type box struct {
		X      float64 `xml:"x,attr"`
		Y      float64 `xml:"y,attr"`
		Width  float64 `xml:"width,attr"`
		Height float64 `xml:"height,attr"`
		Title  string  `xml:"title"`
	}
	var svg struct {
		Boxes []box `xml:"rect"`
	}
	require.NoError(t, xml.Unmarshal(b.Bytes(), &svg))
	files := svg.Boxes[2:] // the first are the background, and the directory
	require.Len(t, files, 7)
	for i, one := range files {
		var size float64
		_, err := fmt.Sscan(one.Title[strings.LastIndexByte(one.Title, ' '):], &size)
		require.NoError(t, err)
		assert.InEpsilon(t, size/2400, one.Width*one.Height/(600*400), 0.01, one.Title)
		assert.Less(t, max(one.Width/one.Height, one.Height/one.Width), 3.0, one.Title)
		for _, other := range files[:i] {
			apart := one.X+one.Width <= other.X+0.2 || other.X+other.Width <= one.X+0.2 ||
				one.Y+one.Height <= other.Y+0.2 || other.Y+other.Height <= one.Y+0.2
			assert.True(t, apart, "%v %v", one, other)
		}
	}
}

// The names in a treemap are clipped to the rectangles, and cut so that no part of a size is left.
func TestTreemapLabels(t *testing.T) {
	tree := dirtest.TempDir(t)
	for i := range 60 {
		name := strings.Repeat([]string{"W", "i", "_", "日", "é"}[i%5], 1+i/2)
		require.NoError(t, os.WriteFile(filepath.Join(tree, fmt.Sprint(name, i)), make([]byte, 100*(60-i)), 0o644))
	}
	var b bytes.Buffer
	require.NoError(t, (&du.Treemap{Style: du.Style{Path: plain}, Width: 800, Height: 600}).Write(&b, count(t, options(), 1, tree)))
	type box struct {
		X      float64 `xml:"x,attr"`
		Y      float64 `xml:"y,attr"`
		Width  float64 `xml:"width,attr"`
		Height float64 `xml:"height,attr"`
		Title  string  `xml:"title"`
		Text   string  `xml:"text"`
	}
	var svg struct {
		Boxes  []box `xml:"rect"`
		Labels []box `xml:"svg"`
	}
	require.NoError(t, xml.Unmarshal(b.Bytes(), &svg))
	whole := 0
	for _, label := range svg.Labels {
		i := slices.IndexFunc(svg.Boxes, func(r box) bool { return r.X == label.X && r.Y == label.Y && r.Title != "" })
		if i < len(svg.Boxes)-1 && svg.Boxes[i+1].X == label.X && svg.Boxes[i+1].Y == label.Y {
			i++
		}
		r := svg.Boxes[i]
		assert.LessOrEqual(t, label.Width, r.Width, label.Text)
		assert.LessOrEqual(t, label.Height, r.Height, label.Text)
		base := r.Title[strings.LastIndexByte(r.Title, '/')+1:] // with the size
		name, _, _ := strings.Cut(base, " ")
		begin, cut := strings.CutSuffix(label.Text, "…")
		assert.True(t, label.Text == base || label.Text == name || label.Text == r.Title || cut && strings.HasPrefix(name, begin), label.Text)
		if label.Text == base {
			whole++
		}
	}
	assert.Greater(t, whole, 5)
	assert.Less(t, whole, len(svg.Labels))
}

// A view shows nodes of at least a hundredth of the total, as deep as there is room for, and
// always the roots.
func TestView(t *testing.T) {
	tree := dirtest.TempDir(t)
	write(t, tree, "r/a/deep/big", 5000)
	write(t, tree, "r/a/small", 3000)
	write(t, tree, "r/b/x", 1500)
	write(t, tree, "r/c/tiny", 20)
	write(t, tree, "empty/none", 0)
	opt := options()
	opt.Files, opt.Top = false, 10
	t.Chdir(tree)
	r := count(t, opt, 2, "r", "empty")
	show := func(v du.View) string {
		v.ASCII, v.Width = true, 40
		v.Path = plain
		v.Unit = format.Human
		var b bytes.Buffer
		require.NoError(t, v.Write(&b, r))
		return b.String()
	}
	names := func(text string) string {
		var all []string
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			all = append(all, fields[len(fields)-1])
		}
		return strings.Join(all, " ")
	}
	assert.Equal(t, `   9.3K 100.0% ######## r
   7.9K  84.0% #######  r/a
   1.5K  15.8% #        r/b
      0   0.0%          empty
`, show(du.View{Lines: 6}))
	assert.Equal(t, "r r/a r/a/deep r/a/small r/b r/b/x empty", names(show(du.View{Lines: 7})))
	assert.Equal(t, "r r/a r/a/deep r/a/deep/big r/a/small r/b r/b/x empty", names(show(du.View{})))
	assert.Equal(t, "r r/a r/a/deep r/a/deep/big r/a/small r/b r/b/x r/c r/c/tiny empty empty/none", names(show(du.View{All: true})))
	assert.Equal(t, `   9.3K 100.0% ######## r/
   7.9K  84.0% #######  |-- a/
   4.9K  52.5% ####     |   |-- deep/
   4.9K  52.5% ####     |   |   `+"`"+`-- big
   3.0K  31.5% ###      |   `+"`"+`-- small
   1.5K  15.8% #        `+"`"+`-- b/
   1.5K  15.8% #            `+"`"+`-- x
      0   0.0%          empty/
`, show(du.View{Tree: true}))
	assert.Equal(t, "r/ a/ deep/ big empty/", names(show(du.View{Tree: true, Lines: 5})))
	write(t, tree, "abcdefghijklmnopqrstuvwxyz", 10)
	whole := r
	r = count(t, opt, 2, "abcdefghijklmnopqrstuvwxyz")
	assert.Equal(t, "     10 100.0% ######## ...nopqrstuvwxyz\n", show(du.View{Lines: 9}), "as long as the screen is wide")
	write(t, tree, "日本語日本語日本語日本語", 10)
	r = count(t, opt, 2, "日本語日本語日本語日本語")
	assert.Equal(t, "     10 100.0% ######## ...日本語日本語\n", show(du.View{Lines: 9}), "each takes two columns")
	r = whole
	top := (&du.Style{}).Biggest(r, 2)
	assert.Equal(t, "r r/a", names(show(du.View{Style: du.Style{Only: top}})))
	assert.True(t, slices.IsSortedFunc(r.Files, func(a, b *du.Node) int { return int(b.Bytes) - int(a.Bytes) }))
}
