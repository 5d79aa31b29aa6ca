package filter

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ldx/internal/format"
)

// Negated removes the ! that a flag's value may begin with, and reports whether it did.
func Negated(value string) (rest string, not bool) {
	rest, not = strings.CutPrefix(value, "!")
	return rest, not
}

// comparison removes the sign that a value may begin with.
func comparison(value string) (Comparison, string) {
	switch {
	case strings.HasPrefix(value, "+"):
		return AtLeast, value[1:]
	case strings.HasPrefix(value, "-"):
		return AtMost, value[1:]
	}
	return Equal, value
}

// ParseNumber reads [+-]N: at least, at most or exactly N.
func ParseNumber(value string) (Comparison, uint64, error) {
	how, digits := comparison(value)
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, 0, errors.New("give a whole number such as 2, or +2 for at least 2, -2 for at most 2")
	}
	return how, n, nil
}

// ParseSize reads [+-]SIZE, a size as format.ParseSize reads it.
func ParseSize(value string) (Comparison, int64, error) {
	how, size := comparison(value)
	n, err := format.ParseSize(size)
	return how, n, err
}

var errTime = errors.New("give a duration such as 10h, 2weeks or '1d 2h', today, yesterday, a date such as 2024-07-31 or " +
	"'2024-07-31 18:00:00', or @ and seconds since 1970")

// ParseTime reads a point in time: a duration before now; a date, with or without a time
// (RFC 3339; without a zone, in that of now); today or yesterday, when that day began; or @ and
// the seconds since 1970.
func ParseTime(value string, now time.Time) (time.Time, error) {
	t, _, err := ParseWhen(value, now)
	return t, err
}

// ParseWhen is ParseTime, and also reports whether the value is a duration.
func ParseWhen(value string, now time.Time) (t time.Time, ago bool, err error) {
	value = strings.TrimSpace(value)
	if digits, ok := strings.CutPrefix(value, "@"); ok {
		seconds, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return time.Time{}, false, errTime
		}
		return time.Unix(seconds, 0), false, nil
	}
	switch year, month, day := now.Date(); value {
	case "today":
		return onClock(time.Date(year, month, day, 0, 0, 0, 0, time.UTC), now.Location()), false, nil
	case "yesterday":
		return onClock(time.Date(year, month, day-1, 0, 0, 0, 0, time.UTC), now.Location()), false, nil
	}
	if t, ok := parseDate(strings.ToUpper(value), now.Location()); ok {
		return t, false, nil
	}
	d, err := parseDuration(value)
	if err != nil {
		return time.Time{}, true, err
	}
	t, err = d.before(now)
	return t, true, err
}

// parseDate reads a date in the format of RFC 3339 or ISO 8601, with or without a time and a
// zone; without a zone it is in local.
func parseDate(value string, local *time.Location) (time.Time, bool) {
	for _, date := range []string{time.DateOnly, "20060102"} {
		if t, err := time.Parse(date, value); err == nil {
			return onClock(t, local), true
		}
		for _, clock := range []string{"15:04:05", "15:04", "15", "150405", "1504"} {
			for _, between := range []string{"T", " "} {
				layout := date + between + clock
				if t, err := time.Parse(layout, value); err == nil {
					return onClock(t, local), true
				}
				for _, zone := range []string{"Z07:00", "Z0700", "Z07", " Z07:00"} {
					if t, err := time.Parse(layout+zone, value); err == nil {
						return t, true
					}
				}
			}
		}
	}
	return time.Time{}, false
}

// onClock returns when a clock at a place shows the date and time of t. If the clock was set
// back, so that it shows it twice, that is the later of the two. If it was set forward, so that
// it never shows it, that is as long after the change as t is.
func onClock(t time.Time, place *time.Location) time.Time {
	ahead := func(then time.Time) time.Duration { // what the clock shows then, minus t
		_, offset := then.Zone()
		return then.Add(time.Duration(offset) * time.Second).Sub(t)
	}
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	then := time.Date(year, month, day, hour, minute, second, t.Nanosecond(), place)
	if off := ahead(then); off < 0 {
		return then.Add(-off)
	}
	if later := then.Add(time.Hour); ahead(later) == 0 {
		return later
	}
	return then
}

// A duration is a length of time, part by the calendar and part by the clock.
type duration struct {
	months, days int64
	clock        time.Duration
}

// before returns the time that is d before t. A month before the 31st is the last day of a
// shorter month.
func (d duration) before(t time.Time) (time.Time, error) {
	const maxDays = 10_000 * 366 // the year keeps about four digits
	if d.months > maxDays/28 || d.days > maxDays {
		return time.Time{}, errors.New("that is too long ago")
	}
	year, month, day := t.Date()
	first := time.Date(year, month-time.Month(d.months), 1, 0, 0, 0, 0, t.Location())
	day = min(day, first.AddDate(0, 1, -1).Day())
	hour, minute, second := t.Clock()
	then := time.Date(first.Year(), first.Month(), day-int(d.days), hour, minute, second, t.Nanosecond(), t.Location())
	return then.Add(-d.clock), nil
}

// durationUnits has the words for each unit. m alone is a minute, as in fd.
var durationUnits = []struct {
	words  string
	months int64
	days   int64
	clock  time.Duration
}{
	{words: "y yr yrs year years", months: 12},
	{words: "mo mos month months", months: 1},
	{words: "w wk wks week weeks", days: 7},
	{words: "d day days", days: 1},
	{words: "h hr hrs hour hours", clock: time.Hour},
	{words: "m min mins minute minutes", clock: time.Minute},
	{words: "s sec secs second seconds", clock: time.Second},
	{words: "ms msec msecs milli millis millisecond milliseconds", clock: time.Millisecond},
	{words: "us µs usec usecs micro micros microsecond microseconds", clock: time.Microsecond},
	{words: "ns nsec nsecs nano nanos nanosecond nanoseconds", clock: time.Nanosecond},
}

// parseDuration reads numbers with units, such as "1d 2h", "1 week, 2 days ago" or, as in
// ISO 8601, "P1DT2H". Units are lowercase: 1M is an error, since it could be a month or a
// minute.
func parseDuration(text string) (duration, error) {
	var d duration
	if rest, ok := strings.CutPrefix(strings.ToLower(text), "p"); ok {
		return d, d.addISO(rest)
	}
	rest := strings.TrimSpace(strings.TrimSuffix(text, "ago"))
	if rest == "" {
		return d, errTime
	}
	for rest != "" {
		number, after := split(rest, isDigit)
		unit, after := split(strings.TrimLeft(after, " "), unicode.IsLetter)
		if err := d.add(number, unit); err != nil {
			return d, err
		}
		rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(after, " "), ","), " ")
		if rest == "" && strings.HasSuffix(after, ",") {
			return d, errTime
		}
	}
	return d, nil
}

// addISO adds a duration of ISO 8601 without its P, such as "1y2m3dt4h". m is a month before the
// t, and a minute after it.
func (d *duration) addISO(text string) error {
	date, clock, timed := strings.Cut(text, "t")
	if date == "" && clock == "" || timed && clock == "" {
		return errTime
	}
	for _, side := range []struct{ part, units, m string }{{date, "ymwd", "month"}, {clock, "hms", "m"}} {
		for part := side.part; part != ""; {
			var number, unit string
			number, part = split(part, isDigit)
			unit, part = split(part, unicode.IsLetter)
			if len(unit) != 1 || !strings.Contains(side.units, unit) {
				return errTime
			}
			if unit == "m" {
				unit = side.m
			}
			if err := d.add(number, unit); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *duration) add(number, unit string) error {
	whole, fraction, _ := strings.Cut(number, ".")
	n, err := strconv.ParseInt(whole, 10, 32)
	if err != nil {
		return errTime
	}
	for _, u := range durationUnits {
		for word := range strings.FieldsSeq(u.words) {
			if word != unit {
				continue
			}
			if n != 0 && u.clock > math.MaxInt64/2/time.Duration(n) {
				return errors.New("that is too long ago")
			}
			d.months += n * u.months
			d.days += n * u.days
			if d.clock += time.Duration(n) * u.clock; d.clock > math.MaxInt64/2 {
				return errors.New("that is too long ago")
			}
			return d.addFraction(fraction, u.clock)
		}
	}
	if unit == "" {
		return fmt.Errorf("the unit is missing; give %smin or %[1]sd, or one of s, h, weeks, months, years", number)
	}
	return fmt.Errorf("there is no unit %q; %w", unit, errTime)
}

// addFraction adds a fraction of a unit, which only units of the clock may have.
func (d *duration) addFraction(digits string, unit time.Duration) error {
	if digits == "" {
		return nil
	}
	part, err := strconv.ParseFloat("0."+digits, 64)
	if err != nil || unit == 0 {
		return errTime
	}
	d.clock += time.Duration(part * float64(unit))
	return nil
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' || r == '.' }

// split cuts text after its first characters that are all in a class.
func split(text string, in func(rune) bool) (head, rest string) {
	rest = strings.TrimLeftFunc(text, in)
	return text[:len(text)-len(rest)], rest
}
