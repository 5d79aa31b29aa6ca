package match_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/match"
)

// slowPattern takes exponential time on slowText.
const slowPattern = `(?=(a+)+$)[ab]`

var slowText = []byte(strings.Repeat("a", 200) + "!")

// TestTooSlow shares the time for slow texts among all patterns and workers of
// a Matcher. Each text takes a fifth of that time or more.
func TestTooSlow(t *testing.T) {
	defer match.SetTimeLimits(time.Millisecond, 5*time.Millisecond)()
	m, err := match.New([]string{slowPattern, slowPattern + "?"}, match.Options{})
	require.NoError(t, err)
	const workers = 4
	var (
		running sync.WaitGroup
		tried   [workers]int
	)
	for n := range workers {
		running.Go(func() {
			for {
				_, err := m.Match(slowText)
				var slow *match.SlowError
				if !assert.ErrorAs(t, err, &slow) || slow.GivenUp {
					return
				}
				assert.Equal(t, slowPattern, slow.Pattern)
				tried[n]++
			}
		})
	}
	running.Wait()
	sum := 0
	for _, n := range tried {
		sum += n
	}
	assert.Less(t, sum, 5)
	var slow *match.SlowError
	_, err = m.Match([]byte("b"))
	require.ErrorAs(t, err, &slow)
	assert.True(t, slow.GivenUp, "no more are tried")
}

// TestSlowAnswers has slow texts that do get an answer: they count too.
func TestSlowAnswers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the clock stands still for longer than this takes")
	}
	defer match.SetTimeLimits(time.Hour, 1)()
	m, err := match.New([]string{slowPattern}, match.Options{})
	require.NoError(t, err)
	for range 3 {
		ok, err := m.Match([]byte("b"))
		require.NoError(t, err)
		assert.False(t, ok)
	}
	match.SetTimeLimits(1, 1)
	_, err = m.Match([]byte("b"))
	require.NoError(t, err, "the limit is set when the pattern is compiled")
	_, err = m.Match([]byte("b"))
	assert.Error(t, err)
}
