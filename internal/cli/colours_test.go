package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ldx/internal/filter"
)

// Each kind of files has a colour.
func TestDefaultColours(t *testing.T) {
	colours := ":" + defaultColours() + ":"
	for _, kind := range filter.Kinds() {
		for extension := range strings.FieldsSeq(kind[1]) {
			assert.Contains(t, colours, ":*."+extension+"=", kind[0])
		}
	}
	assert.Contains(t, colours, ":*~=90:")
	assert.Len(t, filter.Kinds(), len(kindColours))
}
