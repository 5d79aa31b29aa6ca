package ignore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/glob"
)

// gitConfig holds the settings of a repository's configuration that matter
// here.
type gitConfig struct {
	excludesFile   *string // nil: not set
	sharedExcludes bool    // set by a file that all repositories share
	ignoreCase     bool
	perTree        bool // extensions.worktreeConfig
}

// read reads the configuration in git's order (git-config(1), FILES): the last
// setting of a name wins.
func (g *git) read(at *gitDir) gitConfig {
	var c gitConfig
	get := g.ig.opt.Getenv
	shared := configReader{git: g, at: at, config: &c, shared: true}
	if system := get("GIT_CONFIG_SYSTEM"); !isTrue(get("GIT_CONFIG_NOSYSTEM")) {
		if system == "" {
			system = systemConfig()
		}
		shared.begin(system, shared.load(system))
	}
	if global := get("GIT_CONFIG_GLOBAL"); global != "" {
		shared.begin(global, shared.load(global))
	} else {
		if g.config != "" {
			shared.begin(g.config+"config", shared.load(g.config+"config"))
		}
		if g.home != "" {
			shared.begin(g.home+".gitconfig", shared.load(g.home+".gitconfig"))
		}
	}
	if at.own != "" {
		own := configReader{git: g, at: at, config: &c}
		own.begin(at.common+"config", at.config)
		if c.perTree {
			own.begin(at.own+"config.worktree", at.perTree)
		}
	}
	environment := configReader{git: g, at: at, config: &c, shared: true, top: "GIT_CONFIG_COUNT"}
	environment.apply(configFile{settings: configFromEnvironment(get)}, "", 0)
	return c
}

func systemConfig() string {
	if os.PathSeparator == '\\' {
		return `C:\Program Files\Git\etc\gitconfig`
	}
	return "/etc/gitconfig"
}

func configFromEnvironment(get func(string) string) (settings []setting) {
	n, _ := strconv.Atoi(get("GIT_CONFIG_COUNT"))
	for i := range n {
		key := strings.ToLower(get(fmt.Sprintf("GIT_CONFIG_KEY_%d", i)))
		if key == "" { // git stops here
			break
		}
		name := strings.LastIndexByte(key, '.') + 1
		value := get(fmt.Sprintf("GIT_CONFIG_VALUE_%d", i))
		settings = append(settings, setting{section: key[:name], name: key[name:], value: value})
	}
	return settings
}

// A configFile is a parsed git configuration file.
type configFile struct {
	settings []setting
	size     int
}

// newConfigFile parses a file from the result of reading it. Where git stops
// because a file cannot be read, ldx takes it as empty.
func newConfigFile(data []byte, err error) configFile {
	if errors.Is(err, dir.ErrTooLarge) {
		return configFile{size: maxConfigSize + 1}
	}
	return configFile{parseConfig(data), len(data)}
}

// A configReader applies configuration files and the files they include, up to
// the limits.
type configReader struct {
	git    *git
	at     *gitDir
	config *gitConfig
	shared bool // the files are shared by all repositories

	top                     string // the file that includes the others
	files, size, conditions int
	full                    bool // a limit has been reached
}

// begin applies the file at path, which no other file includes.
func (r *configReader) begin(path string, f configFile) {
	if r.full || f.size == 0 {
		return
	}
	r.top = path
	r.apply(f, path, 0)
}

// load reads a file. A missing file is empty.
func (r *configReader) load(path string) configFile {
	if !r.shared {
		return newConfigFile(readRegular(path, maxConfigSize))
	}
	r.git.mu.Lock()
	defer r.git.mu.Unlock()
	f, known := r.git.settings[path]
	if !known {
		f = newConfigFile(readRegular(path, maxConfigSize))
		r.git.settings[path] = f
	}
	return f
}

// apply applies the file at path. A missing included file counts too: it costs
// a system call.
func (r *configReader) apply(f configFile, path string, depth int) {
	r.files++
	r.size += f.size
	switch {
	case r.files > maxConfigFiles:
		r.stop(errConfigFiles)
	case r.size > maxConfigSize:
		r.stop(errConfigSize)
	case depth > maxIncludeDepth && f.size > 0:
		r.stop(errIncludeDepth)
	}
	section, holds := "", false // the last including section, and whether its condition holds
	for i := range f.settings {
		if r.full {
			return
		}
		s := &f.settings[i]
		condition, isInclude := s.include()
		if !isInclude {
			r.set(s)
			continue
		}
		if s.section != section {
			section, holds = s.section, r.holds(condition, path)
		}
		if !holds {
			continue
		}
		file := r.git.expand(s.value)
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(path), file)
		}
		r.apply(r.load(file), file, depth+1)
	}
}

// set applies a setting other than an include.
func (r *configReader) set(s *setting) {
	switch {
	case s.section == "core." && s.name == "excludesfile":
		file := r.git.expand(s.value)
		r.config.excludesFile, r.config.sharedExcludes = &file, r.shared
	case s.section == "core." && s.name == "ignorecase":
		r.config.ignoreCase = s.bare || isTrue(s.value)
	case s.section == "extensions." && s.name == "worktreeconfig":
		r.config.perTree = s.bare || isTrue(s.value)
	}
}

// stop ends the reading and reports the reason.
func (r *configReader) stop(reason error) {
	r.full = true
	r.git.ig.reject(r.top, reason)
}

// include returns the condition under which s includes a file: "" if there is
// none, or "if." and the text in the quotes for includeIf.
func (s *setting) include() (condition string, ok bool) {
	condition, ok = strings.CutPrefix(s.section, "include")
	return strings.TrimSuffix(condition, "."), ok && s.name == "path"
}

// holds reports whether the condition of an include is true.
func (r *configReader) holds(condition, path string) bool {
	if condition == "" {
		return true
	}
	if r.conditions += len(condition); r.conditions > maxConditions {
		r.stop(errConditions)
		return false
	}
	kind, pattern, _ := strings.Cut(strings.TrimPrefix(condition, "if."), ":")
	text := strings.TrimSuffix(r.at.own, "/")
	switch kind {
	case "onbranch":
		text = r.branch()
	case "gitdir", "gitdir/i":
		pattern = r.git.expand(pattern)
		if below, ok := strings.CutPrefix(pattern, "./"); ok {
			pattern = filepath.ToSlash(filepath.Dir(path)) + "/" + below
		} else if !filepath.IsAbs(pattern) {
			pattern = "**/" + pattern
		}
	default:
		return false
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	compiled, err := glob.Compile(pattern, glob.Options{Path: true, Fold: kind == "gitdir/i"})
	return err == nil && text != "" && len(text) <= maxPath && compiled.Match([]byte(text))
}

// branch returns the branch that is checked out, or "".
func (r *configReader) branch() string {
	if r.at.head == nil {
		head := string(r.git.pointer(readRegular(r.at.own+"HEAD", maxPointer)))
		r.at.head = &head
	}
	branch, ok := strings.CutPrefix(*r.at.head, "ref: refs/heads/")
	if !ok {
		return ""
	}
	return strings.TrimSpace(branch)
}

// expand replaces a leading "~/" by the home directory.
func (g *git) expand(path string) string {
	if below, ok := strings.CutPrefix(path, "~/"); ok && g.home != "" {
		return g.home + below
	}
	return path
}

// isTrue reports whether git reads a value as true.
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n != 0
}
