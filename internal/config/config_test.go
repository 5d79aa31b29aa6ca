package config_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/config"
	"ldx/internal/dirtest"
)

// TestWordsLikeShell splits random texts, and compares the words with those of sh.
func TestWordsLikeShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("this needs sh")
	}
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d repeats this", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	parts := strings.Split(`a|b|-e| | |	|'|'|"|"|\|\\|\"|''|""|é|=|,`, "|")
	var texts []string
	script := "set -f\n"
	for range 3000 {
		text := ""
		for range r.IntN(12) {
			text += parts[r.IntN(len(parts))]
		}
		if _, err := config.Words(text); err != nil { // which a shell waits for
			continue
		}
		texts = append(texts, text)
		script += "printf '%s\\0' " + text + "\nprintf '\\0\\n\\0'\n"
	}
	require.Greater(t, len(texts), 1000)
	out, err := exec.Command(sh, "-c", script).Output()
	require.NoError(t, err)
	answers := bytes.Split(out, []byte("\x00\n\x00"))
	require.Len(t, answers, len(texts)+1)
	for i, text := range texts {
		words, err := config.Words(text)
		require.NoError(t, err)
		want := string(answers[i])
		if len(words) == 0 { // printf prints one NUL without an argument
			words = []string{""}
		}
		assert.Equal(t, want, strings.Join(words, "\x00")+"\x00", "%q", text)
	}
}

// TestWordsAreNotExpanded has what a shell would expand, and does not if it is quoted.
func TestWordsAreNotExpanded(t *testing.T) {
	quoted, err := config.Words("\"\\$a\\`\\b\" \\$")
	require.NoError(t, err)
	assert.Equal(t, []string{"$a`\\b", "$"}, quoted)
	const text = "~ $HOME *.o {a,b} `x` a;b #c a#d \xff"
	words, err := config.Words(text)
	require.NoError(t, err)
	assert.Equal(t, strings.Split(text, " "), words)
}

func TestParse(t *testing.T) {
	const text = "\uFEFF# comment\r\n\n  --hidden # all\r\n-E '#x' -E a#b\nalias src = -e go --no-hidden\ngroup web = html .css\n-S+1k"
	f, err := config.Parse("F", []byte(text))
	require.NoError(t, err)
	assert.Equal(t, []config.Setting{
		{Words: []string{"--hidden"}, Place: config.Place{Source: "F", Line: 3}},
		{Words: []string{"-E", "#x", "-E", "a#b"}, Place: config.Place{Source: "F", Line: 4}},
		{Words: []string{"-S+1k"}, Place: config.Place{Source: "F", Line: 7}},
	}, f.Flags)
	assert.Equal(t, []config.Setting{{"src", []string{"-e", "go", "--no-hidden"}, config.Place{Source: "F", Line: 5}}}, f.Aliases)
	assert.Equal(t, []config.Setting{{"web", []string{"html", "css"}, config.Place{Source: "F", Line: 6}}}, f.Groups)
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"\n\nhidden":                        `F:3: "hidden" is not a flag; a line begins with one, or with alias, group or #`,
		"-":                                 `F:1: "-" is not a flag`,
		"-E 'x":                             "F:1: a quote ' is not closed; add another, or a backslash before it",
		"-E \"x\\\"":                        "F:1: a quote \" is not closed",
		"-E x\\":                            "F:1: there is nothing after the backslash at the end",
		"-E \x00":                           "F:1: there is a NUL character",
		"alias":                             "F:1: give a name, a = between spaces, and what it stands for, such as: alias NAME = -e go -e c",
		"alias a=-H":                        "F:1: give a name",
		"group a =":                         "F:1: give a name, a = between spaces, and what it stands for, such as: group NAME = html css js",
		"alias --a = -H":                    `F:1: "--a" is no name; use letters, digits and -, with a letter first`,
		"alias 1 = -H":                      `F:1: "1" is no name`,
		"alias a = -H\nalias a = -I":        "F:2: line 1 has alias a already; give this one another name",
		"group a = x\n\ngroup a = y":        "F:3: line 1 has group a already",
		"group a = x ''":                    "F:1: group a has an empty word; leave it out",
		"group a = .":                       "F:1: group a has an empty word",
		strings.Repeat("#\n", 700) + "oops": `F:701: "oops"`,
	} {
		_, err := config.Parse("F", []byte(text))
		require.Error(t, err, text)
		assert.True(t, strings.HasPrefix(err.Error(), want), "%q: %s", text, err)
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestRead(t *testing.T) {
	path := filepath.Join(dirtest.TempDir(t), "config")
	_, err := config.Read(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("#\n"), 1<<19), 0o666))
	_, err = config.Read(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("#\n"), 1<<19+1), 0o666))
	_, err = config.Read(path)
	require.ErrorContains(t, err, "larger than 1 MiB")
}

// FuzzParse checks that what a line says is quoted as a shell takes it, and read again, the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"-H", "alias a = -e go", "group w = html", "# x\n-E 'a b' \"\\$\"", "-E \\", "'"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := config.Parse("F", data)
		if err != nil {
			require.Nil(t, file)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, line := range file.Flags {
			text := ""
			for _, word := range line.Words {
				require.NotContains(t, word, "\x00")
				text += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
			}
			words, err := config.Words(text)
			require.NoError(t, err)
			require.Equal(t, line.Words, words)
		}
	})
}
