package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// readRecords is a Python program. Its modules json and csv read the records of everything below
// the current directory, in the files json and csv; it prints what is not as the system says.
const readRecords = `
import base64, csv, datetime, grp, json, os, pwd, stat, sys

def name(get, number):
    try: return get(number)[0]
    except KeyError: return str(number)

types = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "symlink", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}
def seconds(text): # with nanoseconds
    whole, _, fraction = text.removesuffix("Z").partition(".")
    when = datetime.datetime.strptime(whole + "+0000", "%Y-%m-%dT%H:%M:%S%z")
    return int(when.timestamp()) * 10**9 + int((fraction + "000000000")[:9])

def known(path, depth):
    s = os.lstat(path)
    yield "path", path
    yield "type", types[stat.S_IFMT(s.st_mode)].encode()
    yield "size", s.st_size
    yield "mtime", s.st_mtime_ns
    yield "mode", stat.filemode(s.st_mode).encode()
    yield "user", name(pwd.getpwuid, s.st_uid).encode()
    yield "group", name(grp.getgrgid, s.st_gid).encode()
    yield "inode", s.st_ino
    yield "links", s.st_nlink
    yield "depth", depth
    if stat.S_ISLNK(s.st_mode):
        yield "target", os.readlink(path)

want = {}
for dir, dirs, files in os.walk(b"."):
    for entry in dirs + files:
        path = os.path.join(dir, entry)[2:]
        if path[:1] == b"-": path = b"./" + path
        want[path] = dict(known(path, path.removeprefix(b"./").count(b"/") + 1))

def value(key, text):
    if key == "mtime": return seconds(text)
    if isinstance(text, int): return text
    try: return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError: print("not text:", text)

def compare(form, rows):
    have = {row["path"]: row for row in rows}
    if len(have) != len(rows): print(form, "has a path twice")
    for path in want.keys() | have.keys():
        if want.get(path) != have.get(path): print(form, path, have.get(path), "and not", want.get(path))

def unpack(key, text):
    if key.endswith("_b64"): return key.removesuffix("_b64"), base64.b64decode(text, validate=True)
    return key, value(key, text)

rows = []
with open(sys.argv[1], "rb") as f:
    for line in f.read().split(b"\n")[:-1]:
        rows.append(dict(unpack(*pair) for pair in json.loads(line.decode("utf-8", "strict")).items()))
compare("json", rows)
rows = []
numbers = {"size", "inode", "links", "depth"}
with open(sys.argv[2], encoding="utf-8", errors="surrogateescape", newline="") as f:
    for row in csv.DictReader(f, strict=True):
        rows.append({k: value(k, int(v) if k in numbers else v) for k, v in row.items() if k != "target" or v})
compare("csv", rows)
print(len(rows))
`

// TestRecords has Python read the records of names that are hard to write, with several workers.
func TestRecords(t *testing.T) {
	peer(t, "python3")
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	tree := dirtest.TempDir(t)
	names := dirtest.WeirdNames()
	for i := range 300 {
		name := fmt.Sprint(i)
		for range 1 + r.IntN(40) {
			if c := byte(r.IntN(256)); c != 0 && c != '/' {
				name += string([]byte{c})
			}
		}
		for range r.IntN(3) {
			name += string([]rune{'"', ',', '\n', '\r', '\\', 0x2028, 0x202e, 0x7f, 0x9b, 0xfeff, 0xfffd, 0x10ffff, '🦀'}[r.IntN(13)])
		}
		names = append(names, name)
	}
	want := 0
	for _, dir := range []string{"", "dir\xfe\n", `d"ir,`} {
		require.NoError(t, os.MkdirAll(filepath.Join(tree, dir), 0o755))
		for i, name := range names {
			path := filepath.Join(tree, dir, name)
			var err error
			switch i % 5 {
			case 0:
				err = os.Symlink(names[r.IntN(len(names))], path)
			case 1:
				err = os.Mkdir(path, 0o700)
			default:
				err = os.WriteFile(path, make([]byte, i), 0o644)
			}
			if err == nil { // the file system may have other rules for names
				want++
			}
		}
	}
	dirtest.Random(t, filepath.Join(tree, `d"ir,`), seed)
	files := dirtest.TempDir(t)
	for _, form := range []string{"json", "csv"} {
		cmd := exec.Command("ldx", "-u", "-j4", "--"+form)
		cmd.Dir = tree
		var err error
		cmd.Stdout, err = os.Create(filepath.Join(files, form))
		require.NoError(t, err)
		require.NoError(t, cmd.Run())
	}
	cmd := exec.Command("python3", "-c", readRecords, filepath.Join(files, "json"), filepath.Join(files, "csv"))
	cmd.Dir = tree
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, 1, "%s", out)
	var n int
	_, err = fmt.Sscan(lines[0], &n)
	require.NoError(t, err)
	assert.Greater(t, n, want)

	if _, err := exec.LookPath("jq"); err != nil {
		return
	}
	text, err := os.ReadFile(filepath.Join(files, "json"))
	require.NoError(t, err)
	cmd = exec.Command("jq", "-c", ".")
	cmd.Stdin = bytes.NewReader(text)
	out, err = cmd.Output()
	require.NoError(t, err)
	assert.Equal(t, n, bytes.Count(out, []byte("\n")))
}
