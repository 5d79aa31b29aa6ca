package format_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/format"
)

// The rows are the output of GNU du -B; tests in cmd/ldx compare more with du itself.
func TestUnits(t *testing.T) {
	for _, row := range []struct {
		unit  string
		bytes uint64
		want  string
	}{
		{"1", 0, "0"},
		{"512", 513, "2"},
		{"K", 1024, "1K"},
		{"k", 1025, "2K"},
		{"KB", 1001, "2kB"},
		{"kB", 1000, "1kB"},
		{"KiB", 1, "1KiB"},
		{"1K", 4200000, "4102"},
		{"2M", 1 << 22, "2"},
		{"gB", 1, "1GB"},
		{"'1", 1234567, "1,234,567"},
		{"'K", 123 << 10, "123K"},
		{"1E", math.MaxUint64, "16"},
		{"human-readable", 0, "0"},
		{"human-readable", 1023, "1023"},
		{"human-readable", 1024, "1.0K"},
		{"human-readable", 1025, "1.1K"},
		{"human-readable", 10137, "9.9K"},
		{"human-readable", 10138, "10K"},
		{"human-readable", 1023*1024 + 1, "1.0M"},
		{"human-readable", math.MaxUint64, "16E"},
		{"si", 999, "999"},
		{"si", 1000, "1.0k"},
		{"si", 999_001, "1.0M"},
	} {
		u, err := format.ParseUnit(row.unit)
		require.NoError(t, err, row.unit)
		assert.Equal(t, row.want, string(u.Append(nil, row.bytes)), "%d in %s", row.bytes, row.unit)
	}
	for _, wrong := range []string{"", "'", "0", "-1", "1b", "B", "K1", "1KIB", "1 K", "1.5K", "99999999999999999999", "16E", "99E", "siB"} {
		_, err := format.ParseUnit(wrong)
		assert.Error(t, err, wrong)
	}
}

func FuzzUnit(f *testing.F) {
	for _, text := range []string{"1", "K", "kB", "MiB", "'2G", "si", "16E"} {
		f.Add(text, uint64(1)<<40)
	}
	f.Fuzz(func(t *testing.T, text string, bytes uint64) {
		u, err := format.ParseUnit(text)
		if err != nil {
			return
		}
		shown := string(u.Append(nil, bytes))
		block, err := format.ParseBlockSize(strings.TrimPrefix(text, "'"))
		if err != nil {
			return // powers of 1024 or 1000
		}
		shown = strings.ReplaceAll(shown, ",", "")
		digits := shown[:len(shown)-len(strings.TrimLeft(shown, "0123456789"))]
		n, err := strconv.ParseUint(digits, 10, 64)
		require.NoError(t, err)
		if n == 0 {
			require.Zero(t, bytes)
			return
		}
		// Rounded up: one less would be less than there is.
		require.Less(t, (n-1)*block, bytes)
		require.LessOrEqual(t, bytes-(n-1)*block, block)
	})
}
