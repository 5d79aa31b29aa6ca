package cli

import (
	"errors"
	"os"
	"strings"
	"time"

	"ldx/internal/command"
	"ldx/internal/format"
	"ldx/internal/property"
)

const longISO = "2006-01-02 15:04"

// parseTimeStyle reads a style of times: a name, or a layout of strftime(3) after a +. It returns
// what appends a time in that style, in the local zone.
func parseTimeStyle(s string) (func(b []byte, t time.Time) []byte, error) {
	layout, custom := strings.CutPrefix(s, "+")
	if custom {
		if _, err := format.AppendStrftime(nil, time.Time{}, layout); err != nil {
			return nil, err
		}
		return func(b []byte, t time.Time) []byte {
			if unusual := property.AppendTime(nil, t, time.Local, ""); len(unusual) > 0 { // a dash, or seconds
				return append(b, unusual...)
			}
			b, _ = format.AppendStrftime(b, t.In(time.Local), layout)
			return b
		}, nil
	}
	switch s {
	case "full-iso":
		layout = "2006-01-02 15:04:05.000000000 -0700"
	case "long-iso":
		layout = longISO
	case "iso":
		layout = "2006-01-02"
	default:
		return nil, errors.New("give full-iso, long-iso, iso or a format after a +, such as +%F or '+%d %b %H:%M'")
	}
	return func(b []byte, t time.Time) []byte { return property.AppendTime(b, t, time.Local, layout) }, nil
}

// defaultTimeStyle returns the style of TIME_STYLE, as far as du takes it from ls, or long-iso.
func defaultTimeStyle() (func(b []byte, t time.Time) []byte, error) {
	style, ok := os.LookupEnv("TIME_STYLE")
	if !ok || style == "locale" {
		style = "long-iso"
	}
	if strings.HasPrefix(style, "+") { // what follows a newline is for ls
		style, _, _ = strings.Cut(style, "\n")
	}
	for strings.HasPrefix(style, "posix-") {
		style = strings.TrimPrefix(style, "posix-")
	}
	f, err := parseTimeStyle(style)
	if err != nil {
		return nil, command.Usagef("TIME_STYLE %s: %v", command.Quote(style), err)
	}
	return f, nil
}
