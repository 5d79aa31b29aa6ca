package ignore

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"ldx/internal/dir"
)

// A repository is what git keeps for a working tree.
type repository struct {
	exclude    *file // info/exclude
	global     *file // core.excludesFile
	ignoreCase bool  // core.ignoreCase
}

// foldsCase reports whether git's rules ignore case; r may be nil.
func (r *repository) foldsCase() bool { return r != nil && r.ignoreCase }

// git reads what git reads besides .gitignore. It is safe for concurrent use.
type git struct {
	ig     *Ignorer
	home   string        // the user's; "" if there is none
	config string        // where git's own files in XDG_CONFIG_HOME would be
	ignore func() string // the path of the one for ignoring; "" if there is none

	mu       sync.Mutex
	settings map[string][]setting // of the user's and the system's files, by path
	globals  map[globalKey]*file
}

type globalKey struct {
	path string
	fold bool
}

func newGit(ig *Ignorer) *git {
	g := &git{ig: ig, settings: map[string][]setting{}, globals: map[globalKey]*file{}}
	home := ig.opt.Getenv("HOME")
	if home == "" && os.PathSeparator == '\\' {
		home = ig.opt.Getenv("USERPROFILE")
	}
	if home != "" {
		g.home = withSlash(home)
		g.config = g.home + ".config/git/"
	}
	if config := ig.opt.Getenv("XDG_CONFIG_HOME"); config != "" {
		g.config = withSlash(config) + "git/"
	}
	g.ignore = sync.OnceValue(func() (path string) {
		look(strings.TrimSuffix(g.config, "git/"), []string{"git"}, func(_ *dir.Dir, has Names) {
			if has == 0 {
				return
			}
			look(g.config, []string{"ignore"}, func(_ *dir.Dir, has Names) {
				if has != 0 {
					path = g.config + "ignore"
				}
			})
		})
		return path
	})
	return g
}

// outside returns what the configuration says of a directory, as if it were a
// repository.
func (g *git) outside(at *gitDir) *repository {
	config := g.read(at)
	return &repository{
		exclude:    &file{},
		global:     g.global(config.excludesFile, at.top, config.ignoreCase),
		ignoreCase: config.ignoreCase,
	}
}

// open returns the repository whose working tree is at top, which has .git or .jj
// and whose files read reads. What has a .git that git would not take for one is a repository only if it
// is the outermost: then git has no opinion, and the user means something by it.
func (g *git) open(read readFunc, top string, names Names, outermost bool) *repository {
	gitDir := gitDir{top: top}
	if names&hasGit != 0 {
		gitDir.find(read)
	}
	if gitDir.own == "" && names&hasJJ == 0 && !outermost {
		return nil
	}
	r := g.outside(&gitDir)
	if gitDir.info {
		look(gitDir.common+"info", []string{"exclude"}, func(d *dir.Dir, has Names) {
			if has == 0 {
				return
			}
			data, err := d.ReadFile("exclude", true)
			if err != nil {
				g.ig.opt.Report(err)
			}
			r.exclude = parse(g.ig.told(gitDir.common+"info/exclude"), data, r.ignoreCase, g.ig.opt.Report)
		})
	}
	return r
}

// global compiles core.excludesFile, or what is read if it is not set.
func (g *git) global(path *string, top string, fold bool) *file {
	var name string
	switch {
	case path == nil:
		name = g.ignore()
	case *path != "" && !filepath.IsAbs(*path):
		name = top + *path
	default:
		name = *path
	}
	key := globalKey{name, fold}
	g.mu.Lock()
	defer g.mu.Unlock()
	if f := g.globals[key]; f != nil {
		return f
	}
	f := &file{}
	if name != "" {
		data, err := readRegular(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			g.ig.opt.Report(err)
		}
		f = parse(g.ig.told(name), data, fold, g.ig.opt.Report)
	}
	g.globals[key] = f
	return f
}

// A gitDir is where a repository keeps its things (gitrepository-layout(5)).
type gitDir struct {
	top    string // of the working tree
	own    string // for this working tree; "" if this is no repository
	common string // for all working trees of the repository
	info   bool   // common has it

	config, perTree []setting // config in common, and config.worktree in own
}

// The names of interest in a gitDir.
var gitDirNames = []string{"HEAD", "objects", "refs", "info", "config", "config.worktree", "commondir"}

const (
	hasHead Names = 1 << iota
	hasObjects
	hasRefs
	hasInfo
	hasConfig
	hasPerTree
	hasCommonDir
)

// find finds the directory that .git is, or that it names if it is a file, which
// read reads.
func (g *gitDir) find(read readFunc) {
	common, found := g.enter(g.top + ".git")
	if !found {
		data, _ := read(".git", true)
		target, ok := bytes.CutPrefix(data, []byte("gitdir: "))
		if !ok {
			return
		}
		common, _ = g.enter(g.path(g.top, target))
	}
	if len(common) == 0 {
		return
	}
	g.common, g.info = g.path(g.own, common), false
	look(g.common, gitDirNames, g.readCommon)
}

// enter reads the directory at path, if it is one, and what it says of where
// common is, if that is somewhere else.
func (g *gitDir) enter(path string) (common []byte, isDir bool) {
	look(path, gitDirNames, func(d *dir.Dir, has Names) {
		isDir = true
		// Without these git says that it is none (is_git_directory in setup.c).
		if has&hasHead == 0 || has&hasCommonDir == 0 && (has&hasObjects == 0 || has&hasRefs == 0) {
			return
		}
		g.own, g.common = withSlash(path), withSlash(path)
		g.readCommon(d, has)
		if has&hasPerTree != 0 {
			g.perTree = readConfig(d, "config.worktree")
		}
		if has&hasCommonDir != 0 {
			common, _ = d.ReadFile("commondir", true)
			common = bytes.Clone(common)
		}
	})
	return common, isDir
}

func (g *gitDir) readCommon(d *dir.Dir, has Names) {
	g.info = has&hasInfo != 0
	if has&hasConfig != 0 {
		g.config = readConfig(d, "config")
	}
}

// readConfig reads a file without which git would give up, and ldx does not.
func readConfig(d *dir.Dir, name string) []setting {
	data, _ := d.ReadFile(name, true)
	return parseConfig(data)
}

// path returns the path of a directory that a file names.
func (g *gitDir) path(from string, line []byte) string {
	line, _, _ = bytes.Cut(line, []byte("\x00")) // where git's string ends
	p := string(bytes.TrimRight(line, "\r\n"))
	if !filepath.IsAbs(p) {
		p = path.Join(from, p)
	}
	return withSlash(p)
}

// branch returns the branch that is checked out, or "".
func (g *gitDir) branch() string {
	head, _ := readRegular(g.own + "HEAD")
	branch, ok := strings.CutPrefix(string(head), "ref: refs/heads/")
	if !ok {
		return ""
	}
	return strings.TrimSpace(branch)
}
