package checksum

import (
	"testing"

	"ldx/internal/catalogue"
)

// FuzzLine parses anything as a line; what was parsed is printed and parsed as the same.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		"", "x", `\`, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a",
		`\e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 *a\nb\\`,
		"SHA256 (a) = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "SHA256 () = ", "SHA256 (",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		sum, path, ok := parseLine(line)
		if !ok {
			return
		}
		if len(path) == 0 {
			t.Fatal("a path is empty")
		}
		printed := Form{}.Append(nil, &sum, 0, path)
		again, same, ok := parseLine(printed[:len(printed)-1])
		if !ok || again != sum || string(same) != string(path) {
			t.Fatalf("%q is parsed as %q", printed, same)
		}
	})
}

// TestUnescaped has paths that are not what sha256sum would have printed.
func TestUnescaped(t *testing.T) {
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for line, want := range map[string]string{
		sum + "  a": "a", sum + " *a": "a", sum + "   a": " a",
		`\` + sum + `  a\\b\n\r`: "a\\b\n\r", sum + `  a\n`: `a\n`, "\t" + sum + "  a": "a",
		sum + " a": "", sum + "  ": "", sum[1:] + "  a": "", `\` + sum + `  a\x`: "", `\` + sum + `  a\`: "", sum: "", "g" + sum[1:] + "  a": "",
		"SHA256 (a) = " + sum: "a", "SHA256 (a) = b) = " + sum: "a) = b", "MD5 (a) = " + sum: "", `\SHA256 (a\nb) = ` + sum: "a\nb",
	} {
		got, path, ok := parseLine([]byte(line))
		if ok != (want != "") || ok && (string(path) != want || got == catalogue.Sum{}) {
			t.Errorf("%q: %q, %v", line, path, ok)
		}
	}
}
