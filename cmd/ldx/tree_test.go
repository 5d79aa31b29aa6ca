package main

import (
	"maps"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ldx/internal/dirtest"
)

// branches is a tree of names.
type branches map[string]branches

func (b branches) add(path []string) {
	if len(path) == 0 {
		return
	}
	if b[path[0]] == nil {
		b[path[0]] = branches{}
	}
	b[path[0]].add(path[1:])
}

// draw appends the lines of a tree, from the top.
func (b branches) draw(lines []string, before string) []string {
	names := slices.Sorted(maps.Keys(b))
	for i, name := range names {
		own, below := "├── ", "│   "
		if i == len(names)-1 {
			own, below = "└── ", "    "
		}
		lines = append(lines, before+own+name)
		lines = b[name].draw(lines, before+below)
	}
	return lines
}

// TestTree compares --tree with a tree that is drawn of all results at once.
func TestTree(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the drawing to compare with has the paths of Unix")
	}
	seed := dirtest.Setting(t, "LDX_SEED", rand.Uint64())
	t.Logf("LDX_SEED=%d", seed)
	for i := range 10 {
		root := dirtest.TempDir(t)
		dirtest.Random(t, root, seed+uint64(i))
		t.Setenv("LC_ALL", "C.UTF-8")
		for _, args := range [][]string{{"-u", "."}, {"-u", "e"}, {"-u", "-T", "f", "[13]"}, {"a"}, {"^nothing$"}, {"-u", "-L", "md"}} {
			args = append(args, "--trailing-slash=never", "--strip-cwd-prefix")
			plain := exec.Command("ldx", append(args, "--sort", "path")...)
			tree := exec.Command("ldx", append(args, "--tree", "-j4")...)
			plain.Dir, tree.Dir = root, root
			found, err := plain.Output()
			require.NoError(t, err)
			got, err := tree.Output()
			require.NoError(t, err)
			all := branches{}
			for line := range strings.Lines(string(found)) {
				all.add(strings.Split(strings.TrimPrefix(strings.TrimSpace(line), "./"), "/"))
			}
			var want []string
			if len(all) > 0 {
				want = all.draw([]string{"."}, "")
			}
			require.Equal(t, strings.Join(want, "\n"), strings.TrimSuffix(string(got), "\n"), args)
		}
	}
}
