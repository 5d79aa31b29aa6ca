package printer_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dir"
	"ldx/internal/dirtest"
	"ldx/internal/printer"
)

// printed returns what is printed for a directory's entries, sorted. follow is -L.
func printed(t *testing.T, tree, label string, r printer.Renderer, follow bool) string {
	t.Helper()
	var out bytes.Buffer
	p := printer.New(&out, r, printer.Options{})
	b := p.NewBuffer()
	entries(t, tree, label, func(e *dir.Entry) {
		if follow {
			require.NoError(t, e.Follow())
		}
		require.NoError(t, b.Add(e))
	})
	require.NoError(t, b.Flush())
	require.NoError(t, p.Close())
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestStyle(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "-x", "a b.c", "d/")
	words := func(text string) string {
		return strings.ReplaceAll(strings.Join(strings.Fields(text), "\n"), "_", " ")
	}
	for _, row := range []struct {
		style printer.Style
		label string
		want  string
	}{
		{printer.Style{Slash: printer.SlashNever}, "", "./-x a_b.c d"},
		{printer.Style{Slash: printer.SlashNever}, "p/q", "p/q/-x p/q/a_b.c p/q/d"},
		{printer.Style{Separator: "::"}, "p", "p::-x p::a_b.c p::d::"},
		{printer.Style{Separator: "/"}, "p", "p/-x p/a_b.c p/d/"},
	} {
		got := printed(t, tree, row.label, printer.NewLines(row.style, '\n'), false)
		assert.Equal(t, words(row.want), got, "%+v", row)
	}
	for _, row := range []struct {
		template string
		style    printer.Style
		label    string
		want     string
	}{
		{"<{/.}|{//}>", printer.Style{}, "p", "<-x|p> <a_b|p> <d|p>"},
		{"{}", printer.Style{}, "", "./-x a_b.c d"},
		{"{}", printer.Style{Slash: printer.SlashAlways}, "", "./-x a_b.c d/"},
		{"{}", printer.Style{Separator: "+"}, "p", "p+-x p+a_b.c p+d"},
		{"{depth}{type}", printer.Style{}, "p", "1directory 1file 1file"},
	} {
		r, err := printer.NewTemplate(row.template, row.style, '\n', nil)
		require.NoError(t, err)
		assert.Equal(t, words(row.want), printed(t, tree, row.label, r, false), "%+v", row)
	}
	style := printer.Style{Hyperlinks: true, Host: "host"}
	const link = "\x1b]8;;file://host/r/"
	assert.Equal(t, "file:///C:/r/a%20b.c", string(printer.AppendURL(nil, "", []byte("C:/r/a b.c"))))
	linked := printed(t, tree, "", printer.NewLines(style, '\n'), false)
	assert.Equal(t, link+"-x\x1b\\./-x\x1b]8;;\x1b\\\n"+link+"a%20b.c\x1b\\a b.c\x1b]8;;\x1b\\\n"+link+"d\x1b\\d/\x1b]8;;\x1b\\", linked)
}

// Characters that a terminal takes for commands, or does not show, are escaped.
func TestEscape(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such names")
	}
	for name, want := range map[string]string{
		"plain é 日本 🦀":  "plain é 日本 🦀",
		"tab\there":     "tab\there",
		"a\x1b[31mb":    `a\x1B[31mb`,
		"a\nb\rc\x7f":   `a\x0Ab\x0Dc\x7F`,
		"c1\u009bx":     `c1\x9Bx`,
		"rl\u202eo":     `rl\u{202E}o`,
		"is\u2066o":     `is\u{2066}o`,
		"zw\u200bs":     `zw\u{200B}s`,
		"ls\u2028ps":    `ls\u{2028}ps`,
		"bom\ufeff":     `bom\u{FEFF}`,
		"tag\U000e0041": `tag\u{E0041}`,
		"bad\xff\xc3(":  `bad\xFF\xC3(`,
		"\ufffd":        "\ufffd",
	} {
		tree := dirtest.TempDir(t)
		dirtest.Make(t, tree, name)
		assert.Equal(t, want, printed(t, tree, "", printer.NewLines(printer.Style{Escape: true}, '\n'), false), "%q", name)
		assert.Equal(t, "<"+want+">", printed(t, tree, "", printer.NewPathTemplate("<{}>", printer.Style{Escape: true}, '\n'), false), "%q", name)
	}
}

func TestPalette(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a.txt", "b.TAR.gz", "exe", "sub/", "open/", "l -> a.txt", "to -> sub", "no -> where", "plain")
	require.NoError(t, os.Chmod(filepath.Join(tree, "exe"), 0o755))
	require.NoError(t, os.Chmod(filepath.Join(tree, "open"), 0o777))
	require.NoError(t, os.Chmod(filepath.Join(tree, "sub"), 0o755|fs.ModeSticky))
	for _, row := range []struct {
		colours string
		follow  bool
		want    string // name:code
	}{
		{"", false, "a.txt b.TAR.gz exe:1;32 l:1;36 no:1;36 open:34;42 plain sub:37;44 to:1;36"},
		{"*.tar.gz=35:*.gz=36", false, "a.txt b.TAR.gz:36 exe:1;32 l:1;36 no:1;36 open:34;42 plain sub:37;44 to:1;36"}, // as ls: the last
		{"*.GZ=35:*.gz=36:*.tar.gz=37", false, "a.txt b.TAR.gz:37 exe:1;32 l:1;36 no:1;36 open:34;42 plain sub:37;44 to:1;36"},
		{"or=1;31:*.gz=31", false, "a.txt b.TAR.gz:31 exe:1;32 l:1;36 no:1;31 open:34;42 plain sub:37;44 to:1;36"},
		{"di=01;34", false, "a.txt b.TAR.gz exe:1;32 l:1;36 no:1;36 open:34;42 plain sub:37;44 to:1;36"},
		{"*.txt=35:*.gz=1:*.tar.gz=04:or=7:fi=90", false, "a.txt:35 b.TAR.gz:4 exe:1;32 l:1;36 no:7 open:34;42 plain:90 sub:37;44 to:1;36"},
		{"*.txt=35:ln=target:or=7", false, "a.txt:35 b.TAR.gz exe:1;32 l no:7 open:34;42 plain sub:37;44 to:37;44"},
		{"*.txt=35:ln=target:ln=5", false, "a.txt:35 b.TAR.gz exe:1;32 l:5 no:5 open:34;42 plain sub:37;44 to:5"},
		{"ex=0:ow=:st=00:tw=0", false, "a.txt b.TAR.gz exe l:1;36 no:1;36 open:1;34 plain sub:1;34 to:1;36"},
		{"*.txt=x;1:nonsense:=:*=:ln=\x1b", false, "a.txt b.TAR.gz exe:1;32 l:1;36 no:1;36 open:34;42 plain sub:37;44 to:1;36"},
		{"*.txt=35:or=7", true, "a.txt:35 b.TAR.gz exe:1;32 l no:7 open:34;42 plain sub:37;44 to:37;44"},
	} {
		var want []string
		for word := range strings.FieldsSeq(row.want) {
			name, code, ok := strings.Cut(word, ":")
			if ok {
				name = "\x1b[" + code + "m" + name + "\x1b[0m"
			}
			want = append(want, name)
		}
		slices.Sort(want)
		style := printer.Style{Palette: printer.NewPalette(row.colours), Slash: printer.SlashNever}
		assert.Equal(t, strings.Join(want, "\n"), printed(t, tree, "", printer.NewLines(style, '\n'), row.follow), "%+v", row)
	}
	style := printer.Style{Palette: printer.NewPalette("di=1:*.txt=35"), Separator: "++"}
	assert.Contains(t, printed(t, tree, "p/q", printer.NewLines(style, '\n'), false), "\x1b[1mp++q++\x1b[0m\x1b[35ma.txt\x1b[0m\n")
}

// What matches is underlined, in parents too if patterns match paths.
func TestMatched(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "ab.txt")
	find := func(what string) func([][2]int, []byte) [][2]int {
		return func(spans [][2]int, text []byte) [][2]int {
			for at := 0; ; {
				i := bytes.Index(text[at:], []byte(what))
				if i < 0 {
					return spans
				}
				spans = append(spans, [2]int{at + i, at + i + len(what)})
				at += i + len(what)
			}
		}
	}
	for _, row := range []struct {
		what, label, want string
		paths             bool
	}{
		{"b", "p", "<1>p/<0><35>a<0><35;4>b<0><35>.txt<0>", false},
		{"p", "p", "<1>p/<0><35>ab.txt<0>", false},
		{"t", "p", "<1>p/<0><35>ab.<0><35;4>t<0><35>x<0><35;4>t<0>", false},
		{"/a", filepath.Base(tree), "<1>" + filepath.Base(tree) + "<0><1;4>/<0><35;4>a<0><35>b.txt<0>", true},
		{"/a", "", "<35;4>a<0><35>b.txt<0>", true},
		{"zz", "p", "<1>p/<0><35>ab.txt<0>", true},
	} {
		style := printer.Style{Palette: printer.NewPalette("di=1:*.txt=35"), Matched: find(row.what), MatchPaths: row.paths}
		got := printed(t, tree, row.label, printer.NewLines(style, '\n'), false)
		got = strings.NewReplacer("\x1b[", "<", "m", ">", "\n", "").Replace(got)
		assert.Equal(t, row.want, got, "%+v", row)
	}
}

// Few results are held back and sorted by the elements of their paths. Many are written as they
// come.
func TestHold(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "b", "a", "a.c", "a-b/")
	var out bytes.Buffer
	p := printer.New(&out, plain, printer.Options{Hold: time.Hour})
	one, two := p.NewBuffer(), p.NewBuffer()
	for i, label := range []string{"z", "a", "a-b", "a/x"} {
		entries(t, tree, label, func(e *dir.Entry) { require.NoError(t, []*printer.Buffer{one, two}[i%2].Add(e)) })
	}
	require.NoError(t, one.Pause())
	require.NoError(t, two.Flush())
	assert.Empty(t, out.String())
	require.NoError(t, p.Close())
	assert.Equal(t, "a/a a/a-b/ a/a.c a/b a/x/a a/x/a-b/ a/x/a.c a/x/b a-b/a a-b/a-b/ a-b/a.c a-b/b z/a z/a-b/ z/a.c z/b",
		strings.Join(strings.Fields(out.String()), " "))

	out.Reset()
	p = printer.New(&out, plain, printer.Options{Hold: time.Hour})
	b := p.NewBuffer()
	n := 0
	for n <= 1000 {
		assert.Empty(t, out.String())
		entries(t, tree, "", func(e *dir.Entry) { n++; require.NoError(t, b.Add(e)) })
	}
	require.NoError(t, b.Flush())
	assert.Equal(t, n, strings.Count(out.String(), "\n"))
	require.NoError(t, p.Close())
	assert.Equal(t, n, strings.Count(out.String(), "\n"))
}

// Held results are written when the time is over.
func TestHoldEnds(t *testing.T) {
	tree := dirtest.TempDir(t)
	dirtest.Make(t, tree, "a")
	w := make(chan string)
	p := printer.New(chanWriter(w), plain, printer.Options{Hold: time.Millisecond})
	b := p.NewBuffer()
	done := make(chan error)
	go func() {
		entries(t, tree, "", func(e *dir.Entry) { assert.NoError(t, b.Add(e)) })
		done <- b.Flush()
	}()
	assert.Equal(t, "a\n", <-w)
	assert.NoError(t, <-done)
	assert.NoError(t, p.Close())
}

type chanWriter chan string

func (w chanWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

// FuzzPalette looks for a code that is more than numbers.
func FuzzPalette(f *testing.F) {
	f.Add("di=01;34:*.go=36:ln=target:*=0:=:x")
	f.Fuzz(func(t *testing.T, colours string) {
		for _, code := range printer.NewPalette(colours).Codes() {
			if strings.Trim(code, "0123456789;") != "" {
				t.Fatalf("%q has the code %q", colours, code)
			}
		}
	})
}
