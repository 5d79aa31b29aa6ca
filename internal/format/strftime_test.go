package format_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/format"
)

// Times look as GNU date shows them.
func TestStrftimeLikeDate(t *testing.T) {
	layouts := []string{
		"%F %T", "%-d.%_m.%y|%e|%k|%l|%I %p %P", "%3N|%N|%1N|%12N",
		"%s %j %C %G-%V %g %u %w %U %W %q", "100%%", "%^a %A %^B %h%n%t|",
	}
	for _, letter := range "aAbBcCdDeFgGhHIjklmMnNpPrRsStTuUVwWxXyYzZ%" {
		layouts = append(layouts, "%"+string(letter))
	}
	layouts = append(layouts, "%:z %::z %z", "%-H:%-M:%-S", "%010d|%5a|%_5H|%-5H|%08Y|%^b %+4d", "plain")
	for _, zone := range []string{"UTC", "Asia/Kolkata", "America/New_York"} {
		place, err := time.LoadLocation(zone)
		if err != nil {
			t.Skip(err)
		}
		moments := []int64{0, -1, 951782400, 1 << 31, 253402200000}
		for range 100 {
			moments = append(moments, rand.Int64N(8_000_000_000)-4_000_000_000)
		}
		for _, seconds := range moments {
			nano := rand.Int64N(1_000_000_000)
			if seconds < 0 { // of -1.5 date takes the fraction off
				nano = 0
			}
			all := strings.Join(layouts, "|")
			cmd := exec.Command("date", "-d", fmt.Sprintf("@%d.%09d", seconds, nano), "+"+all)
			cmd.Env = []string{"LC_ALL=C", "TZ=" + zone}
			want, err := cmd.Output()
			if err != nil {
				t.Skip("GNU date: ", err)
			}
			got, err := format.AppendStrftime(nil, time.Unix(seconds, nano).In(place), all)
			require.NoError(t, err)
			require.Equal(t, strings.TrimSuffix(string(want), "\n"), string(got), "%s %d", zone, seconds)
		}
	}
}

func TestStrftimeErrors(t *testing.T) {
	for layout, want := range map[string]string{
		"%": "%", "%Q": "%Q", "%F %-": "%-", "%5": "%5", "%99999Y": "%99999", "%:x": "%:", "%é": "%\xc3",
	} {
		_, err := format.AppendStrftime(nil, time.Time{}, layout)
		assert.ErrorContains(t, err, "there is no "+want+" in a time", layout)
	}
}

// FuzzStrftime looks for a panic, and for an error that depends on the time.
func FuzzStrftime(f *testing.F) {
	f.Add("%F %T", int64(0))
	f.Add("%-d%_5H%^a%:z%3N%%", int64(-1))
	f.Fuzz(func(t *testing.T, layout string, seconds int64) {
		_, err := format.AppendStrftime(nil, time.Unix(seconds%1e12, 0), layout)
		_, again := format.AppendStrftime(nil, time.Unix(0, 0), layout)
		if (err == nil) != (again == nil) {
			t.Fatalf("%q: %v, but %v", layout, err, again)
		}
	})
}
