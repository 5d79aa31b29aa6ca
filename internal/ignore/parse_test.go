package ignore

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// slowPattern reads a line one character at a time, as git does.
func slowPattern(line string) string {
	if strings.HasPrefix(line, "#") {
		return ""
	}
	line = strings.TrimSuffix(line, "\r")
	end := 0 // after the last character to keep
	for i := 0; i < len(line) && line[i] != 0; i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] != 0:
			i++
			end = i + 1
		case line[i] != ' ':
			end = i + 1
		}
	}
	return line[:end]
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"a\n!b/\n#c\n\\#d\n e \n", "\ufeffa\r\nb\\ \r\n\r\nc", "trail  \\ \\  \n", "a\x00b\n[\n\\\n!\n/\n//\n", "**/a[]b]*/**\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
		bad := map[int]bool{}
		file := parse("f", data, false, func(err error) {
			var line *LineError
			require.ErrorAs(t, err, &line)
			bad[line.Line] = true
			require.Equal(t, slowPattern(lines[line.Line-1]), line.Pattern)
		})
		good := map[int]rule{}
		for _, r := range file.rules {
			good[r.line] = r
		}
		for i, line := range lines {
			pattern := slowPattern(line)
			r, ok := good[i+1]
			switch strings.TrimPrefix(pattern, "!") {
			case "", "/", "//":
				require.False(t, ok, "line %d: %q", i+1, line)
			default:
				require.Equal(t, !bad[i+1], ok, "line %d: %q", i+1, line)
			}
			if ok {
				require.Equal(t, pattern, r.pattern)
				require.Equal(t, strings.HasPrefix(pattern, "!"), r.keep)
			}
		}
		require.Len(t, file.members, len(file.rules))
	})
}

// TestConfig compares parseConfig with git config --list.
func TestConfig(t *testing.T) {
	if !haveGit(t) {
		t.Skip("git is missing, or of another system")
	}
	path := filepath.Join(dirtest.TempDir(t), "config")
	for _, text := range append([]string{
		"[core]\n\texcludesFile = ~/x\n\tIgnoreCase\n",
		"[a] b = c # d\n; e\n[f \"G h\"] i = \" j ; \" k ;l\n",
		"[a \"b\\\"c\\\\d\"]\r\n\tx = one\\\n  two\r\n\ty=\\t\\n\\b\\\"\\\\\n",
		"\ufeff[a.B]\nc = d\n", "[a]b=c", "[a]\nb =\nc\nd = \"\"", "[a]\n b = c   d  \n", "[a]\n1 = 2\n", "[a]\nb = \"c\n", "[a\nb = c\n",
		"[a] b = c \\\n # d\n", "[x \"y\" ]\na = b\n", "[x]\na-b = 1\n", "b = c\n", "[a]\nb = c\\x\n", "[a] [c] d = e",
	}, randomConfigs()...) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		out, err := exec.Command("git", "config", "--file", path, "--list", "-z").Output()
		if err != nil {
			parseConfig([]byte(text)) // git reports an error
			continue
		}
		var got bytes.Buffer
		for _, s := range parseConfig([]byte(text)) {
			got.WriteString(s.section + s.name)
			if !s.bare {
				got.WriteString("\n" + s.value)
			}
			got.WriteByte(0)
		}
		assert.Equal(t, string(out), got.String(), "%q", text)
	}
}

// randomConfigs returns texts, about half of them valid for git. They have no
// tabs, which versions of git read differently.
func randomConfigs() (texts []string) {
	r := rand.New(rand.NewPCG(1, 1))
	atoms := []string{
		"[a]", "[B \"c D\"]", "\n", "\n", "\n", "x = ", "Key-1=", "v", " ", "\"q r\"",
		"#", ";", "\\\n", "\\t", "\\\"", "\r\n", "é",
	}
	for range 300 {
		text := "[s]\n"
		for range r.IntN(14) {
			text += atoms[r.IntN(len(atoms))]
		}
		texts = append(texts, text)
	}
	return texts
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("[core]\n\texcludesFile = \"~/x\" # y\n[include \"a\\\"b\"]\n path = c\\\nd\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range parseConfig(data) {
			require.NotEmpty(t, s.name)
			require.NotContains(t, s.name, "\n", fmt.Sprintf("%q", data))
		}
	})
}
