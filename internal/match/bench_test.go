package match_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"ldx/internal/match"
)

// names returns the basenames that benchmarks match: the lines of the file
// named by LDX_NAMES, made for example with: find /usr -printf '%f\n'
func names(b *testing.B) [][]byte {
	b.Helper()
	file := os.Getenv("LDX_NAMES")
	if file == "" {
		b.Skip("LDX_NAMES is not set")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(data), []byte("\n"))
}

// benchPatterns returns the patterns that both engines match against all names.
func benchPatterns() []string {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 500)
	for i := range words {
		for range 4 + r.IntN(5) {
			words[i] += string(rune('a' + r.IntN(26)))
		}
	}
	return []string{
		`main`, `^lib`, `\.go$`, `^Makefile$`,
		`(?i)readme`, `(?i)\.jpe?g$`, `(?i)^changelog`, `(?i)test.*\.(py|rs)$`,
		`.*[0-9].*(md|\.c)$`, `^lib.*\.so(\.\d+)*$`, `[a-f0-9]{8,}`, `(foo|bar|baz)\d+`,
		`\bmain\b`, `^[A-Z][a-z]+\.`, `[aeiou]{3}`, `\d{4}-\d{2}-\d{2}`,
		`^[^.]*$`, `_(test|bench)\.go$`, `\.(jpe?g|png|gif|webp|svg)$`, `(a|b).*(c|d).*(e|f)`,
		`^.{30,}$`, `\p{Lu}\p{Ll}+\p{Lu}`, `[^\x00-\x7f]`, strings.Join(words, "|"),
	}
}

func BenchmarkNames(b *testing.B) {
	all := names(b)
	for i, pattern := range benchPatterns() {
		name := fmt.Sprintf("%02d-%.24s", i+1, pattern)
		if os.Getenv("LDX_ENGINE") == "regexp" {
			re := regexp.MustCompile("(?s)" + pattern)
			run(b, name, all, re.Match)
			continue
		}
		m, err := match.New([]string{pattern}, match.Options{})
		if err != nil {
			b.Fatal(err)
		}
		run(b, name, all, func(name []byte) bool {
			ok, _ := m.Match(name)
			return ok
		})
	}
}

// run matches all names in each iteration, and reports the time per name.
func run(b *testing.B, name string, all [][]byte, matches func(name []byte) bool) {
	b.Run(name, func(b *testing.B) {
		for _, name := range all {
			matches(name)
		}
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			for _, name := range all {
				matches(name)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/name")
		b.ReportMetric(0, "ns/op")
	})
}
