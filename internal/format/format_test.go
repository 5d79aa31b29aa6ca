package format_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/format"
)

func TestTemplate(t *testing.T) {
	const windows = runtime.GOOS == "windows"
	for _, row := range []struct{ template, path, want string }{
		{"{}", "a/b.c", "a/b.c"},
		{"{/}", "a/b.c", "b.c"},
		{"{//}", "a/b.c", "a"},
		{"{.}", "a/b.c", "a/b"},
		{"{/.}", "a/b.c", "b"},
		{"{//}", "b", "."},
		{"{//}", "/b", "/"},
		{"{//}", "./b", "."},
		{"{.}", "./b.c", "b"},
		{"{.}", "/b.c", "/b"},
		{"{.}", "a.d/b", "a.d/b"},
		{"{/.}", "a/.bashrc", ".bashrc"},
		{"{/.}", "x.tar.gz", "x.tar"},
		{"{/.}", "x.", "x"},
		{"{}:{/} {}", "a/b", "a/b:b a/b"},
		{"{{}}", "a", "{}"},
		{"{{{}", "a", "{a"},
		{"{}}", "a", "{}"},
		{"{}}}", "a", "{}}"},
		{"{/}}", "a", "{/}"},
		{"}}{", "a", "}{"},
		{"{x}", "a", "{x}"},
		{"{ {}", "a", "{ a"},
		{"{/ {/}", "a/b", "{/ b"},
		{"", "a", ""},
		{"{}", "a\xff\nb", "a\xff\nb"},
		{"{} {/} {//} {.}", "a:x.c", map[bool]string{false: "a:x.c a:x.c . a:x", true: "a:x.c x.c a: a:x"}[windows]},
		{"{/} {//}", "a:/x.c", map[bool]string{false: "x.c a:", true: "x.c a:/"}[windows]},
	} {
		assert.Equal(t, row.want, string(format.Parse(row.template).Append(nil, []byte(row.path), "")), "%q of %q", row.template, row.path)
	}
}

func TestSeparator(t *testing.T) {
	path := []byte("a/b/c.d")
	assert.Equal(t, "x/a::b::c.d", string(format.Parse("x/{}").Append(nil, path, "::")))
	assert.Equal(t, "a+b", string(format.Parse("{//}").Append(nil, path, "+")))
	assert.Equal(t, "/x a/b", string(format.Separate([]byte("/x a/b"), "")))
	assert.Equal(t, "++x", string(format.Separate([]byte("/x"), "++")))
}

func TestPlaceholders(t *testing.T) {
	assert.True(t, format.Parse("a{}").Placeholders())
	assert.False(t, format.Parse("a{{}}").Placeholders())
}

// FuzzTemplate looks for a panic, and for a text without placeholders that grows.
func FuzzTemplate(f *testing.F) {
	f.Add("{}{/}{//}{.}{/.}{{}}", []byte("a/b.c"))
	f.Add("{", []byte("./"))
	f.Fuzz(func(t *testing.T, text string, path []byte) {
		template := format.Parse(text)
		got := string(template.Append(nil, path, ""))
		if again := string(template.Append([]byte("x"), path, "")); again != "x"+got {
			t.Fatalf("%q, but after x %q", got, again)
		}
		if !template.Placeholders() && len(got) > len(text) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
