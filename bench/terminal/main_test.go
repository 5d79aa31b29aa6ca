package main

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Text has its column, its colour and nothing of its escape sequences.
func TestDraw(t *testing.T) {
	image := draw([]string{"\x1b[1;34mdir/\x1b[0ma<b\x1b[38;5;196;4mc\x1b[24md\x1b[39m", "\x1b]8;;file:///x\x1b\\link\x1b]8;;\x1b\\"})
	decoder := xml.NewDecoder(strings.NewReader(image))
	var drawn []string
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "text" {
			continue
		}
		var text string
		require.NoError(t, decoder.DecodeElement(&text, &start))
		attributes := map[string]string{}
		for _, a := range start.Attr {
			attributes[a.Name.Local] = a.Value
		}
		drawn = append(drawn, strings.Join([]string{
			text, attributes["x"], attributes["fill"], attributes["font-weight"], attributes["text-decoration"],
		}, " "))
	}
	assert.Equal(t, []string{
		"dir/ 16.0 " + palette[4] + " bold ", "a<b 49.6   ", "c 74.8 rgb(255,0,0)  underline", "d 83.2 rgb(255,0,0)  ", "link 16.0   ",
	}, drawn)
}
