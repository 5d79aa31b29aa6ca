package format

import (
	"strconv"
	"time"
)

// AppendTime appends a time in a layout of package time. Where the year, minus 1900, does
// not fit an int of C, it appends the seconds since 1970, as ls and du do. (Nor has package
// time a calendar for all that a file system can hold.)
func AppendTime(b []byte, t time.Time, layout string) []byte {
	const first, last = -67_768_040_609_740_800, 67_768_036_191_676_799
	if t.Unix() < first || t.Unix() > last {
		return strconv.AppendInt(b, t.Unix(), 10)
	}
	return t.AppendFormat(b, layout)
}
