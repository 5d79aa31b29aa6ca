package property

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"ldx/internal/format"
)

// A TimeLayout says how a time is shown. The zero TimeLayout is as ISO 8601 has it.
type TimeLayout struct {
	how    func(b []byte, t time.Time, layout string) []byte // nil: package time's
	layout string
}

// NewTimeLayout reads a layout: one of TimeLayouts, one of strftime(3), such as %F %T, or one of
// package time, such as 2006-01-02.
func NewTimeLayout(text string) (TimeLayout, error) {
	now := time.Now()
	switch {
	case text == "" || text == "iso":
		return TimeLayout{}, nil
	case text == "unix":
		return TimeLayout{how: func(b []byte, t time.Time, _ string) []byte { return strconv.AppendInt(b, t.Unix(), 10) }}, nil
	case text == "relative":
		return TimeLayout{how: func(b []byte, t time.Time, _ string) []byte { return appendRelative(b, t, now) }}, nil
	case strings.Contains(text, "%"):
		_, err := format.AppendStrftime(nil, now, text)
		return TimeLayout{layout: text, how: func(b []byte, t time.Time, layout string) []byte {
			b, _ = format.AppendStrftime(b, t, layout)
			return b
		}}, err
	case !hasElements(text):
		return TimeLayout{}, errors.New("give a time as %Y-%m-%d %H:%M, or as iso, unix or relative")
	}
	return TimeLayout{layout: text}, nil
}

// hasElements reports whether a layout of package time has more than single digits, which any
// text may have.
func hasElements(text string) bool {
	elements := []string{"2006", "Jan", "Mon", "15:04", "1504", "3:04", "04:05", "MST"}
	return slices.ContainsFunc(elements, func(e string) bool { return strings.Contains(text, e) })
}

// append appends a time.
func (l *TimeLayout) append(b []byte, t time.Time) []byte {
	switch {
	case l.how == nil && l.layout == "":
		return AppendTime(b, t, time.Local, time.RFC3339)
	case l.how == nil:
		return AppendTime(b, t, time.Local, l.layout)
	case !Known(t) || !hasCalendar(t):
		return AppendTime(b, t, time.Local, "")
	}
	return l.how(b, t.In(time.Local), l.layout)
}

// appendRelative appends the time between t and now as a whole number of units: 3 days ago. The unit
// is the largest one that fits into it.
func appendRelative(b []byte, t, now time.Time) []byte {
	const day = 24 * 60 * 60
	seconds, before, after := now.Unix()-t.Unix(), "", " ago"
	if seconds < 0 {
		seconds, before, after = -seconds, "in ", ""
	}
	n, unit := seconds, "second"
	for _, u := range [...]struct {
		seconds int64
		name    string
	}{{60, "minute"}, {60 * 60, "hour"}, {day, "day"}, {7 * day, "week"}, {30 * day, "month"}, {365 * day, "year"}} {
		if seconds >= u.seconds {
			n, unit = seconds/u.seconds, u.name
		}
	}
	b = strconv.AppendInt(append(b, before...), n, 10)
	b = append(append(b, ' '), unit...)
	if n != 1 {
		b = append(b, 's')
	}
	return append(b, after...)
}
