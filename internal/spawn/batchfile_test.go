package spawn

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsBatchFile(t *testing.T) {
	for program, want := range map[string]bool{
		`C:\x\go.bat`: true, "a.CMD": true, "a.cmd. .": true, "a.exe": false, "bat": false, `a.bat\b`: false, "": false,
	} {
		assert.Equal(t, want, isBatchFile(program), program)
	}
}

func TestBatchFileLine(t *testing.T) {
	const start = `cmd.exe /e:ON /v:OFF /d /s /c "`
	for want, args := range map[string][]string{
		`"a b.bat"`:                    {"a b.bat"},
		`"x.bat" "a&calc" "" "c d"`:    {"x.bat", "a&calc", "", "c d"},
		`"x.bat" "^!(a)|<>" "ünï"`:     {"x.bat", "^!(a)|<>", "ünï"},
		`"x.bat" "dir\\" "a\b" "\\\\"`: {"x.bat", `dir\`, `a\b`, `\\`},
	} {
		line, err := batchFileLine(args[0], args[1:])
		assert.NoError(t, err)
		assert.Equal(t, start+want+`"`, line)
	}
	for _, bad := range []string{`a"&calc`, "%PATH%", "a\nb", "a\rb", "a\x00b"} {
		_, err := batchFileLine("x.bat", []string{"good", bad})
		assert.ErrorContains(t, err, "cmd.exe")
		_, err = batchFileLine(bad+".bat", nil)
		assert.ErrorContains(t, err, "cmd.exe")
	}
}

// FuzzBatchFileLine checks that every argument that is not refused stays in its
// own quotes.
func FuzzBatchFileLine(f *testing.F) {
	f.Add("a b", `c\`)
	f.Add(`"&calc`, "%x%")
	f.Fuzz(func(t *testing.T, a, b string) {
		line, err := batchFileLine("x.bat", []string{a, b})
		refused := strings.ContainsAny(a+b, "\"%\r\n\x00")
		if (err != nil) != refused {
			t.Fatalf("%q %q: %v", a, b, err)
		}
		if err == nil && strings.Count(line, `"`) != 8 {
			t.Fatalf("quotes in %s", line)
		}
	})
}
