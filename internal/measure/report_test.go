package measure

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIndexReport has two searches: one that finds something else gets no ratio.
func TestIndexReport(t *testing.T) {
	here := Place{Label: "here", Path: "/secret"}
	of := func(phase, changed, scenario, tool string, database int64, runs []Run) *Case {
		for i := range runs {
			runs[i].Database = database + int64(i)*100
		}
		return &Case{
			Group: phase + changed + scenario, Phase: phase, Changed: changed, Scenario: scenario, Tool: Tool{Name: tool}, Place: here, Runs: runs,
		}
	}
	ten := of(PhaseUpdates10, "1", "index", "ldx", 10300, runsOf(5, 5, 5))
	ten.First.Database = 10000
	ten.Runs[2].Database = 10200
	updatedb := of("updatedb", "", "index", "updatedb", 20480, runsOf(40, 40, 40))
	updatedb.Quiet = true
	wrong := of("plocate", "", "literal", "plocate", 1, runsOf(1, 1, 1))
	wrong.Runs[2].Entries = 7
	wrong.Runs[0].Exit, wrong.Args = 1, []string{"-d", "/secret", "zip"}
	report := IndexReport([]*Case{
		of("record", "", "index", "ldx", 10240, runsOf(20, 20, 20)), updatedb, ten,
		of(PhaseSearch, "", "literal", Live, 0, runsOf(50, 50, 50)), of(PhaseSearch, "", "literal", "ldx", 1, runsOf(25, 25, 25)), wrong,
		of(PhaseSearch, "", "everything", Live, 0, runsOf(10, 10, 10)), of(PhaseSearch, "", "everything", "ldx", 1, runsOf(19, 19, 19)),
		{Phase: PhaseSearch, Place: here},
	})
	require.Len(t, report, 2)
	assert.Equal(t, "Recordings of here, warm, 1,000 entries", report[0].Title)
	rows := report[0].Table.Rows
	require.Len(t, rows, 3)
	assert.Equal(t, []string{"record", "ldx", "", "3", "20.0", "20.0", "20.0", "0.0", "1.0", "", "10", "10.4", "1"}, rows[0])
	assert.Equal(t, []string{"updatedb", "updatedb", "", "3", "40.0"}, rows[1][:5])
	assert.Equal(t, []string{"20", "20.7", "0.50 ±0 %"}, rows[1][10:])
	assert.Equal(t, []string{PhaseUpdates10, "ldx", "1", "3", "5.0"}, rows[2][:5])
	assert.Equal(t, []string{
		"After 3 updates, each with 1 % of the directories changed, the recording is 2.0 % larger; at most it was 4.0 % larger.",
	}, report[0].Notes[1:])

	var got [][]string
	for _, row := range report[1].Table.Rows {
		got = append(got, append(row[:4:4], row[9]))
	}
	assert.Equal(t, [][]string{
		{"literal", Live, "1,000", "50.0  ", "1"},
		{"", "ldx", "1,000", "25.0 *", "0.50 ±0 %"},
		{"", "plocate", "1,000", "1.0  ", "finds 1,000"},
		{"everything", Live, "1,000", "10.0 *", "1"},
		{"", "ldx", "1,000", "19.0  ", "too short to tell"},
	}, got)
	assert.Equal(t, []string{
		"* the shortest median time of a search", "±: half of the turns are as close to the ratio.",
		"too short to tell: less than 20 ms. Measure a larger directory.", "plocate ended with status 1: -d here zip.",
	}, report[1].Notes)
	assert.Empty(t, IndexReport([]*Case{{Place: here}}))
}

// TestRatioShown checks that a ratio is withheld only if its interval contains 1, however wide
// the interval is.
func TestRatioShown(t *testing.T) {
	for want, r := range map[string]Ratio{
		"0.29 ±17 %": {Value: 0.29, Spread: 0.17, Pairs: 10},
		"0.40 ±60 %": {Value: 0.40, Spread: 0.60, Pairs: 10},
		"0.90 ±11 %": {Value: 0.90, Spread: 0.11, Pairs: 10}, // up to 0.999
		"1.20 ±16 %": {Value: 1.20, Spread: 0.16, Pairs: 10},
	} {
		assert.Equal(t, want, r.String())
	}
	for _, r := range []Ratio{{0.9, 0.12, 10}, {1.2, 0.17, 10}, {1, 0, 10}} {
		assert.Equal(t, "unclear", r.String(), r)
	}
}

func threadCases(speeds map[int]int) (cases []*Case) {
	for _, n := range []int{1, 2, 4, 8} {
		if speeds[n] > 0 {
			cases = append(cases, &Case{
				Group: "g", Tool: Tool{Name: "ldx"}, Threads: n, Runs: runsOf(speeds[n], speeds[n]),
				Place: Place{Label: "here"},
			})
		}
	}
	return cases
}

func TestSweetSpot(t *testing.T) {
	sweet, best := SweetSpot(threadCases(map[int]int{1: 100, 2: 52, 4: 50, 8: 51}))
	assert.Equal(t, []int{1, 2}, []int{sweet, best}, "2 threads reach 96 % of the best, 4 are the best")
	sweet, best = SweetSpot(threadCases(map[int]int{1: 100, 2: 54, 4: 50}))
	assert.Equal(t, []int{2, 2}, []int{sweet, best})
	idle := threadCases(map[int]int{1: 100, 2: 54, 4: 53, 8: 50})
	for _, c := range idle {
		for i := range c.Runs {
			c.Runs[i].Stats.Threads = min(2, int64(c.Threads))
		}
	}
	sweet, best = SweetSpot(idle)
	assert.Equal(t, []int{1, 3}, []int{sweet, best}, "8 were requested, 2 started: 2 are enough")
	empty := threadCases(map[int]int{1: 1, 2: 1})
	for _, c := range empty {
		c.Runs[0].Entries, c.Runs[1].Entries = 0, 0
	}
	sweet, best = SweetSpot(empty)
	assert.Equal(t, []int{-1, 0}, []int{sweet, best}, "an empty directory is too short to tell")
}

func TestThreadsReport(t *testing.T) {
	cases := threadCases(map[int]int{1: 100, 2: 50, 4: 40})
	cases = append(cases, &Case{Group: "unfinished", Threads: 1})
	report := ThreadsReport(cases)
	require.Len(t, report, 2)
	assert.Equal(t, []string{"2", "2", "50.0  ", "50.0", "50.0", "50.0", "0.0", "20,000", "100 %", "", "", ""}, report[0].Table.Rows[1])
	assert.Equal(t, "40.0 *", report[0].Table.Rows[2][2])
	assert.Equal(t, "62 %", report[0].Table.Rows[2][8])
	assert.Equal(t, []string{"here", "warm", "1,000", "4", "25,000", "4", "25,000"}, report[1].Table.Rows[0])

	short := ThreadsReport(threadCases(map[int]int{1: 30, 2: 19}))
	assert.Equal(t, []string{"here", "warm", "1,000", "too short to tell", "", "2", "52,632"}, short[1].Table.Rows[0])
	assert.Equal(t, []string{
		"Recommended: the fewest threads that reach 95 % of the best speed.",
		"too short to tell: the fastest takes less than 20 ms. Measure a larger directory.",
	}, short[1].Notes)
	assert.Len(t, report[1].Notes, 1)

	var b bytes.Buffer
	require.NoError(t, WriteSummary(&b, cases))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, []string{"Directory", "Threads", "Runs", "Avg", "Median", "Min", "Max", "AllSpeeds"}, rows[0][:8])
	assert.Equal(t, []string{"here", "4", "2", "25000", "25000", "25000", "25000", "25000;25000", "warm", "0.62", "yes", "", "ldx", ""},
		rows[3])
}

func TestCompareReport(t *testing.T) {
	ldx := &Case{
		Tool: Tool{Name: "ldx", Version: "1"}, Runs: runsOf(30, 30, 30), Place: Place{Label: "here", Path: "/a b"},
		Args: []string{"-u", "", "/a b", "it's"},
	}
	ldx.Tool.Path = "/opt/ldx"
	fd := &Case{Tool: Tool{Name: "fd"}, Runs: runsOf(60, 60, 60), Place: ldx.Place}
	wrong := &Case{Tool: Tool{Name: "quick"}, Runs: runsOf(1, 1, 1), Place: ldx.Place}
	wrong.Runs[2].Entries = 7
	noisy := &Case{Tool: Tool{Name: "noisy"}, Runs: runsOf(25, 90, 32), Place: ldx.Place}
	du := &Case{Tool: Tool{Name: "du"}, Runs: runsOf(90, 90, 90), Place: ldx.Place, Quiet: true}
	du.Runs[1].Exit = 1
	cases := []*Case{ldx, fd, wrong, noisy, du}
	s := CompareReport(cases)[0]
	last := func(row int) string { return s.Table.Rows[row][len(s.Table.Heads)-1] }
	assert.Equal(t, "0.50 ±0 %", last(1))
	assert.Equal(t, "finds 1,000", last(2), "a wrong answer gets no ratio")
	assert.Equal(t, "unclear", last(3))
	assert.Equal(t, "30.0 *", s.Table.Rows[0][3], "the fastest that finds the same")
	assert.Equal(t, "failed", last(4))
	assert.Equal(t, []string{
		markNote, "±: half of the turns are as close to the ratio.", "unclear: 1 is as close; more --runs may tell.",
		"quick did not always find the 1,000 entries: its time cannot be compared.",
		"du also asks for the size of each file.", "du ended with status 1.",
	}, s.Notes)
	var b bytes.Buffer
	require.NoError(t, WriteSummary(&b, cases[:2]))
	assert.Contains(t, b.String(), "\nhere,,3,16667,16667,16667,16667,16667;16667;16667,warm,,,,fd,\n", "no threads, no efficiency")

	short := []*Case{{Runs: runsOf(19, 19, 19)}, {Runs: runsOf(5, 5, 5)}}
	assert.Equal(t, "too short to tell", shownRatio(short[0], short[1]))
	assert.Equal(t, "0.32 ±0 %", shownRatio(short[0], fd), "one of them is long enough")
}

// TestHyperfine has the shell read the commands.
func TestHyperfine(t *testing.T) {
	words := []string{"-u", "", "/a b", "it's", "$HOME", "*", "~", "a\nb", "\\"}
	ldx := &Case{Tool: Tool{Name: "ldx", Path: "/opt/my ldx"}, Runs: runsOf(10, 10, 10), Args: words}
	fd := &Case{Tool: Tool{Name: "fd", Path: "/opt/fd"}, Runs: runsOf(20, 20, 20)}
	text := Hyperfine([]*Case{ldx, fd}, Screen{})
	assert.Contains(t, text, "\n  Time (mean ± σ):     10.0 ms ± 0.0 ms    [User: 1.0 ms, System: 0.0 ms]\n"+
		"  Range (min … max):   10.0 ms … 10.0 ms    3 runs\n")
	assert.True(t, strings.HasSuffix(text, " ran\n    2.00 ± 0.00 times faster than /opt/fd\n\n"), text)
	assert.Contains(t, Hyperfine([]*Case{ldx, fd}, Screen{ASCII: true}), "\n  Time (mean +- s):     10.0 ms +- 0.0 ms")
	sh, err := exec.LookPath("sh")
	if err != nil || os.PathSeparator == '\\' {
		t.Skip("there is no sh")
	}
	out, err := exec.Command(sh, "-c", "printf '%s\\0' "+ldx.command()).Output()
	require.NoError(t, err)
	assert.Equal(t, append([]string{"/opt/my ldx"}, words...), strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"))
}

// TestNarrow checks that columns and words, not characters, give way where the screen is narrow.
func TestNarrow(t *testing.T) {
	cases := threadCases(map[int]int{1: 100, 2: 50, 4: 40})
	for i := range cases {
		cases[i].Runs[1].Stats = Stats{Calls: 1_234_567, PerCall: 12.5}
		cases[i].Runs[0].Peak = 20 << 20
	}
	other := &Case{Group: "g", Tool: Tool{Name: "the other ldx", Version: "0.1.0+9fceb02d0ae5.dirty"}, Runs: runsOf(1234, 1234, 4000)}
	reports := []Report{ThreadsReport(cases), BuffersReport(cases), CacheReport(cases), CompareReport(append(cases, other))}
	for _, r := range reports {
		wide := r.Text(Screen{Width: 1000})
		for _, width := range []int{50, 80, 120} {
			for _, ascii := range []bool{false, true} {
				text := r.Text(Screen{width, ascii})
				for line := range strings.Lines(text) {
					if width >= 80 {
						assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
					}
					assert.Equal(t, ascii, ascii && strings.IndexFunc(line, func(r rune) bool { return r > '~' }) < 0, line)
				}
				for word := range strings.FieldsSeq(strings.ReplaceAll(text, "+-", "±")) {
					assert.True(t, strings.Contains(wide, word) || strings.Trim(word, "#█▏▎▍▌▋▊▉") == "", "%q is a part of a word", word)
				}
			}
		}
	}
	assert.Equal(t, "one\ntwo\n", Screen{Width: 5}.lines("one two"))
	assert.Equal(t, "one two\nthree\n", Screen{Width: 7}.lines("one  two three"))
}

func TestCacheAndBuffersReport(t *testing.T) {
	cold, warm := runsOf(300, 300, 300), runsOf(100, 100, 100)
	for i := range cold {
		cold[i].Cache = Cold
	}
	report := CacheReport([]*Case{
		{Cold: true, Place: Place{Label: "here"}, Threads: 2, Runs: cold}, {Place: Place{Label: "here"}, Threads: 2, Runs: warm},
	})
	require.Len(t, report[0].Table.Rows, 2)
	assert.Equal(t, []string{"here", "1,000", "2", "cold", "300.0", "300.0", "300.0", "0.0", "3,333", "3.00 ±0 %"}, report[0].Table.Rows[0])
	assert.Empty(t, CacheReport([]*Case{{}}))

	warm[2].Stats = Stats{Entries: 1000, Calls: 30, PerCall: 100}
	report = BuffersReport([]*Case{{Buffer: 64 << 10, Runs: warm}, {Buffer: 4 << 10}})
	require.Len(t, report[0].Table.Rows, 1)
	assert.Equal(t, []string{"64 KiB", "100.0 *", "100.0", "100.0", "100.0", "0.0", "10,000", "30", "100.0", ""}, report[0].Table.Rows[0])
	assert.Equal(t, []string{markNote, "Recommended: 64 KiB, the smallest that reaches 95 % of the best speed."}, report[0].Notes)
}

func TestTables(t *testing.T) {
	table := Table{Heads: []string{"näme", "n"}, Rows: [][]string{{"a", "1"}, {"b|", "1,000"}}, Left: 1}
	assert.Equal(t, "näme      n\na         1\nb|    1,000\n", table.Text(Screen{Width: 11}))
	assert.Equal(t, "| näme |     n |\n|------|------:|\n| a    |     1 |\n| b\\|  | 1,000 |\n", table.Markdown())
}

// TestChart checks the lengths of bars: the longest fills the width, others are
// in proportion, in eighths.
func TestChart(t *testing.T) {
	c := Chart{Title: "speed <1>", Bars: []Bar{{"1", 50, "50", false}, {"16", 100, "100", true}}}
	lines := strings.Split(c.Text(Screen{Width: 40}), "\n")
	assert.Equal(t, "16  "+strings.Repeat("█", 29)+" 100 *", lines[2])
	assert.Equal(t, " 1  "+strings.Repeat("█", 14)+"▌ 50", lines[1])

	decoder := xml.NewDecoder(strings.NewReader(SVG([]*Chart{&c, {Title: "empty"}})))
	var texts, widths []string
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				texts = append(texts, text)
			}
		case xml.StartElement:
			for _, a := range token.Attr {
				if token.Name.Local == "rect" && a.Name.Local == "width" {
					widths = append(widths, a.Value)
				}
			}
		}
	}
	assert.Equal(t, []string{"speed <1>", "1", "50", "16", "100", "empty"}, texts)
	assert.Equal(t, []string{"720", "291.0", "582.0"}, widths)
}

func TestCount(t *testing.T) {
	for want, n := range map[string]float64{"0": 0, "999": 999.4, "1,000": 999.6, "12,345": 12345, "1,234,567": 1234567} {
		assert.Equal(t, want, Count(n))
	}
}
