package where_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/filter"
	"ldx/internal/where"
)

// entries calls f for each entry of a directory.
func entries(t testing.TB, path string, f func(e *dir.Entry)) {
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

// parse returns the Filter of an expression.
func parse(text string, opt where.Options) (*filter.Filter, error) {
	var tests filter.Options
	err := where.Add(&tests, text, opt)
	return filter.New(tests), err
}

// matches returns the names of the entries that an expression is true of.
func matches(t testing.TB, path, text string, opt where.Options) string {
	t.Helper()
	x, err := parse(text, opt)
	require.NoError(t, err, text)
	var names []string
	entries(t, path, func(e *dir.Entry) {
		ok, err := x.Match(e)
		require.NoError(t, err, text)
		if ok {
			names = append(names, string(e.Name))
		}
	})
	return strings.Join(names, " ")
}

func TestMeaning(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "It's.GO", "d/x")
	for text, want := range map[string]string{
		// and binds tighter than or, not tighter than and
		"ext = go or ext = c and ext = c":      "It's.GO",
		"(ext = go or ext = c) and ext = c":    "",
		"not ext = c and ext = c":              "",
		"NOT (ext = c) And Ext In (GO)":        "It's.GO",
		"not not not ext = c and type=f":       "It's.GO",
		`name = "It's.GO" `:                    "It's.GO",
		"name = 'It''s.GO'":                    "It's.GO",
		"\t(\n((type = f)))":                   "It's.GO",
		"name like *.[gG]O":                    "It's.GO",
		"name ~ '^it' ":                        "It's.GO",
		"name == its.go or name =~ S":          "",
		"name in (d, e)":                       "d",
		"name not in ( d , 'e' ) and type=dir": "",
		"size < 1 or size >= 0 and type = d":   "",
		"size != 5 and type = d":               "d", // what has no size is not of that size
		"btime < @-5 or target ~ .":            "",
		"perm=u=rwx,go=rx and type = d":        "d",
		"size = 0.007k":                        "It's.GO",
	} {
		if runtime.GOOS == "windows" && strings.Contains(text, "perm") { // which Windows has not
			continue
		}
		assert.Equal(t, want, matches(t, tree, text, where.Options{Now: time.Now()}), text)
	}
	assert.Empty(t, matches(t, tree, "ext = go", where.Options{CaseSensitive: true}))
	assert.Empty(t, matches(t, tree, "name like it*", where.Options{CaseSensitive: true}))
	assert.NotEmpty(t, matches(t, tree, "name like IT*", where.Options{IgnoreCase: true}))
	for _, text := range []string{"type = d and size >= 0", "type = d and (size >= 0 or ext = x)"} {
		for _, sizes := range []bool{false, true} {
			tests := filter.Options{DirSizes: sizes}
			require.NoError(t, where.Add(&tests, text, where.Options{}))
			f := filter.New(tests)
			found := false
			entries(t, tree, func(e *dir.Entry) {
				ok, err := f.Match(e)
				require.NoError(t, err)
				found = found || ok
			})
			assert.Equal(t, sizes, found, text)
		}
	}
}

// Errors are at the word that is wrong.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{ // the wrong word, and a part of the reason
		"sze > 1":                          "sze: there is no property",
		"":                                 ": give a test here",
		"ext = go or":                      ": give a test here",
		"(ext = go":                        "(: not closed",
		"ext = go)":                        `): there is no "("`,
		"ext = go ext = c":                 "ext: give and, or, or the end",
		"ext in go":                        "go: give a list",
		"ext in (go":                       "(: not closed",
		"ext in (go c)":                    "c: a comma",
		"ext in (go,)":                     "): give a value",
		"name ~ a(b)":                      "(: in quotes",
		"name ~ 'a(b'":                     "(: this is not a regular expression",
		"name = 'a":                        "': not closed",
		"name = a/b":                       "a/b: no name has a slash",
		"name < b":                         "<: is a text",
		"name":                             ": give one of",
		"name ! b":                         "!: give one of",
		"size > 1x":                        "1x: give a number with a unit",
		"size ~ 1":                         "~: is a number",
		"size in (1k, 2x, 3)":              "2x: give a number",
		"depth > -1":                       "-1: whole number",
		"mtime = 2d":                       "=: a time can be compared",
		"mtime < 2 days":                   "2: in quotes",
		"mtime < 2x":                       "2x: there is no unit",
		"type in (f, q)":                   "q: there is no type",
		"type > f":                         ">: can be compared with =",
		"user = 'no such user'":            "'no such user': there is no user",
		"mode = 9":                         "9: permission bits",
		"target = ''":                      "'': never empty",
		strings.Repeat("not ", 1001):       "not: more than 1000",
		strings.Repeat("(", 5000) + "x":    "(: more than 1000",
		"name ~ " + strings.Repeat("é", 3): "",
	} {
		_, err := parse(text, where.Options{Now: time.Now()})
		if want == "" {
			require.NoError(t, err)
			continue
		}
		wrong, ok := errors.AsType[*where.Error](err)
		require.True(t, ok, text)
		word, reason, _ := strings.Cut(want, ": ")
		assert.Equal(t, word, text[wrong.At:wrong.At+wrong.Len], text)
		assert.Contains(t, wrong.Error(), reason, text)
	}
}

// Hundreds of levels are compiled in no time.
func TestDeep(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "f")
	text := strings.Repeat("(name = f and not (size > 5 or ", 300) + "name = x" + strings.Repeat("))", 300)
	assert.Empty(t, matches(t, tree, text, where.Options{}))
}

// What Absent says of names is true of each of them, for random expressions.
func TestAbsent(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a.go", "b.c", "readme", "d/", "x.tar.gz")
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	absent := 0
	for range 2000 {
		text := randomText(r, 4)
		x, err := parse(text, where.Options{})
		require.NoError(t, err, text)
		entries(t, tree, func(e *dir.Entry) {
			if e.Type == fs.ModeDir || !x.Absent(append(bytes.Clone(e.Name), 0), true) {
				return
			}
			absent++
			ok, err := x.Match(e)
			require.NoError(t, err)
			require.False(t, ok, "%s: %s", e.Name, text)
		})
	}
	assert.NotZero(t, absent)
	for text, want := range map[string]bool{
		"ext = zig": true, "ext = zig or name = x": true, "ext = zig or size > 1": false, "ext = zig and size > 1": true,
		"not ext = zig": false, "type = d": true, "not (ext != zig)": true, "hidden": false,
	} {
		x, err := parse(text, where.Options{})
		require.NoError(t, err)
		assert.Equal(t, want, x.Absent([]byte("abc.go\x00b.h\x00"), true), text)
	}
}

func randomText(r *rand.Rand, depth int) string {
	if depth > 0 {
		switch r.IntN(5) {
		case 0:
			return "not " + randomText(r, depth-1)
		case 1:
			return fmt.Sprintf("(%s and %s)", randomText(r, depth-1), randomText(r, depth-1))
		case 2:
			return fmt.Sprintf("(%s or %s)", randomText(r, depth-1), randomText(r, depth-1))
		}
	}
	return [...]string{"ext = go", "ext in (c, gz)", "name like a*", "type = d", "type = f", "size > 3", "name ~ r", "depth = 1"}[r.IntN(8)]
}

// FuzzParse checks that an error is in the text, and that an expression is true where its
// opposite is not.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"ext in (go, c) and (size > 1M or mtime < 2d) and not hidden", "name = 'it''s'", `path like "**/a b/*"`, "((depth<3))", "user = 0",
		"mode = u=rw,go=r or perm = /222", "target =~ ^x", "uid in (0,1)", "mtime >= '2024-07-31 18:00'", "empty", "name !~ \xff", "ext = ''",
	} {
		f.Add(seed)
	}
	tree := dirtest.TempDir(f)
	dirtest.Make(f, tree, "a.go", "it's", "d/x", ".hidden =")
	require.NoError(f, os.Chtimes(filepath.Join(tree, "a.go"), time.Unix(1e9, 0), time.Unix(1e9, 0)))
	opt := where.Options{Now: time.Unix(1e9+7200, 0).UTC()}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := parse(text, opt)
		if err != nil {
			wrong, ok := errors.AsType[*where.Error](err)
			require.True(t, ok)
			require.NotEmpty(t, wrong.Reason)
			require.LessOrEqual(t, 0, min(wrong.At, wrong.Len))
			require.LessOrEqual(t, wrong.At+wrong.Len, len(text))
			return
		}
		opposite, err := parse("not\n("+text+")", opt)
		if err != nil {
			require.ErrorContains(t, err, "1000 parentheses")
			return
		}
		opposite.Along(dir.Everything)
		entries(t, tree, func(e *dir.Entry) {
			ok, err := x.Match(e)
			not, err2 := opposite.Match(e)
			if err == nil && err2 == nil {
				require.NotEqual(t, ok, not, "%s", e.Name)
			}
		})
	})
}
