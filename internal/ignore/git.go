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

	mu sync.Mutex
	// What is the same for all repositories is kept. What a repository names is
	// not: there is no end of repositories.
	settings map[string]configFile // the user's and the system's, by path
	globals  map[globalKey]*file
}

type globalKey struct {
	path string
	fold bool
}

func newGit(ig *Ignorer) *git {
	g := &git{ig: ig, settings: map[string]configFile{}, globals: map[globalKey]*file{}}
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
		global:     g.global(&config, at.top),
		ignoreCase: config.ignoreCase,
	}
}

// open returns the repository whose working tree is at top, which has .git or .jj
// and whose files read reads. What has a .git that git would not take for one is a repository only if it
// is the outermost: then git has no opinion, and the user means something by it.
func (g *git) open(read readFunc, top string, names Names, outermost bool) *repository {
	gitDir := gitDir{top: top}
	if names&hasGit != 0 {
		g.find(&gitDir, read)
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
			r.exclude = g.ig.read(d.ReadFile, "exclude", gitDir.common+"info/", true, r.ignoreCase)
		})
	}
	return r
}

// global compiles core.excludesFile, or what is read if it is not set.
func (g *git) global(config *gitConfig, top string) *file {
	path := config.excludesFile
	switch {
	case path == nil:
		return g.shared(g.ignore(), config.ignoreCase)
	case *path != "" && !filepath.IsAbs(*path):
		return g.excludes(top+*path, config.ignoreCase)
	case config.sharedExcludes:
		return g.shared(*path, config.ignoreCase)
	}
	return g.excludes(*path, config.ignoreCase)
}

// shared is excludes for a file that is the same for all repositories.
func (g *git) shared(path string, fold bool) *file {
	key := globalKey{path, fold}
	g.mu.Lock()
	defer g.mu.Unlock()
	if f := g.globals[key]; f != nil {
		return f
	}
	f := g.excludes(path, fold)
	g.globals[key] = f
	return f
}

// excludes compiles the file at path, which may be "" or missing.
func (g *git) excludes(path string, fold bool) *file {
	if path == "" {
		return &file{}
	}
	data, err := readRegular(path, maxRuleFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return g.ig.rules(path, data, err, fold)
}

// A gitDir is where a repository keeps its things (gitrepository-layout(5)).
type gitDir struct {
	top    string // of the working tree
	own    string // for this working tree; "" if this is no repository
	common string // for all working trees of the repository
	info   bool   // common has it

	config, perTree configFile // config in common, and config.worktree in own
	head            *string    // what HEAD in own holds; nil: it has not been read
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
func (g *git) find(at *gitDir, read readFunc) {
	common, found := g.enter(at, at.top+".git")
	if !found {
		target, ok := bytes.CutPrefix(g.pointer(read(".git", true, maxPointer)), []byte("gitdir: "))
		if !ok {
			return
		}
		common, _ = g.enter(at, at.path(at.top, target))
	}
	if len(common) == 0 {
		return
	}
	at.common, at.info = at.path(at.own, common), false
	look(at.common, gitDirNames, at.readCommon)
}

// pointer returns what a file that names a path holds, given what came of reading
// it. One that cannot be read names none.
func (g *git) pointer(data []byte, err error) []byte {
	if err != nil {
		g.ig.rejectLarge(err, errPointer)
		return nil
	}
	return data
}

// enter reads the directory at path, if it is one, and what it says of where
// common is, if that is somewhere else.
func (g *git) enter(at *gitDir, path string) (common []byte, isDir bool) {
	look(path, gitDirNames, func(d *dir.Dir, has Names) {
		isDir = true
		// Without these git says that it is none (is_git_directory in setup.c).
		if has&hasHead == 0 || has&hasCommonDir == 0 && (has&hasObjects == 0 || has&hasRefs == 0) {
			return
		}
		at.own, at.common = withSlash(path), withSlash(path)
		at.readCommon(d, has)
		if has&hasPerTree != 0 {
			at.perTree = newConfigFile(d.ReadFile("config.worktree", true, maxConfigSize))
		}
		if has&hasCommonDir != 0 {
			common = bytes.Clone(g.pointer(d.ReadFile("commondir", true, maxPointer)))
		}
	})
	return common, isDir
}

func (g *gitDir) readCommon(d *dir.Dir, has Names) {
	g.info = has&hasInfo != 0
	if has&hasConfig != 0 {
		g.config = newConfigFile(d.ReadFile("config", true, maxConfigSize))
	}
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
