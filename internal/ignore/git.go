package ignore

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"ldx/internal/dir"
)

// A repository holds git's settings for a working tree.
type repository struct {
	exclude    *file // info/exclude
	global     *file // core.excludesFile
	ignoreCase bool  // core.ignoreCase
}

// foldsCase reports whether git's rules ignore case; r may be nil.
func (r *repository) foldsCase() bool { return r != nil && r.ignoreCase }

// A git reads git's own files other than .gitignore. It is safe for concurrent
// use.
type git struct {
	ig     *Ignorer
	home   string        // the user's home directory; "" if there is none
	config string        // the directory of git's own files below XDG_CONFIG_HOME
	ignore func() string // returns the path of the ignore file in config; "" if there is none

	mu sync.Mutex
	// Only files shared by all repositories are cached. Files that a repository
	// names are not: the number of repositories has no bound.
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

// outside returns the configuration's settings for a directory, which need not
// be in a repository.
func (g *git) outside(at *gitDir) *repository {
	config := g.read(at)
	return &repository{
		exclude:    &file{},
		global:     g.global(&config, at.top),
		ignoreCase: config.ignoreCase,
	}
}

// open returns the repository whose working tree is at top, which has .git or
// .jj; read reads files in top. A .git that git would reject makes a repository
// only if it is the outermost one: git has no opinion there, and the user meant
// something by it.
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

// global compiles core.excludesFile, or git's default for it if it is not set.
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

// shared is like excludes, for a file shared by all repositories.
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

// A gitDir describes a repository's directories (gitrepository-layout(5)).
type gitDir struct {
	top    string // the working tree
	own    string // the directory for this working tree; "" if this is no repository
	common string // the directory shared by all working trees
	info   bool   // common has an info directory

	config, perTree configFile // common's config, own's config.worktree
	head            *string    // contents of own's HEAD; nil: not read yet
}

// gitDirNames are the names to look for in a gitDir.
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

// find locates the repository of .git: that directory, or the one that it names
// if it is a file, which read reads.
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

// pointer returns the contents of a file that names a path, from the result of
// reading it. A file that cannot be read names none.
func (g *git) pointer(data []byte, err error) []byte {
	if err != nil {
		g.ig.rejectLarge(err, errPointer)
		return nil
	}
	return data
}

// enter reads the directory at path, if it is one. common is the contents of
// its commondir file, which says where the shared directory is.
func (g *git) enter(at *gitDir, path string) (common []byte, isDir bool) {
	look(path, gitDirNames, func(d *dir.Dir, has Names) {
		isDir = true
		// Git requires these (is_git_directory in setup.c).
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

// path returns the path of a directory named by a file in from.
func (g *gitDir) path(from string, line []byte) string {
	line, _, _ = bytes.Cut(line, []byte("\x00")) // git's string ends here
	p := string(bytes.TrimRight(line, "\r\n"))
	if !filepath.IsAbs(p) {
		p = filepath.Join(from, p)
	}
	return withSlash(p)
}
