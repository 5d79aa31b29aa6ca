package main

import (
	"fmt"
	"runtime"
	"slices"
)

// A scenario is a task for ldx, and for its peers in their arguments.
type scenario struct {
	name   string
	what   string
	tree   string // see trees.path
	args   []string
	peers  []peer
	memory float64 // limit on ldx's memory in MiB; 0: none
	short  bool    // it takes milliseconds: run it more often
	cold   bool
	quiet  bool // the number of printed lines is not the number of entries
}

// A peer is another program, or ldx with other arguments.
type peer struct {
	tool        string
	args        []string
	maxRatio    float64 // limit on the ratio of wall times; 0: none
	maxCPURatio float64
	as          string // its name, if not the tool's
	way         string // what it does otherwise, for README.md; "": it is another program
}

func (p peer) name() string {
	if p.as != "" {
		return p.as
	}
	return p.tool
}

// treeArg stands for the tree in arguments.
const treeArg = "TREE"

// scenarios returns all scenarios. The limits are this project's own.
func scenarios() []scenario {
	return slices.Concat(walks(), patterns(), attributes(), commands(), usage(), shapes(), workers())
}

func walks() []scenario {
	ldx := []string{"-u", ".", treeArg}
	return []scenario{
		{
			name: "complete", what: "every path", tree: "main", args: ldx, memory: 25,
			peers: []peer{
				{tool: "fd", args: []string{"-uu", ".", treeArg}, maxRatio: 0.45, maxCPURatio: 0.50},
				{tool: "fdf", args: []string{".", treeArg, "-HI"}, maxRatio: 0.92},
				{tool: "bfs", args: []string{treeArg, "-mindepth", "1"}, maxRatio: 0.58},
				{tool: "find", args: []string{treeArg, "-mindepth", "1"}, maxRatio: 0.40},
			},
		},
		{
			name: "complete-cold", what: "every path of one /usr, cold cache", tree: "one", args: ldx, cold: true,
			peers: []peer{
				{tool: "fd", args: []string{"-uu", ".", treeArg}},
				{tool: "fdf", args: []string{".", treeArg, "-HI"}},
				{tool: "bfs", args: []string{treeArg, "-mindepth", "1"}},
				{tool: "find", args: []string{treeArg, "-mindepth", "1"}},
			},
		},
		{
			name: "ten-times", what: "the number of entries, of the same tree ten times", tree: "main",
			args: append([]string{"-u", "--count", "."}, slices.Repeat([]string{treeArg}, 10)...), memory: 25,
		},
		{
			name: "ignore", what: "a folder of repositories, ignore rules respected", tree: "repositories", args: []string{".", treeArg},
			peers: []peer{{tool: "fd", args: []string{".", treeArg}, maxRatio: 0.45}},
		},
		{
			name: "one-worker", what: "every path, one worker", tree: "main", args: []string{"-u", "-j1", ".", treeArg},
			peers: []peer{
				{tool: "fd", args: []string{"-uu", "-j1", ".", treeArg}, maxRatio: 0.50},
				{tool: "fdf", args: []string{".", treeArg, "-HI", "-j", "1"}},
				{tool: "find", args: []string{treeArg, "-mindepth", "1"}},
			},
		},
		{
			name: "count", what: "the number of entries (--count)", tree: "main", args: []string{"-u", "--count", ".", treeArg},
			peers: []peer{{tool: "localdex", args: []string{"-a", treeArg}, maxRatio: 0.45}},
		},
		{
			name: "follow", what: "links followed (-L)", tree: "links", args: []string{"-u", "-L", ".", treeArg},
			peers: []peer{
				{tool: "fd", args: []string{"-uu", "-L", ".", treeArg}},
				{tool: "bfs", args: []string{"-L", treeArg, "-mindepth", "1"}},
				{tool: "find", args: []string{"-L", treeArg, "-mindepth", "1"}},
			},
		},
		{
			name: "start-up", what: "an empty directory", tree: "empty", args: ldx, short: true,
			peers: []peer{
				{tool: "fd", args: []string{"-uu", ".", treeArg}, maxRatio: 0.70},
				{tool: "fdf", args: []string{".", treeArg, "-HI"}},
				{tool: "bfs", args: []string{treeArg, "-mindepth", "1"}},
				{tool: "find", args: []string{treeArg, "-mindepth", "1"}},
			},
		},
	}
}

func patterns() []scenario {
	fd := func(maxRatio float64, args ...string) peer {
		return peer{tool: "fd", args: append([]string{"-uu"}, append(args, treeArg)...), maxRatio: maxRatio}
	}
	asked := func(name, what string, maxRatio float64, args ...string) scenario {
		return scenario{
			name: name, what: what, tree: "main", args: append([]string{"-u"}, append(args, treeArg)...), peers: []peer{fd(maxRatio, args...)},
		}
	}
	expression := func(name, pattern string) scenario { return asked(name, "`"+pattern+"`", 0.55, pattern) }
	named := func(s scenario, glob string) scenario {
		s.peers = append(s.peers, peer{tool: "bfs", args: []string{treeArg, "-mindepth", "1", "-iname", glob}},
			peer{tool: "find", args: []string{treeArg, "-mindepth", "1", "-iname", glob}})
		return s
	}
	return []scenario{
		named(asked("pattern", "a word", 0.55, "readme"), "*readme*"),
		named(asked("fixed", "a literal (-F)", 0.50, "-F", "readme"), "*readme*"),
		named(asked("glob", "a glob (-g '*.so')", 0.50, "-g", "*.so"), "*.so"),
		named(asked("extension", "an extension (-e so)", 0.50, "-e", "so", "."), "?*.so"),
		expression("suffixes", `.*[0-9].*(md|\.c)$`),
		expression("any-case", `(?i)test.*\.(py|rs)$`),
		expression("prefix", `^lib.*\.so(\.\d+)*$`),
		expression("class", `[a-f0-9]{8,}`),
		expression("alternatives", `(foo|bar|baz)\d+`),
		named(asked("early-quit", "the first match of a common word (-1)", 0, "-1", "-F", "readme"), "*readme*").quitting(),
	}
}

// quitting makes find and bfs stop at the first result.
func (s scenario) quitting() scenario {
	s.short = true
	for i := range s.peers {
		if tool := s.peers[i].tool; tool == "find" || tool == "bfs" {
			s.peers[i].args = append(s.peers[i].args, "-print", "-quit")
		}
	}
	return s
}

func attributes() []scenario {
	typed := func(name, what, ours, theirs string, maxRatio float64, more ...peer) scenario {
		return scenario{
			name: name, what: what, tree: "main", args: []string{"-u", "-T", ours, ".", treeArg},
			peers: append([]peer{{tool: "fd", args: []string{"-uu", "-t", theirs, ".", treeArg}, maxRatio: maxRatio}}, more...),
		}
	}
	kin := func(args ...string) []peer {
		args = append([]string{treeArg, "-mindepth", "1"}, args...)
		return []peer{{tool: "bfs", args: args}, {tool: "find", args: args}}
	}
	asked := func(name, what string, more []peer, args ...string) scenario {
		return scenario{
			name: name, what: what, tree: "main", args: append([]string{"-u"}, append(args, ".", treeArg)...),
			peers: append([]peer{{tool: "fd", args: append([]string{"-uu"}, append(args, ".", treeArg)...), maxRatio: 0.60}}, more...),
		}
	}
	return []scenario{
		typed("directories", "directories (-T d)", "d", "d", 0.50, kin("-type", "d")...),
		typed("files", "files (-T f)", "f", "f", 0.50,
			append(kin("-type", "f"), peer{tool: "rg", args: []string{"--files", "-uuu", treeArg}})...),
		typed("executable", "executables (-T x)", "x", "x", 0.60),
		asked("size", "a size (-S +1m)", kin("-type", "f", "-size", "+999999c"), "-S", "+1m"),
		asked("changed", "a time (--changed-within 1d)", kin("-mtime", "0"), "--changed-within", "1d"),
	}
}

func commands() []scenario {
	return []scenario{
		{
			name: "exec", what: "a command for each of 2,000 files (-x)", tree: "small", quiet: true,
			args: []string{"-u", "-T", "f", ".", treeArg, "-x", "true"},
			peers: []peer{
				{tool: "fd", args: []string{"-uu", "-t", "f", ".", treeArg, "-x", "true"}},
				{tool: "find", args: []string{treeArg, "-type", "f", "-exec", "true", "{}", ";"}},
			},
		},
		{
			name: "batch", what: "one command for all (-X)", tree: "main", quiet: true, args: []string{"-u", ".", treeArg, "-X", "true"},
			peers: []peer{
				{tool: "fd", args: []string{"-uu", ".", treeArg, "-X", "true"}, maxRatio: 1},
				{tool: "find", args: []string{treeArg, "-mindepth", "1", "-exec", "true", "{}", "+"}},
			},
		},
		{
			name: "sort", what: "all paths sorted (--sort path)", tree: "main", args: []string{"-u", "--sort", "path", ".", treeArg},
			peers: []peer{{tool: "ldx", as: "ldx with the paths as they are found", way: "no sorting", args: []string{"-u", ".", treeArg}}},
		},
	}
}

// usage returns the scenarios of ldx du.
func usage() []scenario {
	return []scenario{
		{
			name: "du", what: "ldx du -s", tree: "main", quiet: true, memory: 60, args: []string{"du", "-s", treeArg},
			peers: []peer{
				{tool: "diskus", args: []string{treeArg}, maxRatio: 0.90, maxCPURatio: 1},
				{tool: "du", args: []string{"-s", treeArg}, maxRatio: 0.55},
				{tool: "dust", args: []string{"-P", "-d", "0", treeArg}, maxRatio: 0.65},
			},
		},
		{
			name: "du-directories", what: "ldx du", tree: "main", memory: 60, args: []string{"du", treeArg},
			peers: []peer{{tool: "du", args: []string{treeArg}, maxRatio: 0.65}},
		},
	}
}

// shapes returns scenarios with unusual trees.
func shapes() []scenario {
	asked := func(name, what, tree string) scenario {
		return scenario{
			name: name, what: what, tree: tree, args: []string{"-u", ".", treeArg}, memory: 25,
			peers: []peer{
				{tool: "fd", args: []string{"-uu", ".", treeArg}, maxRatio: 0.45},
				{tool: "fdf", args: []string{".", treeArg, "-HI"}},
				{tool: "bfs", args: []string{treeArg, "-mindepth", "1"}},
				{tool: "find", args: []string{treeArg, "-mindepth", "1"}},
			},
		}
	}
	deep := asked("deepest", "a chain of 5,000 directories", "chain")
	deep.short = true
	return []scenario{
		asked("huge", "one directory of a million entries", "huge"),
		asked("deep", "twenty chains of 1,500 directories", "deep"),
		deep,
	}
}

// workers returns scenarios with more workers than processors.
func workers() (all []scenario) {
	cores := runtime.GOMAXPROCS(0)
	count := func(workers int) []string {
		return []string{"-u", "-j", fmt.Sprint(workers), "--count", ".", treeArg}
	}
	for _, times := range []int{2, 4} {
		all = append(all, scenario{
			name: fmt.Sprintf("workers-%dx", times), what: fmt.Sprintf("%d workers per processor", times), tree: "main",
			args:  count(times * cores),
			peers: []peer{{tool: "ldx", as: "ldx with as many", way: "one per processor", args: count(cores), maxRatio: 1.05}},
		})
	}
	return all
}
