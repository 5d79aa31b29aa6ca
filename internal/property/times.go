package property

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"ldx/internal/dir"
)

// Known reports whether t is a time of an entry. It is the zero Time where the file system has
// no such time. (IsZero also holds for the first second of year 1, in any zone.)
func Known(t time.Time) bool { return t != (time.Time{}) }

// CompareTimes compares all times that a file system can have. (The methods of time.Time count
// from year 1, and overflow.)
func CompareTimes(a, b time.Time) int {
	return cmp.Or(cmp.Compare(a.Unix(), b.Unix()), cmp.Compare(a.Nanosecond(), b.Nanosecond()))
}

// AppendTime appends a time in a zone, in a layout of package time. It appends a dash for a time
// that is not Known, and the seconds since 1970 if the year, minus 1900, does not fit an int of
// C, as ls and du do. (Package time has no calendar for all times of a file system either.)
func AppendTime(b []byte, t time.Time, zone *time.Location, layout string) []byte {
	switch {
	case !Known(t):
		return append(b, '-')
	case !hasCalendar(t):
		return strconv.AppendInt(b, t.Unix(), 10)
	}
	return t.In(zone).AppendFormat(b, layout)
}

// hasCalendar reports whether the year of t, minus 1900, fits an int of C.
func hasCalendar(t time.Time) bool {
	const first, last = -67_768_040_609_740_800, 67_768_036_191_676_799
	return first <= t.Unix() && t.Unix() <= last
}

// Time returns the time that is in a field of an Info, such as dir.ModTime.
func Time(info *dir.Info, field dir.Fields) time.Time {
	switch field {
	case dir.ModTime:
		return info.ModTime
	case dir.AccessTime:
		return info.AccessTime
	case dir.ChangeTime:
		return info.ChangeTime
	case dir.BirthTime:
		return info.BirthTime
	}
	return time.Time{}
}

// TimeName returns the name of the time in a field: mtime.
func TimeName(field dir.Fields) string {
	i := slices.IndexFunc(table[:], func(p Property) bool { return p.isTime && p.Needs == field })
	return table[i].Name
}

// Times returns the Properties that are times. The first alias of each is a plain word for it.
func Times() (times []*Property) {
	for i := range table {
		if p := &table[i]; p.isTime {
			times = append(times, p)
		}
	}
	return times
}
