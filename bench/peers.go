package main

import (
	"fmt"
	"path/filepath"
	"runtime"
)

// A scenario is something that is asked of ldx, and of its peers in their words.
type scenario struct {
	name    string
	command []string
	peers   []peer
	short   bool // takes milliseconds: more runs
}

// A peer is another program, or ldx in another way.
type peer struct {
	command []string
	atMost  float64 // the ratio of wall times that ldx is to keep
}

func (p peer) name() string {
	name := filepath.Base(p.command[0])
	if name == "ldx" {
		return fmt.Sprint(name, p.command[1:len(p.command)-2])
	}
	return name
}

func scenarios(ldx, tree, empty string) []scenario {
	cores := runtime.GOMAXPROCS(0)
	count := func(workers int) []string {
		return []string{ldx, fmt.Sprint("-uj", workers), "--count", ".", tree}
	}
	pattern := func(name, expression string) scenario {
		return scenario{
			name:    "regexp-" + name,
			command: []string{ldx, "-u", expression, tree},
			peers:   []peer{{[]string{"fd", "-uu", expression, tree}, 0.55}},
		}
	}
	return []scenario{
		{
			name:    "all",
			command: []string{ldx, "-u", ".", tree},
			peers: []peer{
				{[]string{"fd", "-uu", ".", tree}, 0.45},
				{[]string{"fdf", ".", tree, "-HI"}, 0.92},
				{[]string{"bfs", tree, "-mindepth", "1"}, 0.58},
				{[]string{"find", tree, "-mindepth", "1"}, 0.40},
			},
		},
		{
			name:    "default",
			command: []string{ldx, ".", tree},
			peers:   []peer{{[]string{"fd", ".", tree}, 0.45}},
		},
		{
			name:    "one-worker",
			command: []string{ldx, "-u", "-j1", ".", tree},
			peers:   []peer{{[]string{"fd", "-uu", "-j1", ".", tree}, 0.50}},
		},
		{
			name:    "literal",
			command: []string{ldx, "-u", "readme", tree},
			peers:   []peer{{[]string{"fd", "-uu", "readme", tree}, 0.55}},
		},
		{
			name:    "extension",
			command: []string{ldx, "-u", "-e", "so", ".", tree},
			peers:   []peer{{[]string{"fd", "-uu", "-e", "so", ".", tree}, 0.50}},
		},
		{
			name:    "glob",
			command: []string{ldx, "-u", "-g", "*.so", tree},
			peers:   []peer{{[]string{"fd", "-uu", "-g", "*.so", tree}, 0.50}},
		},
		{
			name:    "fixed",
			command: []string{ldx, "-u", "-F", "readme", tree},
			peers:   []peer{{[]string{"fd", "-uu", "-F", "readme", tree}, 0.50}},
		},
		pattern("suffixes", `.*[0-9].*(md|\.c)$`),
		pattern("any-case", `(?i)test.*\.(py|rs)$`),
		pattern("prefix", `^lib.*\.so(\.\d+)*$`),
		pattern("class", `[a-f0-9]{8,}`),
		pattern("alternatives", `(foo|bar|baz)\d+`),
		{
			name:    "directories",
			command: []string{ldx, "-u", "-T", "d", ".", tree},
			peers:   []peer{{[]string{"fd", "-uu", "-t", "d", ".", tree}, 0.50}},
		},
		{
			name:    "size",
			command: []string{ldx, "-u", "-S", "+1m", ".", tree},
			peers:   []peer{{[]string{"fd", "-uu", "-S", "+1m", ".", tree}, 0.60}},
		},
		{
			name:    "changed",
			command: []string{ldx, "-u", "--changed-within", "1d", ".", tree},
			peers:   []peer{{[]string{"fd", "-uu", "--changed-within", "1d", ".", tree}, 0.60}},
		},
		{
			name:    "executable",
			command: []string{ldx, "-u", "-T", "x", ".", tree},
			peers:   []peer{{[]string{"fd", "-uu", "-t", "x", ".", tree}, 0.60}},
		},
		{
			name:    "batch",
			command: []string{ldx, "-u", ".", tree, "-X", "true"},
			peers:   []peer{{[]string{"fd", "-uu", ".", tree, "-X", "true"}, 1}},
		},
		{
			name:    "twice-the-workers",
			command: count(2 * cores),
			peers:   []peer{{count(cores), 1.05}},
		},
		{
			name:    "start-up",
			command: []string{ldx, "-u", ".", empty},
			peers: []peer{
				{[]string{"fd", "-uu", ".", empty}, 0.70},
				{[]string{"bfs", empty, "-mindepth", "1"}, 0},
			},
			short: true,
		},
	}
}
