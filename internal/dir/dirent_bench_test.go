package dir

import (
	"strings"
	"testing"
)

func BenchmarkParseDirent64(b *testing.B) {
	var buf []byte
	for i := range 400 {
		buf = append(buf, dirent(strings.Repeat("n", 1+i*7%23), 5, 8)...)
	}
	for b.Loop() {
		for rest := buf; len(rest) > 0; {
			_, _, _, size := parseDirent64(rest)
			rest = rest[size:]
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/400, "ns/entry")
}
