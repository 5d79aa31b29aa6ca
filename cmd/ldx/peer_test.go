package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// peer skips the test if a program to compare with is missing; with
// LDX_REQUIRE_PEERS=1 the test fails. On Windows, find is another program.
func peer(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err == nil && runtime.GOOS != "windows" {
		return
	}
	if os.Getenv("LDX_REQUIRE_PEERS") == "1" {
		t.Fatalf("%s is missing", name)
	}
	t.Skipf("%s is missing", name)
}

// output runs a program in a directory and returns its NUL-terminated results,
// sorted, without the slash after directories.
func output(t *testing.T, dir, name string, args ...string) []string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s %q: %s", name, args, &stderr)
	found := strings.Split(string(out), "\x00")
	found = found[:len(found)-1]
	for i, path := range found {
		if trimmed := strings.TrimSuffix(path, "/"); trimmed != "" {
			found[i] = trimmed
		}
	}
	slices.Sort(found)
	return found
}

// TestFind compares ldx with GNU find. Find runs first and must give what the
// row expects: it proves that the row is right.
func TestFind(t *testing.T) {
	peer(t, "find")
	for _, row := range []struct {
		tree, ldx, find, want string
	}{
		{"basic", "-u . src", "src -mindepth 1", "src/.cache src/.cache/x src/Makefile src/lib src/lib/deep src/lib/deep/er " +
			"src/lib/deep/er/leaf.go src/lib/lib.go src/main.go"},
		{"basic", `-u \.go$ .`, ". -name *.go", "./src/lib/deep/er/leaf.go ./src/lib/lib.go ./src/main.go"},
		{"basic", "-u -d 1 -T d . .", ". -mindepth 1 -maxdepth 1 -type d", "./.config ./src ./void"},
		{"basic", "-u -T e . .", ". -mindepth 1 -empty", "./empty.txt ./void"},
		{
			"basic", ". src", "src -mindepth 1 -name .* -prune -o -mindepth 1 -print0",
			"src/Makefile src/lib src/lib/deep src/lib/deep/er src/lib/deep/er/leaf.go src/lib/lib.go src/main.go",
		},
		{"basic", "-u leaf src/lib src", "src/lib src -name *leaf*", "src/lib/deep/er/leaf.go src/lib/deep/er/leaf.go"},
		{"basic", "-u -s -g *.txt .", ". -name *.txt", "./a.txt ./empty.txt"},
		{"basic", "-u -g -i *.txt .", ". -iname *.txt", "./a.txt ./b.TXT ./empty.txt"},
		{"basic", "-u -g .* .", ". -mindepth 1 -name .*", "./.config ./.hidden ./src/.cache"},
		{"basic", "-u -g [!a-z]?[T-Z]* .", ". -name [!a-z]?[T-Z]*", ""},
		{"basic", "-u -F .go .", ". -name *.go*", "./src/lib/deep/er/leaf.go ./src/lib/lib.go ./src/main.go"},
		{"basic", "-u --exact Makefile .", ". -name Makefile", "./src/Makefile"},
		{"basic", "-u -e go . .", ". -name ?*.go", "./src/lib/deep/er/leaf.go ./src/lib/lib.go ./src/main.go"},
		{"basic", "-u -e txt -e md . .", ". ( -iname ?*.txt -o -iname ?*.md )", "./README.md ./a.txt ./b.TXT ./empty.txt"},
		{"basic", "-u a . --and e --not \\.", ". -name *a* -name *e* ! -name *.*", "./src/Makefile"},
		{"basic", "-u leaf --or ^main .", ". ( -name *leaf* -o -name main* )", "./src/lib/deep/er/leaf.go ./src/main.go"},
		{"basic", "-u -p /lib/.*go$ .", ". -path */lib/*go", "./src/lib/deep/er/leaf.go ./src/lib/lib.go"},
		{"basic", "-u -p -g **/lib/*.go .", ". -regex .*/lib/[^/]*\\.go", "./src/lib/lib.go"},
		{"links", "-u -T l . .", ". -type l", "./a/to-sub ./broken ./self ./to-dir ./to-file ./z/chain"},
		{"links", "-u -T d . .", ". -mindepth 1 -type d", "./a ./dir ./dir/sub ./z"},
		{"links", "-u . to-dir/", "to-dir/ -mindepth 1", "to-dir/inner to-dir/sub to-dir/sub/below"},
		{"loops", "-u . .", ". -mindepth 1", "./one ./one/two ./one/two/here ./one/two/three ./one/two/three/leaf ./one/two/top " +
			"./one/up ./x ./x/to-y ./y ./y/leaf ./y/to-x"},
	} {
		t.Run(row.ldx, func(t *testing.T) {
			dir, want := dirtest.Tree(t, row.tree), strings.Fields(row.want)
			find := strings.Fields(row.find)
			if !slices.Contains(find, "-print0") {
				find = append(find, "-print0")
			}
			slices.Sort(want)
			require.Equal(t, want, output(t, dir, "find", find...), "find %s", row.find)
			require.Equal(t, want, output(t, dir, "ldx", append([]string{"-0"}, strings.Fields(row.ldx)...)...), "ldx %s", row.ldx)
		})
	}
}

// TestFindAttributes does the same for tests on metadata. FILE stands for a
// file's inode number.
func TestFindAttributes(t *testing.T) {
	peer(t, "find")
	tree := dirtest.TempDir(t)
	fdTrees["attributes"](t, tree)
	info, err := os.Stat(filepath.Join(tree, "twin"))
	require.NoError(t, err)
	number := strings.NewReplacer("FILE", fmt.Sprint(reflect.ValueOf(info.Sys()).Elem().FieldByName("Ino").Uint()))
	for _, row := range [][2]string{
		{"-S +1000b", "-type f -size +999c"},
		{"-S 1k", "-type f -size 1000c"},
		{"-S -1ki -S +9b", "-type f -size -1025c -size +8c"},
		{"-S !+1k", "-type f -size -1000c"},
		{"--changed-within 1d", "-newermt @NOW-86400"},
		{"--changed-within 1d --changed-before 1h", "-newermt @NOW-86400 ! -newermt @NOW-3600"},
		{"--changed-within !1d", "! -newermt @NOW-86400"},
		{"--changed-before 2020-02-29T12:30:01Z", "! -newermt 2020-02-29T12:30:00Z"},
		{"--accessed-within 10h", "-newerat @NOW-36000"},
		{"--accessed-before 2020-03-01T00:00:00Z", "! -newerat 2020-02-29T23:59:59Z"},
		{"--status-changed-within 1h", "-newerct @NOW-3600"},
		{"--status-changed-before 1h", "! -newerct @NOW-3600"},
		{"--newer-than s03_10", "-newer s03_10"},
		{"--perm 600", "-perm 600"},
		{"--perm -111", "-perm -111"},
		{"--perm /u+s,o+t", "-perm /5000"},
		{"--perm u=rwx,go=rx", "-perm 755"},
		{"--perm !644", "! -perm 644"},
		{"--links 2", "-links 2"},
		{"--links +2", "-links +1"},
		{"--links -1", "-links -2"},
		{"--inode FILE", "-inum FILE"},
		{"--inode !FILE", "! -inum FILE"},
		{"--same-file twin", "-samefile twin"},
		{"--same-file !twin", "! -samefile twin"},
		{"-o 0", "-uid 0"},
		{"-o !0", "! -uid 0"},
		{"-o :2", "-gid 2"},
		{"-o !1:!0", "! -uid 1 ! -gid 0"},
		{"-T r", "-readable"},
		{"-T w -T d", "-type d -writable"},
		{"-T x -T d", "( -type f -o -type d ) -executable"},
		{"-T broken", "-xtype l"},
		{"-T l:d", "-type l -xtype d"},
		{"-T l:l", "-xtype l"},
		{"-T !l:f", "! ( -type l -xtype f )"},
		{"-T l:f,l:d", "-type l ( -xtype f -o -xtype d )"},
		{"-T l -T !broken", "-type l ! -xtype l"},
		{"-T !f", "! -type f"},
		{"-T !x -T f", "-type f ! -executable"},
		{"-T !e", "! -empty"},
		{"--min-depth 2", "-mindepth 2"},
		{"--exact-depth 1", "-mindepth 1 -maxdepth 1"},
		{"-e !txt", "! -iname *.txt"},
	} {
		t.Run(row[0], func(t *testing.T) {
			now := time.Now()
			question := strings.Fields(number.Replace(row[1]))
			for i, word := range question {
				if ago, ok := strings.CutPrefix(word, "@NOW-"); ok {
					seconds, err := strconv.Atoi(ago)
					require.NoError(t, err)
					question[i] = now.Add(-time.Duration(seconds) * time.Second).Format(time.RFC3339Nano)
				}
			}
			find := slices.Concat([]string{".", "-mindepth", "1"}, question, []string{"-print0"})
			want := output(t, tree, "find", find...)
			require.Equal(t, want, output(t, tree, "ldx",
				slices.Concat([]string{"-u0"}, strings.Fields(number.Replace(row[0])), []string{".", "."})...))
		})
	}
}

// TestFindRandom compares answers to random questions about random trees.
func TestFindRandom(t *testing.T) {
	peer(t, "find")
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d repeats this", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for range 20 {
		dir := dirtest.TempDir(t)
		dirtest.Random(t, dir, r.Uint64())
		for range 15 {
			ldx, find := randomQuestion(r, dir)
			require.Equal(t, output(t, dir, "find", find...), output(t, dir, "ldx", ldx...), "ldx %q\nfind %q", ldx, find)
		}
	}
}

// randomQuestion returns arguments with the same meaning for ldx and find.
func randomQuestion(r *rand.Rand, dir string) (ldx, find []string) {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	ldx = []string{"-0", "-j", pick("1", "2", "7")}
	var roots []string
	list, _ := os.ReadDir(dir)
	for range 1 + r.IntN(2) {
		root := "."
		if e := list[r.IntN(len(list))]; e.IsDir() && r.IntN(2) == 0 {
			root = "./" + e.Name() + pick("", "/")
		}
		roots = append(roots, root)
	}
	find = append(find, roots...)
	find = append(find, "-mindepth", "1")
	if r.IntN(3) == 0 {
		depth := pick("1", "2", "4")
		ldx, find = append(ldx, "-d", depth), append(find, "-maxdepth", depth)
	}
	if r.IntN(2) == 0 {
		ldx = append(ldx, pick("-H", "-u"))
	} else {
		find = append(find, "-name", ".*", "-prune", "-o")
	}
	switch kind := pick("", "f", "d", "l", "e", "x"); kind {
	case "":
	case "e":
		ldx, find = append(ldx, "-T", "e"), append(find, "-empty")
	case "x":
		ldx, find = append(ldx, "-T", "x"), append(find, "-type", "f", "-executable")
	default:
		ldx, find = append(ldx, "-T", kind), append(find, "-type", kind)
	}
	pattern := pick(".", "a", "B", `\.go$`, "^readme", "1", "é", "^-", "x y", `d\d.*\.`)
	switch pattern {
	case `\.go$`:
		find = append(find, "-iname", "*.go")
	case "^readme":
		find = append(find, "-iname", "readme*")
	case "^-":
		find = append(find, "-name", "-*")
	case `d\d.*\.`:
		find = append(find, "-regextype", "posix-extended", "-iregex", `.*/[^/]*d[0-9][^/]*\.[^/]*`)
	case "B":
		find = append(find, "-name", "*B*")
	case ".":
	default:
		find = append(find, "-iname", "*"+pattern+"*")
	}
	return append(append(ldx, "--", pattern), roots...), append(find, "-print0")
}

// TestWeirdNames compares names that are not valid text.
func TestWeirdNames(t *testing.T) {
	peer(t, "find")
	dir := dirtest.TempDir(t)
	for _, name := range dirtest.WeirdNames() {
		dirtest.Make(t, dir, name, filepath.Join("below", name)+"/"+name)
	}
	require.Equal(t, output(t, dir, "find", ".", "-mindepth", "1", "-print0"), output(t, dir, "ldx", "-u0", ".", "."))
	require.Equal(t, output(t, dir, "find", ".", "-name", "*[n]*", "-print0"), output(t, dir, "ldx", "-u0", "n", "."))
}
