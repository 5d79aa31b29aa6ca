package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// TestWhereRandom asks GNU find and --where the same random questions about random trees.
func TestWhereRandom(t *testing.T) {
	peer(t, "find")
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d repeats this", seed)
	q := &questions{Rand: rand.New(rand.NewPCG(seed, 7)), now: time.Now()}
	const each = 20
	some := 0
	for range dirtest.Setting(t, "LDX_EXPRESSIONS", 500) / each {
		dir := dirtest.TempDir(t)
		dirtest.Random(t, dir, q.Uint64())
		q.change(t, dir)
		for range each {
			ldx, find := q.either(q.IntN(5))
			find = slices.Concat([]string{".", "-regextype", "posix-extended", "-mindepth", "1"}, find, []string{"-print0"})
			want := output(t, dir, "find", find...)
			require.Equal(t, want, output(t, dir, "ldx", "-u0", "--where", ldx, ".", "."), "seed %d\n--where %q\nfind %q", seed, ldx, find)
			if len(want) > 0 {
				some++
			}
		}
	}
	require.NotZero(t, some)
}

// questions are random expressions of --where, each with the same one for find.
type questions struct {
	*rand.Rand
	now   time.Time
	names []string
}

// change gives the entries of a tree random times, owners, permissions and links.
func (q *questions) change(t *testing.T, dir string) {
	q.names = nil
	dirtest.Make(t, dir, "broken -> nowhere", "z -> broken")
	files := []string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		q.names = append(q.names, e.Name())
		if e.Type() == fs.ModeSymlink {
			return nil
		}
		if e.Type() == 0 {
			files = append(files, path)
			require.NoError(t, os.Chmod(path, fs.FileMode(0o400|q.IntN(0o1000))))
		}
		if os.Geteuid() == 0 {
			require.NoError(t, os.Lchown(path, q.IntN(4), q.IntN(4)))
		}
		return os.Chtimes(path, q.time(), q.time())
	}))
	for i := range 5 {
		if path := files[q.IntN(len(files))]; filepath.Ext(path) != ".twin" {
			require.NoError(t, os.Link(path, fmt.Sprint(path, i, ".twin")))
		}
	}
}

// time returns one of few times, so that some are equal to those in expressions.
func (q *questions) time() time.Time { return time.Unix(q.now.Unix()-3600*24*int64(q.IntN(10)), 0) }

func (q *questions) pick(from ...string) string { return from[q.IntN(len(from))] }

func (q *questions) either(depth int) (ldx string, find []string) {
	return q.joined(depth, q.pick(" or ", " OR\t"), "-o", q.both)
}

func (q *questions) both(depth int) (ldx string, find []string) {
	return q.joined(depth, q.pick(" and ", "  And "), "-a", q.one)
}

func (q *questions) joined(depth int, word, op string, part func(int) (string, []string)) (string, []string) {
	ldx, find := part(depth)
	for q.IntN(5) < 2 {
		more, also := part(depth)
		ldx += word + more
		find = slices.Concat([]string{"("}, find, []string{op}, also, []string{")"})
	}
	return ldx, find
}

func (q *questions) one(depth int) (ldx string, find []string) {
	switch {
	case depth > 0 && q.IntN(3) == 0:
		ldx, find = q.either(depth - 1)
		return "(" + ldx + ")", find
	case depth > 0 && q.IntN(4) == 0:
		ldx, find = q.one(depth - 1)
		return "not " + ldx, slices.Concat([]string{"(", "!"}, find, []string{")"})
	}
	ldx, question := [...]func() (string, string){
		q.types, q.extension, q.name, q.path, q.depth, q.size, q.time2, q.age, q.number, q.mode, q.owner, q.state, q.target,
	}[q.IntN(13)]()
	return ldx, slices.Concat([]string{"("}, strings.Split(question, "\x00"), []string{")"})
}

// args joins the arguments of find.
func args(words ...string) string { return strings.Join(words, "\x00") }

func (q *questions) types() (ldx, find string) {
	a, b := q.pick("f", "d", "l"), q.pick("f", "d", "l")
	return [...]func() (string, string){
		func() (string, string) { return "type = " + a, args("-type", a) },
		func() (string, string) { return "type!=" + a, args("!", "-type", a) },
		func() (string, string) { return "type in (" + a + ", " + b + ")", args("-type", a, "-o", "-type", b) },
		func() (string, string) { return "type not in(directory)", args("!", "-type", "d") },
	}[q.IntN(4)]()
}

func (q *questions) extension() (ldx, find string) {
	return [...]func() (string, string){
		func() (string, string) { return "ext = go", args("-iname", "?*.go") },
		func() (string, string) { return "ext = tar.gz", args("-iname", "?*.tar.gz") },
		func() (string, string) { return "ext in (GO,'txt')", args("-iname", "?*.go", "-o", "-iname", "?*.txt") },
		func() (string, string) { return `ext = ""`, args("!", "-name", "?*.*") },
		func() (string, string) { return "ext not in ('', md)", args("-name", "?*.*", "!", "-iname", "?*.md") },
		func() (string, string) { return "ext like ?[o-z]", args("-iregex", `.*/[^/]+\.[^/.][o-z]`) },
		func() (string, string) { return "ext ~ T", args("-regex", `.*/[^/]+\.[^/.]*T[^/.]*`) },
	}[q.IntN(7)]()
}

func (q *questions) name() (ldx, find string) {
	name := q.names[q.IntN(len(q.names))]
	how := "-name"
	if strings.ToLower(name) == name {
		how = "-iname"
	}
	return [...]func() (string, string){
		func() (string, string) { return "name = '" + name + "'", args(how, name) },
		func() (string, string) { return `name != "` + name + `"`, args("!", how, name) },
		func() (string, string) {
			return "name in ('" + name + "', readme1)", args(how, name, "-o", how, "readme1")
		},
		func() (string, string) { return "name like *[1-3]*", args("-name", "*[1-3]*") },
		func() (string, string) { return "name not like B?*", args("!", "-name", "B?*") },
		func() (string, string) { return `name ~ \.go$`, args("-iname", "*.go") },
		func() (string, string) { return `name !~ '^(a|B)\d'`, args("!", "-regex", `.*/(a|B)[0-9][^/]*`) },
	}[q.IntN(7)]()
}

func (q *questions) path() (ldx, find string) {
	return [...]func() (string, string){
		func() (string, string) { return "path ~ /a.*lib", args("-iregex", `.*/a.*lib.*`) },
		func() (string, string) { return "path like ./*/*1*", args("-regex", `\./[^/]*/[^/]*1[^/]*`) },
		func() (string, string) {
			return "path like **/lib*/**/*.go", args("-iregex", `.*/lib[^/]*/(.*/)?[^/]*\.go`)
		},
	}[q.IntN(3)]()
}

func (q *questions) depth() (ldx, find string) {
	n := 1 + q.IntN(4)
	levels := func(from, to int) string { return args("-regex", fmt.Sprintf(`\.(/[^/]*){%d,%d}`, from, to)) }
	return [...]func() (string, string){
		func() (string, string) { return fmt.Sprint("depth = ", n), levels(n, n) },
		func() (string, string) { return fmt.Sprint("depth<=", n), levels(1, n) },
		func() (string, string) { return fmt.Sprint("depth > ", n), levels(n+1, 20) },
	}[q.IntN(3)]()
}

// compared returns a comparison of whole numbers, for find with a unit.
func (q *questions) compared(property, test string, n int, ldxUnit, findUnit string) (ldx, find string) {
	op, bound := q.pick("=", "!=", "<", "<=", ">", ">="), ""
	switch op {
	case "=", "!=":
		bound = fmt.Sprint(n)
	case "<":
		bound = fmt.Sprint("-", n)
	case "<=":
		bound = fmt.Sprint("-", n+1)
	case ">":
		bound = fmt.Sprint("+", n)
	case ">=": // there is no +-1
		return fmt.Sprint(property, " >= ", n, ldxUnit), args("!", test, fmt.Sprint("-", n, findUnit))
	}
	ldx, find = property+" "+op+" "+fmt.Sprint(n)+ldxUnit, args(test, bound+findUnit)
	if op == "!=" {
		find = args("!", find)
	}
	return ldx, find
}

func (q *questions) size() (ldx, find string) {
	ldx, find = q.compared("size", "-size", q.IntN(3)*q.IntN(2000), q.pick("", "b"), "c")
	if rest, not := strings.CutPrefix(find, args("!", "")); not && strings.Contains(ldx, "!=") {
		return ldx, args("!", "(", "-type", "f", rest, ")")
	}
	return ldx, args("-type", "f", find)
}

// time2 compares with a date.
func (q *questions) time2() (ldx, find string) {
	clock, op, then := q.pick("m", "a"), q.pick("<", "<=", ">", ">="), q.time()
	value := q.pick(fmt.Sprintf("@%d", then.Unix()), then.Format(time.RFC3339), "'"+then.Format(time.DateTime)+"'")
	bound, test := fmt.Sprintf("@%d", then.Unix()), "-newer"+clock+"t"
	if op == "<" || op == ">=" {
		bound = fmt.Sprintf("@%d.999999999", then.Unix()-1)
	}
	find = args(test, bound)
	if op[0] == '<' {
		find = args("!", find)
	}
	return q.pick(clock+"time", map[string]string{"m": "modified", "a": "accessed"}[clock]) + " " + op + " " + value, find
}

// age compares with a duration, far from all ages.
func (q *questions) age() (ldx, find string) {
	clock, hours := q.pick("m", "a", "c"), 24*q.IntN(10)+12
	find = args("-newer"+clock+"t", fmt.Sprintf("@%d", q.now.Add(-time.Duration(hours)*time.Hour).Unix()))
	op := q.pick("<", "<=", ">", ">=")
	if op[0] == '>' {
		find = args("!", find)
	}
	return fmt.Sprintf("%stime %s %dh", clock, op, hours), find
}

func (q *questions) number() (ldx, find string) {
	property := q.pick("links", "uid", "gid")
	return q.compared(property, "-"+property, q.IntN(4), "", "")
}

func (q *questions) mode() (ldx, find string) {
	mode := q.pick("644", "-111", "/222", "u=rw", "-u=x,g=r", "/o+w", "755")
	return q.pick("mode", "perm") + " = " + mode, args("-perm", mode)
}

func (q *questions) owner() (ldx, find string) {
	id := fmt.Sprint(q.IntN(4))
	return [...]func() (string, string){
		func() (string, string) { return "user = root", args("-user", "root") },
		func() (string, string) { return "user != " + id, args("!", "-uid", id) },
		func() (string, string) { return "group in (1, " + id + ")", args("-gid", "1", "-o", "-gid", id) },
	}[q.IntN(3)]()
}

func (q *questions) state() (ldx, find string) {
	return [...]func() (string, string){
		func() (string, string) { return "hidden", args("-name", ".*") },
		func() (string, string) { return "empty", args("-empty") },
		func() (string, string) { return "executable", args("-type", "f", "-executable") },
		func() (string, string) { return "readable", args("-readable") },
		func() (string, string) { return "broken", args("-xtype", "l") },
	}[q.IntN(5)]()
}

func (q *questions) target() (ldx, find string) {
	return [...]func() (string, string){
		func() (string, string) { return "target like ../*", args("-ilname", "../*") },
		func() (string, string) { return "target = nowhere", args("-ilname", "nowhere") },
		func() (string, string) { return "target ~ B", args("-lname", "*B*") },
	}[q.IntN(3)]()
}

// An expression asks the system for no more than the flags that it replaces, in whatever order
// it is written.
func TestWhereAsksNoMore(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("listings have the sizes")
	}
	dir := dirtest.TempDir(t)
	dirtest.Random(t, dir, 5)
	calls := func(args ...string) string {
		cmd := exec.Command("ldx", append(args, "-uj1", "--stats", "--no-index", ".", ".")...)
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		require.NoError(t, cmd.Run(), stderr.String())
		return regexp.MustCompile(`system calls +(\d+)`).FindString(stderr.String())
	}
	none := calls()
	for _, row := range [][]string{
		{"-egox", "size > 1k and ext = gox", "not (ext != gox or size <= 1k)", "(mtime < 1d or size > 1k) and ext = gox"},
		{"-ego", "ext = go or size > 1k and ext = nope", "(ext = go or ext = md and empty and name = x)"},
		{"-S+1k", "size >= 1k", "size >= 1k and type = f and (size >= 1k or mtime < 1d)"},
		{"-Te", "empty", "empty and not broken and type in (f, d)"},
	} {
		want := calls(row[0])
		for _, expression := range row[1:] {
			require.Equal(t, want, calls("--where", expression), expression)
		}
	}
	require.NotEqual(t, none, calls("--where", "size > 1k"))
}
