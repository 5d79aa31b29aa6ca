package format_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
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

// fields are the placeholders {one}, {two:LAYOUT}, {3} and {ext} of tests.
func fields(name, layout string) (int, error) {
	switch {
	case name == "one" && layout == "":
		return 1, nil
	case name == "one":
		return 0, format.ErrLayout
	case name == "two" && layout != "wrong":
		return 2, nil
	case name == "two":
		return 0, errors.New("a wrong layout")
	case name == "3", name == "ext":
		return 3, nil
	case name == "4":
		return 0, errors.New("no fourth")
	}
	return 0, &format.UnknownError{Name: name}
}

func fill(b []byte, t *format.Template, path string) string {
	values := format.Values{Path: []byte(path), Field: func(b []byte, n int) []byte { return fmt.Append(b, n) }}
	return string(t.Fill(b, &values))
}

// What is no placeholder is an error in a line, and stands for itself in an argument.
func TestFields(t *testing.T) {
	const noLayout = "it has no layout; a width is such as :>10 or :<10"
	check := func(parse func(string, format.LookUp) (*format.Template, error), text, want string) {
		t.Helper()
		template, err := parse(text, fields)
		got := fill(nil, template, "a/b")
		if err != nil {
			got = err.Error()
		}
		assert.Equal(t, want, got, "%q", text)
	}
	for _, row := range []struct{ template, line, argument string }{
		{"{one} {two}", "1 2", "1 2"},
		{"{one:>3}|{one:<3}|{one:^4}|{two:x:^3}|", "  1|1  | 1  | 2 |", "  1|1  | 1  | 2 |"},
		{"{name:>5}{path:<4}.", "    ba/b .", "    ba/b ."},
		{"{three}", "there is no placeholder {three}; for the text give {{three}}", "{three}"},
		{"{{three}} {three}}", "{three} {three}", "{three} {three}"},
		{"{one:x}", "{one:x}: " + noLayout, "{one:x}"},
		{"{name:x}", "{name:x}: " + noLayout, "{name:x}"},
		{"{two:wrong}", "{two:wrong}: a wrong layout", "{two:wrong}: a wrong layout"},
		{"${one} $${name}", "$1 $$b", "${one} $${name}"},
		{"${}", "$a/b", "$a/b"},
		{`\t\n\0\\\x\`, "\t\n\x00\\\\x\\", `\t\n\0\\\x\`},
		{"{ one} {0} {10} {one two} {} {o-n}", "{ one} {0} {10} {one two} a/b {o-n}", "{ one} {0} {10} {one two} a/b {o-n}"},
		{"{3}{{3}}{3:>3}", "3{3}  3", "3{3}  3"},
		{"{ext}", "3", "3"}, // rather than a part of the path
		{"{4}", "{4}: no fourth", "{4}: no fourth"},
		{"$${3}", "$$3", "$${3}"},
		{"{one:>99999}", "{one:>99999}: " + noLayout, "{one:>99999}"},
	} {
		check(format.ParseLine, row.template, row.line)
		check(format.ParseArgument, row.template, row.argument)
	}
}

// FuzzFields looks for a panic, for a template whose text depends on what is before it, and for
// text without braces that changes.
func FuzzFields(f *testing.F) {
	f.Add("{one:>3}{two:x:<4}${one}{{}}\\t{/}", "a/b.c")
	f.Add("{one", "./")
	f.Add("{:>5}{}:", "\xff")
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, parse := range []func(string, format.LookUp) (*format.Template, error){format.ParseLine, format.ParseArgument} {
			template, err := parse(text, fields)
			if err != nil {
				continue
			}
			if got, again := fill(nil, template, path), fill([]byte("x"), template, path); again != "x"+got {
				t.Fatalf("%q, but after x %q", got, again)
			}
		}
		if strings.ContainsAny(text, "{}") {
			return
		}
		if plain, err := format.ParseArgument(text, fields); err != nil || fill(nil, plain, path) != text {
			t.Fatalf("%q became %q", text, fill(nil, plain, path))
		}
	})
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
