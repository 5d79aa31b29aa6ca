package command_test

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/command"
)

// options are a value of each kind.
type options struct {
	all, hidden, other bool
	count, preset      command.Count
	when               command.OneOf[int]
	syntax             string
	text               command.Text
	texts              command.Texts
	file               command.File
	files              command.Files
	dir                command.Dir
	dirs               command.Dirs
	commas             command.Commas
	numbers            command.Numbers
	parsed             string
}

func newCommand(o *options) (*cobra.Command, *command.Flags) {
	cmd := command.New("try [flags]", "ldx try")
	f := command.NewFlags(cmd.Flags())
	f.Section("First")
	f.Bool(&o.all, "all", "a", "show everything")
	f.Toggle(&o.hidden, "hidden", "H", "hidden", "no-hidden", "not hidden", &o.other)
	f.Bool(&o.other, "other", "a", "whose letter is taken")
	f.Add(&o.count, "count", "n", "count to `N`")
	f.Alias("count", "number", "num")
	f.AliasLetter("count", "c", "counter")
	f.AliasLetter("count", "a", "taken")
	f.Section("Second")
	f.Switch("one", "1", "count to one", func() { o.count.N, o.count.Given = 1, true })
	o.when.Words = []command.Word[int]{{Name: "now", Value: 1}, {Name: "later", Value: 2}, {Name: "soon", Value: 2, Synonym: true}}
	f.Add(&o.when, "when", "", "do it `WHEN`: "+o.when.Names()).NoOptDefVal = "now"
	command.Choice(f, &o.syntax, "glob", "glob", "g", "globs")
	command.Choice(f, &o.syntax, "fixed", "fixed", "F", "strings")
	o.text.Words = []string{"{}"}
	f.Add(&o.text, "text", "", "a `TEXT`")
	f.Add(&o.texts, "texts", "", "a `TEXT`")
	f.Section("First")
	f.Add(&o.file, "file", "", "a `FILE`")
	f.Add(&o.files, "files", "", "a `FILE`")
	f.Add(&o.dir, "dir", "", "a `DIR`")
	f.Add(&o.dirs, "dirs", "", "a `DIR`")
	f.Add(&o.commas, "commas", "", "`A,B`")
	f.Add(&o.numbers, "numbers", "", "`N,N`")
	f.Func("parsed", "", "`WORD`", func(s string) error {
		o.parsed = s
		return nil
	}, command.Words("x", "y"))
	f.AddHidden(&o.preset, "preset")
	cmd.RunE = func(*cobra.Command, []string) error { return f.Conflict(command.Pairs("all", "count", "glob")) }
	return cmd, f
}

func TestValues(t *testing.T) {
	for args, want := range map[string]options{
		"-a":                        {all: true},
		"--hidden":                  {hidden: true},
		"--hidden --no-hidden":      {},
		"--no-hidden --hidden":      {hidden: true},
		"--other --no-hidden":       {},
		"--other --no-hidden=false": {other: true},
		"-n 3":                      {count: command.Count{N: 3, Given: true}},
		"--num 3":                   {count: command.Count{N: 3, Given: true}},
		"-c 0":                      {count: command.Count{Given: true}},
		"-n 3 -1":                   {count: command.Count{N: 1, Given: true}},
		"-n 3 -1=false":             {count: command.Count{N: 3, Given: true}},
		"-gF":                       {syntax: "fixed"},
		"-g --glob=false":           {},
		"-F --glob=false":           {syntax: "fixed"},
		"--texts a --texts b":       {texts: command.Texts{"a", "b"}},
		"--file a --file b":         {file: "b"},
		"--files a,b":               {files: command.Files{"a,b"}},
		"--dir a --dirs b":          {dir: "a", dirs: command.Dirs{"b"}},
		"--numbers 1 --numbers 2,3": {numbers: command.Numbers{2, 3}},
		"--parsed x":                {parsed: "x"},
		"--preset 7":                {preset: command.Count{N: 7, Given: true}},
	} {
		var got options
		cmd, _ := newCommand(&got)
		cmd.SetArgs(strings.Fields(args))
		require.NoError(t, cmd.Execute(), args)
		got.when.Words, got.text.Words = nil, nil
		assert.Equal(t, want, got, args)
	}
	for args, want := range map[string]int{"": 0, "--when": 1, "--when=now": 1, "--when=later": 2, "--when=soon": 2} {
		var got options
		cmd, _ := newCommand(&got)
		cmd.SetArgs(strings.Fields(args))
		require.NoError(t, cmd.Execute(), args)
		assert.Equal(t, want, got.when.Value, args)
		assert.Equal(t, want > 0, got.when.Given, args)
	}
	var got options
	cmd, _ := newCommand(&got)
	cmd.SetArgs([]string{"--commas", "a,b", "--commas", "c", "--text", ""})
	require.NoError(t, cmd.Execute())
	assert.Equal(t, []string{"a", "b", "c"}, got.commas.Texts)
	assert.True(t, got.text.Given)
	assert.Equal(t, 5, got.count.Or(5))
}

// Each error says what is wrong and what to do.
func TestErrors(t *testing.T) {
	for args, want := range map[string]string{
		"-n x":          `-n/--count "x": give a whole number of at least 0, such as 1 or 3`,
		"-n -1":         `-n/--count "-1": give a whole number of at least 0, such as 1 or 3`,
		"--when=never":  `--when "never": give one of now, later`,
		"--commas a,":   `--commas "a,": there is nothing between two commas; give one value, or several such as a,b`,
		"--numbers 0":   `--numbers "0": give whole numbers of at least 1, such as 4 or 1,2,4`,
		"--all=x":       `-a/--all "x": give true or false, or nothing`,
		"--no-hidden=x": `--no-hidden "x": give true or false, or nothing`,
		"--hiden":       "there is no flag --hiden; did you mean --hidden?",
		"--zzzzzzzzzz":  "there is no flag --zzzzzzzzzz; ldx try --help lists all",
		"-az":           "there is no flag -z (in -z); ldx try --help lists all",
		"-n":            "-n/--count needs a value, such as --count 1 or --count 3",
		"-c":            "-c needs a value, such as -c 1 or -c 3",
		"--=x":          `"--=x" is not a flag; to search for it, put -- before`,
		"-a -g":         "-a/--all and -g/--glob exclude each other; leave one out",
		"-a --num 3":    "-a/--all and --num exclude each other; leave one out",
	} {
		cmd, _ := newCommand(&options{})
		cmd.SetArgs(strings.Fields(args))
		err := cmd.Execute()
		require.Error(t, err, args)
		assert.Equal(t, want, err.Error(), args)
		assert.ErrorAs(t, err, new(*command.UsageError), args)
	}
}

func TestPage(t *testing.T) {
	_, f := newCommand(&options{})
	page := command.Page{
		Name: "ldx try", Title: "try it", Usage: []string{"[flags]", "more"},
		About: "About.\n\nMore.\n", Examples: "  ldx try\n", Status: "0 success\n",
	}
	help := string(page.Help(f))
	assert.True(t, strings.HasPrefix(help, "ldx try: try it\n\nUsage:\n  ldx try [flags]\n  ldx try more\n\nAbout.\n\nMore.\n\n"+
		"Examples:\n  ldx try\n\nFirst:\n  -a, --all                 show everything\n"), help)
	assert.Contains(t, help, "\n  -n, --count N             count to N (also: --number, --num, -c)\n")
	assert.Contains(t, help, "\n      --other               whose letter is taken\n")
	assert.Contains(t, help, "\nSecond:\n  -1, --one ")
	assert.Contains(t, help, "\n      --when[=WHEN]         do it WHEN: now, later\n")
	assert.NotContains(t, help, "preset")
	assert.NotContains(t, help, "no-hidden")
	assert.Equal(t, 1, strings.Count(help, "First:"))

	manual := string(page.Manual("1.0", "2026-01-02", f))
	assert.True(t, strings.HasPrefix(manual, ".TH LDX-TRY 1 \"2026-01-02\" \"ldx 1.0\"\n.nh\n.ad l\n.SH NAME\nldx\\-try \\- try it\n"), manual)
	assert.Contains(t, manual, ".SH OPTIONS\n.SS First\n.TP\n\\fB\\-a, \\-\\-all\\fI\\fR\nshow everything\n")
	assert.Contains(t, manual, ".SH EXAMPLES\n.EX\nldx try\n.EE\n")

	markdown := string(page.Markdown(f))
	assert.Contains(t, markdown, "| **Second** | |\n| `-1, --one` | count to one |\n")
	assert.Contains(t, markdown, "\n## Examples\n\n    ldx try\n")
}

// Prose is the same in both forms.
func TestProse(t *testing.T) {
	page := command.Page{
		Name: "ldx try", Title: "try it", About: "About.\n", Examples: "  ldx try\n", Status: "0 success\n",
		Sections: "## A title\n\nA `-flag`: text\nthat `goes` on.\n\n- `a, b`: what\n  they mean\n- an item\n\n    $ ldx\n    .a\n",
		SeeAlso:  []string{"ldx-du(1)", "find(1)"},
	}
	_, f := newCommand(&options{})
	assert.Contains(t, string(page.Manual("", "", f)), ".SH A TITLE\nA \\fB\\%\\-flag\\fR: text that \\fB\\%goes\\fR on.\n"+
		".TP\n\\fB\\%a, \\%b\\fR\nwhat they mean\n.IP \\(bu 2\nan item\n.PP\n.EX\n$ ldx\n\\&.a\n.EE\n")
	assert.Contains(t, string(page.Manual("", "", f)), ".SH SEE ALSO\n.BR ldx\\-du (1),\n.BR find (1)\n")
	markdown := string(page.Markdown(f))
	assert.Contains(t, markdown, "\n\n"+strings.TrimSuffix(page.Sections, "\n")+"\n\n## Exit status\n")
	assert.Contains(t, markdown, "\n## See also\n\n[ldx-du(1)](ldx-du.md), find(1)\n")
}

// A line that troff would take for a request is text, wherever it is folded.
func TestManualFolds(t *testing.T) {
	page := command.Page{Name: "x", Sections: "## T\n\n" + strings.Repeat(".dot ", 40)}
	_, f := newCommand(&options{})
	_, text, _ := strings.Cut(string(page.Manual("", "", f)), ".SH T\n")
	text, _, _ = strings.Cut(text, ".SH")
	for line := range strings.Lines(text) {
		assert.LessOrEqual(t, len(line), 81)
		assert.NotEqual(t, byte('.'), line[0], line)
	}
	assert.Contains(t, text, "\n\\&.dot")
}

// What changes the default is what help lists.
func TestToggle(t *testing.T) {
	_, f := newCommand(&options{hidden: true})
	help := string(command.Page{Name: "x"}.Help(f))
	assert.Contains(t, help, "--no-hidden ")
	assert.NotContains(t, help, "-H, --hidden")
}

func TestCompletion(t *testing.T) {
	for flag, want := range map[string]string{
		"--when=":   "now\nlater\n:4\n",
		"--text":    "{}\n:4\n",
		"--texts":   ":4\n",
		"--file":    ":0\n",
		"--dirs":    ":16\n",
		"--dir":     ":16\n",
		"--count":   ":4\n",
		"--parsed":  "x\ny\n:4\n",
		"--numbers": ":4\n",
		"--commas":  ":4\n",
	} {
		cmd, _ := newCommand(&options{})
		command.Complete(cmd)
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(io.Discard)
		args := []string{cobra.ShellCompRequestCmd, flag}
		require.True(t, command.IsCompletion(args[0]))
		if !strings.HasSuffix(flag, "=") {
			args = append(args, "")
		}
		cmd.SetArgs(args)
		require.NoError(t, cmd.Execute())
		assert.Equal(t, want, out.String(), flag)
	}
	cmd, _ := newCommand(&options{})
	for _, shell := range command.Shells() {
		var out bytes.Buffer
		require.NoError(t, command.WriteCompletion(&out, cmd, shell, ""))
		assert.NotEmpty(t, out.String())
		t.Setenv("SHELL", "/bin/"+shell)
		var auto bytes.Buffer
		require.NoError(t, command.WriteCompletion(&auto, cmd, "auto", ""))
		assert.Equal(t, out.String(), auto.String())
	}
	assert.Error(t, command.WriteCompletion(io.Discard, cmd, "csh", ""))
	t.Setenv("SHELL", "")
	assert.ErrorContains(t, command.WriteCompletion(io.Discard, cmd, "auto", "--gen"), "--gen=bash|")
}

func TestQuote(t *testing.T) {
	assert.Equal(t, `'it'\''s'`, command.Quote("it's"))
}

// A shell takes the word for the text.
func TestShellWord(t *testing.T) {
	assert.Equal(t, "a-b_c/d.e:f,g+h@i%j=k", command.ShellWord("a-b_c/d.e:f,g+h@i%j=k"))
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	for _, text := range []string{
		"", "a b", "it's", "*.ts", "$HOME", "~", "#x", "!d", "=ls", "a\nb",
		`\`, "{a,b}", ";", "é", "-n", "`id`", "a=b",
	} {
		out, err := exec.Command("sh", "-c", "printf '%s|' "+command.ShellWord(text)).Output()
		require.NoError(t, err)
		assert.Equal(t, text+"|", string(out))
	}
}

// A word is an option unless a flag before it takes it.
func TestIsOption(t *testing.T) {
	set := command.NewFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
	set.Section("")
	set.Rest(new([][]string), "exec", "x", "")
	set.Bool(new(bool), "hidden", "H", "")
	set.Add(new(command.Texts), "extension", "e", "")
	for line, want := range map[string]bool{
		"-name": true, "a -name": true, "-H -name": true, "-e -name": false, "-He -name": false, "-ets -name": true, "-e ts -name": true,
		"-x a -name": false, "-x a ; -name": true, "-Hx -name": false, "-- -name": false, "--extension -name": false,
		"--extension=ts -name": true, "-e -- -name": true, "-x a ; -x b ; c -name": true,
	} {
		words := strings.Fields(line)
		assert.Equal(t, want, command.IsOption(set.FlagSet, words, len(words)-1), line)
	}
}
