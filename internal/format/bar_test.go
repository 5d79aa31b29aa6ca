package format_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/format"
)

func TestBar(t *testing.T) {
	for _, row := range []struct {
		fraction float64
		want     string
		ascii    string
	}{
		{0, "", ""},
		{0.01, "▏", ""},
		{0.1, "▊", "#"},
		{0.5, "████", "####"},
		{0.97, "███████▊", "########"},
		{1, "████████", "########"},
	} {
		assert.Equal(t, row.want, format.Bar(row.fraction, 8, false), row.fraction)
		assert.Equal(t, row.ascii, format.Bar(row.fraction, 8, true), row.fraction)
	}
}
