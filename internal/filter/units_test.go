package filter_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/filter"
)

func TestParseSize(t *testing.T) {
	for _, row := range []struct {
		value string
		how   filter.Comparison
		want  int64
	}{
		{"0b", filter.Equal, 0},
		{"10b", filter.Equal, 10},
		{"+1k", filter.AtLeast, 1000},
		{"-1K", filter.AtMost, 1000},
		{"1kb", filter.Equal, 1000},
		{"1KiB", filter.Equal, 1024},
		{"1ki", filter.Equal, 1024},
		{"+2m", filter.AtLeast, 2_000_000},
		{"2mi", filter.Equal, 2 << 20},
		{"3g", filter.Equal, 3_000_000_000},
		{"3gi", filter.Equal, 3 << 30},
		{"4t", filter.Equal, 4_000_000_000_000},
		{"4ti", filter.Equal, 4 << 40},
		{"+1.5mi", filter.AtLeast, 3 << 19},
		{"0.5k", filter.Equal, 500},
		{"9223372t", filter.Equal, 9_223_372_000_000_000_000},
	} {
		how, n, err := filter.ParseSize(row.value)
		require.NoError(t, err, row.value)
		assert.Equal(t, row.how, how, row.value)
		assert.Equal(t, row.want, n, row.value)
	}
	for _, value := range []string{
		"", "+", "10", "+18", "k", "+g", "1kk", "1bib", "1bb", "1q", "$1m", "--1k", "+-1k", "1 k", "1.k", ".5k", "1.2.3k", "1i",
		"1ib", "1e3k",
		"9223373t", "99999999999999999999b", "18446744073709551616k",
	} {
		_, _, err := filter.ParseSize(value)
		assert.Error(t, err, value)
	}
}

// The rows are what date(1) makes of such texts, and those that date does not know.
func TestParseTime(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	now := time.Date(2024, 3, 31, 12, 34, 56, 789, berlin) // clocks went forward that night
	at := func(year int, month time.Month, day, hour, minute, second int) time.Time {
		return time.Date(year, month, day, hour, minute, second, 0, berlin)
	}
	today := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 12, 34, 56, 789, berlin)
	}
	for value, want := range map[string]time.Time{
		"10h": now.Add(-10 * time.Hour), "35min": now.Add(-35 * time.Minute), "35m": now.Add(-35 * time.Minute), "1s": now.Add(-time.Second),
		"1.5h": now.Add(-90 * time.Minute), "0s": now, "20ms": now.Add(-20 * time.Millisecond), "3us": now.Add(-3 * time.Microsecond),
		"7ns": now.Add(-7),
		"1d":  today(2024, 3, 30), "2weeks": today(2024, 3, 17), "1month": today(2024, 2, 29), "13mo": today(2023, 2, 28),
		"1y":      today(2023, 3, 31),
		"4 years": today(2020, 3, 31), "1d 2h": today(2024, 3, 30).Add(-2 * time.Hour), "1d2h": today(2024, 3, 30).Add(-2 * time.Hour),
		"1 day, 2 hours": today(2024, 3, 30).Add(-2 * time.Hour), "1 day ago": today(2024, 3, 30), "P1D": today(2024, 3, 30),
		"p1dt2h": today(2024, 3, 30).Add(-2 * time.Hour),
		"P1M":    today(2024, 2, 29), "PT1M": now.Add(-time.Minute),
		"P1Y2M3DT4H5M6S": today(2023, 1, 28).Add(-4*time.Hour - 5*time.Minute - 6*time.Second),
		"P2W":            today(2024, 3, 17), " 1d ": today(2024, 3, 30),
		"2018-10-27": at(2018, 10, 27, 0, 0, 0), "2018-10-27 10:00:00": at(2018, 10, 27, 10, 0, 0),
		"2018-10-27T10:00:00": at(2018, 10, 27, 10, 0, 0),
		"2018-10-27t10:00":    at(2018, 10, 27, 10, 0, 0), "2018-10-27 10:00": at(2018, 10, 27, 10, 0, 0),
		"2018-10-27T10:00:00Z":      time.Date(2018, 10, 27, 10, 0, 0, 0, time.UTC),
		"2018-10-27T10:00:00z":      time.Date(2018, 10, 27, 10, 0, 0, 0, time.UTC),
		"2018-10-27 10:00:00+05:00": time.Date(2018, 10, 27, 5, 0, 0, 0, time.UTC),
		"2018-10-27T10:00:00.25Z":   time.Date(2018, 10, 27, 10, 0, 0, 250_000_000, time.UTC),
		"20181027":                  at(2018, 10, 27, 0, 0, 0), "2018-10-27T10": at(2018, 10, 27, 10, 0, 0),
		"20181027T103015":          at(2018, 10, 27, 10, 30, 15),
		"2018-10-27T10:00:00-0400": time.Date(2018, 10, 27, 14, 0, 0, 0, time.UTC),
		"2018-10-27 10:00:00+02":   time.Date(2018, 10, 27, 8, 0, 0, 0, time.UTC),
		"2018-03-25 02:30:00":      time.Date(2018, 3, 25, 1, 30, 0, 0, time.UTC),  // there was none: 3:30
		"2018-10-28 02:30:00":      time.Date(2018, 10, 28, 1, 30, 0, 0, time.UTC), // the later of two
		"today":                    at(2024, 3, 31, 0, 0, 0), "yesterday": at(2024, 3, 30, 0, 0, 0),
		"@0": time.Unix(0, 0), "@1540634400": time.Unix(1540634400, 0), "@-5": time.Unix(-5, 0),
	} {
		got, err := filter.ParseTime(value, now)
		if assert.NoError(t, err, value) {
			assert.True(t, got.Equal(want), "%s: %s, want %s", value, got, want)
		}
	}
	for _, value := range []string{
		"", " ", "x", "1", "d", "1dd", "1x", "1.5d", "1.2.3h", "-1d", "1d,", ",1d", "1d 2", "1M", "1D", "1H", "2018-13-01",
		"2018-02-30", "2018-10-27 25:00:00", "@", "@x", "P", "PT",
		"P1", "P1H", "PT1D1", "P1DT", "ago", "99999999999999999999d", "4000000y", "2000000000h 2000000000h", "1 day 2018-10-27",
	} {
		got, err := filter.ParseTime(value, now)
		assert.Error(t, err, "%q: %s", value, got)
	}
}

// TestParseTimeOfDate compares random durations with GNU date.
func TestParseTimeOfDate(t *testing.T) {
	if out, err := exec.Command("date", "--version").Output(); err != nil || !strings.Contains(string(out), "GNU") {
		t.Skip("this needs GNU date")
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 5))
	for range 100 {
		now := time.Unix(1_700_000_000+r.Int64N(100_000_000), 0).UTC()
		n, unit := r.IntN(400), []string{"day", "week", "hour", "min", "second", "days", "hours", "seconds"}[r.IntN(8)]
		out, err := exec.Command("date", "-u", "-d", fmt.Sprintf("%s UTC %d %s ago", now.Format(time.DateTime), n, unit), "+%s").Output()
		require.NoError(t, err)
		got, err := filter.ParseTime(fmt.Sprint(n, unit), now)
		require.NoError(t, err)
		require.Equal(t, strings.TrimSpace(string(out)), fmt.Sprint(got.Unix()), "seed %d: %d %s before %s", seed, n, unit, now)
	}
}

func TestParseMode(t *testing.T) {
	for value, want := range map[string]uint32{
		"644": 0o644, "0644": 0o644, "7777": 0o7777, "0": 0, "u=rw,go=r": 0o644, "a=rx": 0o555, "u+x": 0o100, "+x": 0o111,
		"ug+s": 0o6000, "+t": 0o1000, "o=t": 0o1000,
		"a=rwx,o-w": 0o775, "u=rwxs,go=": 0o4700, "=": 0,
	} {
		how, bits, err := filter.ParseMode(value)
		require.NoError(t, err, value)
		assert.Equal(t, filter.Equal, how)
		assert.Equal(t, fmt.Sprintf("%o", want), fmt.Sprintf("%o", bits), value)
	}
	for value, want := range map[string]filter.Comparison{"-111": filter.AtLeast, "/u+w": filter.AtMost, "222": filter.Equal} {
		how, _, err := filter.ParseMode(value)
		require.NoError(t, err)
		assert.Equal(t, want, how, value)
	}
	for _, value := range []string{"", "x", "888", "10000", "u", "u=q", "z=r", "u=r,", "--1", "-"} {
		_, _, err := filter.ParseMode(value)
		assert.Error(t, err, value)
	}
}

func TestParseOwner(t *testing.T) {
	for value, want := range map[string]int{"": 0, ":": 0, "5": 1, "5:": 1, ":8": 1, "9:3": 2, "!5": 1, "!4:!3": 2, "6:!8": 2} {
		attributes, err := filter.ParseOwner(value)
		require.NoError(t, err, value)
		assert.Len(t, attributes, want, value)
	}
	for _, value := range []string{"3:5:", "::", "no such user", ":no such group", "4294967296"} {
		_, err := filter.ParseOwner(value)
		assert.Error(t, err, value)
	}
}

func TestGroups(t *testing.T) {
	for _, g := range filter.Kinds() {
		extensions, err := filter.KindExtensions(g[0])
		require.NoError(t, err)
		assert.Equal(t, strings.Fields(g[1]), extensions)
		seen := map[string]bool{}
		for _, ext := range extensions {
			assert.False(t, seen[ext], "%s has %s twice", g[0], ext)
			seen[ext] = true
		}
	}
	_, err := filter.KindExtensions("nonsense")
	assert.ErrorContains(t, err, "image")
}

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{"1d 2h", "P1Y2M3DT4H", "2018-10-27T10:00:00+01:00", "@5", "1.5h", "99999y", "1 week ago", "1d,"} {
		f.Add(seed)
	}
	now := time.Date(2024, 3, 31, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, value string) {
		then, err := filter.ParseTime(value, now)
		if err != nil || strings.ContainsAny(value, "@-") {
			return
		}
		if then.After(now) {
			t.Fatalf("%q is after now: %s", value, then)
		}
		if again, err := filter.ParseTime(" "+value+" ", now); err != nil || !again.Equal(then) {
			t.Fatalf("%q: %s, but with blanks %s %v", value, then, again, err)
		}
	})
}

func FuzzParseSize(f *testing.F) {
	for _, seed := range []string{"+1k", "-1.5mi", "0b", "9223372t", "1ti"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		_, n, err := filter.ParseSize(value)
		if err == nil && (n < 0 || n > math.MaxInt64/1000 && !strings.ContainsAny(strings.ToLower(value), "bkmgt")) {
			t.Fatalf("%q: %d", value, n)
		}
	})
}
