package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestRoundly(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 400 * time.Millisecond, "3s": 3400 * time.Millisecond, "10s": 10 * time.Second, "25s": 24 * time.Second, "1m0s": 62 * time.Second,
	} {
		assert.Equal(t, want, roundly(d).String())
	}
}
