// Package ignore decides which entries ignore files leave out.
//
// Rules hold in one directory: its own and those of the directories above it.
// They are built on the way down, in directories that have a rule file, and
// never change. A rule file is noticed in the directory's listing and then
// read; no file is probed for.
//
// Git defines what is ignored: gitignore(5), and git's dir.c where that is
// silent.
package ignore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"ldx/internal/dir"
	"ldx/internal/glob"
)

// Options configures the sources of rules.
type Options struct {
	Exclude  []string // globs as in a rule file, with {a,b} as well; stronger than all other rules, and applied to each root
	Files    []string // rule files, weaker than those in directories; the last is the strongest
	Contain  []string // a directory with an entry of one of these names is ignored
	NoFiles  bool     // read no rule files but Files
	NoGit    bool     // read neither .gitignore nor git's other files
	NoParent bool     // read no rule files in directories above a root
	NoGlobal bool     // do not read the user's own rule files
	// Anywhere applies git's rules outside of repositories as well.
	Anywhere bool

	Getenv func(string) string // like os.Getenv
	Report func(error)         // receives the errors of rule files; called from any goroutine
}

// A class is a kind of source. A stronger class decides before a weaker one at
// any depth. Within a class the deepest directory decides.
type class uint8

// The classes, strongest first.
const (
	excluded class = iota // Options.Exclude
	ldxignore
	fdignore
	dotignore
	gitignore
	gitExclude // a repository's info/exclude
	gitGlobal  // core.excludesFile
	extra      // Options.Files
	global     // the user's own rule files
)

func (c class) isGit() bool { return gitignore <= c && c <= gitGlobal }

// specialNames are the names to notice in a listing.
var specialNames = []string{".git", ".jj", ".ldxignore", ".fdignore", ".ignore", ".gitignore"}

const (
	hasGit Names = 1 << iota
	hasJJ
	hasLdxignore
	hasFdignore
	hasIgnore
	hasGitignore

	hasRepository = hasGit | hasJJ
)

// ruleFiles are the rule files that a directory may have.
var ruleFiles = []struct {
	name  string
	bit   Names
	class class
}{
	{".ldxignore", hasLdxignore, ldxignore},
	{".fdignore", hasFdignore, fdignore},
	{".ignore", hasIgnore, dotignore},
	{".gitignore", hasGitignore, gitignore},
}

// An Ignorer holds the sources of rules. It is safe for concurrent use.
type Ignorer struct {
	opt                Options
	wanted             Names  // the special names to act on
	cwd                string // with slashes, ends in a slash
	git                *git
	excludes, absolute *file // Options.Exclude: relative to a root, and absolute
	base               Rules // the rules that hold everywhere

	mu    sync.Mutex
	above map[string]*Rules // rules in directories above roots, by path

	rejected sync.Map // errors already reported, by text
}

// New returns an Ignorer. It returns an error if a glob in opt is invalid.
func New(opt Options) (*Ignorer, error) {
	if opt.Report == nil {
		opt.Report = func(error) {}
	}
	ig := &Ignorer{opt: opt, above: map[string]*Rules{}}
	if cwd, err := os.Getwd(); err == nil { // it fails if the directory has been removed; absolute paths still work
		ig.cwd = withSlash(resolve(cwd))
	}
	ig.base.ignorer = ig
	ig.git = newGit(ig)
	if !opt.NoFiles {
		ig.wanted = hasIgnore | hasFdignore | hasLdxignore
		if !opt.NoGit {
			ig.wanted |= hasRepository | hasGitignore
		}
	}
	var err error
	if ig.excludes, err = globs(opt.Exclude); err != nil {
		return nil, err
	}
	ig.absolute, _ = globs(absoluteGlobs(opt.Exclude))
	for _, path := range slices.Backward(opt.Files) {
		data, err := readAny(path, maxRuleFile)
		if err != nil && !errors.Is(err, dir.ErrTooLarge) {
			opt.Report(&FileError{err})
			continue
		}
		ig.base.add(extra, ig.rules(path, data, err, false), ig.cwd)
	}
	if !opt.NoFiles && !opt.NoGlobal {
		ig.addGlobal()
	}
	return ig, nil
}

// Empty reports whether no entry can ever be ignored.
func (ig *Ignorer) Empty() bool {
	return ig.wanted == 0 && len(ig.base.lists) == 0 && len(ig.opt.Exclude) == 0 && len(ig.opt.Contain) == 0
}

// addGlobal adds the user's own rule files.
func (ig *Ignorer) addGlobal() {
	programs := []string{"ldx", "fd"}
	config := ConfigHome(ig.opt.Getenv)
	look(config, programs, func(_ *dir.Dir, has Names) {
		for i, program := range programs {
			if has>>i&1 == 0 {
				continue
			}
			path := config + program + "/"
			look(path, []string{"ignore"}, func(d *dir.Dir, has Names) {
				if has != 0 {
					ig.base.add(global, ig.read(d.ReadFile, "ignore", path, true, false), ig.cwd)
				}
			})
		}
	})
}

// read compiles a rule file in the directory with the given path.
func (ig *Ignorer) read(read readFunc, name, path string, follow, fold bool) *file {
	data, err := read(name, follow, maxRuleFile)
	return ig.rules(path+name, data, err, fold)
}

// rules compiles the rule file at path from the result of reading it. A file
// that cannot be read, or exceeds a limit, has no rules.
func (ig *Ignorer) rules(path string, data []byte, err error, fold bool) *file {
	if err != nil && !ig.rejectLarge(err, errRuleFile) {
		ig.opt.Report(err)
	}
	if bytes.Count(data, []byte("\n")) > maxRuleLines {
		ig.reject(path, errRuleLines)
		data = nil
	}
	return parse(ig.displayPath(path), data, fold, ig.opt.Report)
}

// Rules are the rules that hold in a directory. They are immutable.
type Rules struct {
	ignorer *Ignorer
	root    string      // the root's path, in the form of list.base
	repo    *repository // the repository that the directory is in; nil if none
	lists   []list      // strongest first
	mayKeep bool
}

// A list is a rule file applied to a directory.
type list struct {
	*file
	class class
	base  string // the directory's absolute path, with slashes, ends in a slash
}

// add appends a list, the weakest so far. Only Rules under construction may be
// added to.
func (r *Rules) add(c class, f *file, base string) {
	if len(f.rules) > 0 {
		r.lists = append(r.lists, list{file: f, class: c, base: base})
		r.mayKeep = r.mayKeep || f.keeps
	}
}

// addAll adds lists, strongest first. Within a class those in own come before
// those in others.
func (r *Rules) addAll(own, others []list) {
	for _, l := range own {
		for len(others) > 0 && others[0].class < l.class {
			r.lists = append(r.lists, others[0])
			others = others[1:]
		}
		r.lists = append(r.lists, l)
	}
	r.lists = append(r.lists, others...)
	for _, l := range r.lists {
		r.mayKeep = r.mayKeep || l.keeps
	}
}

// Root returns the rules for a root. The root need not exist.
func (ig *Ignorer) Root(path string) *Rules {
	root := ig.absolutePath(path)
	above := &ig.base
	if up := parent(root); ig.wanted != 0 && up != "" {
		ig.mu.Lock()
		above = ig.rulesAt(up)
		ig.mu.Unlock()
	}
	r := &Rules{ignorer: ig, root: root, repo: above.repo}
	r.add(excluded, ig.excludes, root)
	r.add(excluded, ig.absolute, topOf(root))
	own := Rules{}
	if ig.opt.Anywhere && ig.wanted&hasGitignore != 0 && r.repo == nil {
		own.add(gitGlobal, ig.git.outside(&gitDir{top: root}).global, root)
	}
	r.addAll(own.lists, above.lists)
	return r
}

// rulesAt returns the rules in a directory above a root.
func (ig *Ignorer) rulesAt(path string) *Rules {
	if r := ig.above[path]; r != nil {
		return r
	}
	r := &ig.base
	if up := parent(path); up != "" {
		r = ig.rulesAt(up)
	}
	wanted := ig.wanted
	if ig.opt.NoParent {
		wanted &= hasRepository
	}
	if !look(path, specialNames, func(d *dir.Dir, names Names) { r = r.enter(d.ReadFile, names&wanted, path) }) {
		r = r.enter(readFrom(path), probe(path, specialNames)&wanted, path)
	}
	ig.above[path] = r
	return r
}

// Names are the special names in a listing, one bit each.
type Names uint8

// Notice returns the bit of a name in a listing, or 0. Only names that begin
// with a dot have a bit. Pass the union of a directory's bits to Enter.
func (ig *Ignorer) Notice(name []byte) Names {
	return notice(specialNames, name) & ig.wanted
}

// Enter returns the rules in the directory that d lists. r holds the rules of
// its parent; for a root, those that Root returned.
func (r *Rules) Enter(d *dir.Dir, names Names) *Rules {
	if names == 0 {
		return r
	}
	return r.enter(d.ReadFile, names, string(d.AppendBelow([]byte(r.root))))
}

// A readFunc reads a file in a directory. See dir.Dir.ReadFile.
type readFunc func(name string, follow bool, limit int) ([]byte, error)

// readFrom returns a readFunc for a directory that is not open.
func readFrom(path string) readFunc {
	return func(name string, follow bool, limit int) ([]byte, error) {
		if fi, err := os.Lstat(path + name); err == nil && !follow && !fi.Mode().IsRegular() {
			return nil, nil
		}
		return readRegular(path+name, limit)
	}
}

// enter is like Enter, for the directory with the given path.
func (r *Rules) enter(read readFunc, names Names, path string) *Rules {
	if names == 0 {
		return r
	}
	ig := r.ignorer
	child := &Rules{ignorer: ig, root: r.root, repo: r.repo}
	others := r.lists
	var repo *repository
	if names&hasRepository != 0 {
		repo = ig.git.open(read, path, names, r.repo == nil)
	}
	if repo != nil { // a nested repository: git's outer rules end here
		child.repo = repo
		others = slices.DeleteFunc(slices.Clone(others), func(l list) bool { return l.class.isGit() })
	}
	own := Rules{}
	for _, f := range ruleFiles {
		if names&f.bit == 0 || f.class == gitignore && child.repo == nil && !ig.opt.Anywhere {
			continue
		}
		// Git does not follow a link here: it may be a stranger's.
		git := f.class == gitignore
		own.add(f.class, ig.read(read, f.name, path, !git, git && child.repo.foldsCase()), path)
	}
	if repo != nil {
		if r.root != "" || !ig.opt.NoParent {
			own.add(gitExclude, repo.exclude, path)
		}
		own.add(gitGlobal, repo.global, path)
	}
	child.addAll(own.lists, others)
	return child
}

// A Decision is the verdict of the rules on an entry.
type Decision uint8

// The possible decisions.
const (
	None   Decision = iota // no rule matches
	Ignore                 // leave it out
	Keep                   // do not leave it out, even if it is hidden
)

// A Decider applies Rules to entries. Each worker has its own; it is not safe
// for concurrent use.
type Decider struct {
	subject glob.Subject
	rules   *Rules
	entry   *dir.Entry
}

// NewDecider returns a Decider.
func NewDecider() *Decider {
	d := &Decider{}
	d.subject.AppendPath = func(b []byte) []byte { return d.entry.AppendBelow(append(b, d.rules.root...)) }
	return d
}

// Decide returns the verdict on e of r, the rules in e's directory.
func (d *Decider) Decide(r *Rules, e *dir.Entry) Decision {
	d.rules, d.entry = r, e
	d.subject.Reset(e.Name, e.Type.IsDir())
	n, l := r.decide(&d.subject)
	switch {
	case l == nil:
		return None
	case l.rules[n].keep:
		return Keep
	}
	return Ignore
}

// decide returns the deciding rule as its index in a list; l is nil if there is
// none.
func (r *Rules) decide(subject *glob.Subject) (n int, l *list) {
	for i := range r.lists {
		l := &r.lists[i]
		if n := l.set.Last(subject, l.base); n >= 0 {
			return n, l
		}
	}
	return 0, nil
}

// Empty reports whether the rules ignore nothing.
func (r *Rules) Empty() bool { return len(r.lists) == 0 && len(r.ignorer.opt.Contain) == 0 }

// MayKeep reports whether Decide may return Keep.
func (r *Rules) MayKeep() bool { return r.mayKeep }

// Contains reports whether the directory e is ignored because it has an entry
// in Options.Contain. The error is an *fs.PathError.
func (ig *Ignorer) Contains(e *dir.Entry) (bool, error) {
	if len(ig.opt.Contain) == 0 {
		return false, nil
	}
	return e.Any(func(e *dir.Entry) bool { return slices.Contains(ig.opt.Contain, string(e.Name)) })
}

// globs compiles Options.Exclude.
func globs(patterns []string) (*file, error) {
	f := &file{path: "--exclude"}
	for _, pattern := range patterns {
		if err := f.add(0, pattern, glob.Options{Shell: true}); err != nil {
			return nil, fmt.Errorf("the glob %q: %w", pattern, err)
		}
	}
	f.compile()
	return f, nil
}
