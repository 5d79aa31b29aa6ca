package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"ldx/internal/filter"
	"ldx/internal/match"
	"ldx/internal/printer"
)

// findFlags is a search as it was typed.
type findFlags struct {
	hidden, unrestricted, follow, oneFileSystem  bool
	noIgnore, noIgnoreVCS, noRequireGit          bool
	noIgnoreParent, noGlobalIgnore               bool
	ignoreFiles, ignoreContain, excludes, reason []string

	maxDepth, minDepth, exactDepth count
	prune                          bool
	threads                        count
	buffer                         bufferSize
	baseDirectory                  string
	searchPaths                    []string

	types      types
	typeGroups []string
	extensions []string
	attributes []filter.Attribute // of the flags that may be repeated
	times      [4]within          // by filter.Clock
	newerThan  string
	sameFiles  []string
	owner      owner

	syntax       match.Syntax
	letters      letters
	ands, ors    []string
	nots         []string
	patternsFrom []string
	fullPath     bool

	absolute, null, quiet, count, stats bool
	details                             bool
	maxResults                          count
	color, hyperlink, slash             word
	stripPrefix                         word
	separator, relativeTo               string
	allDrives, cloud                    bool
	format                              text
	sortKeys, sortKeysDown              commas
	du                                  bool
	holdFor                             count

	exec, execBatch commands
	batchSize       count

	showErrors, strict bool
}

// within is what two flags say of a time.
type within struct{ after, before text }

// The groups of flags, in the order in which --help shows them.
const (
	groupSearch  = "What is searched"
	groupPattern = "What the pattern means"
	groupFilter  = "What is found"
	groupOutput  = "What is printed"
	groupRun     = "What is run"
	groupErrors  = "What goes wrong"
	groupOther   = "The rest"
)

var groups = []string{groupSearch, groupPattern, groupFilter, groupOutput, groupRun, groupErrors, groupOther}

// addTo defines the flags: those of fd, and more. A word in backquotes names a
// flag's value. Where two programs cannot both have a letter, it is as fd has it
// if ldx goes by its name.
func (f *findFlags) addTo(set *pflag.FlagSet) {
	set.SortFlags = false
	f.addSearch(set)
	f.addPattern(set)
	f.addFilter(set)
	f.addOutput(set)
	f.addRun(set)
	set.BoolVar(&f.showErrors, "show-errors", false, "print each error, such as a directory that cannot be read")
	set.BoolVar(&f.strict, "strict", false, "exit with status 1 if there was an error")
	group(set, groupErrors)
	set.BoolP("help", "h", false, "print this help")
	set.BoolP("version", "V", false, "print the version")
	set.Bool("type-list", false, "print the kinds that --type-group knows, and their extensions")
	group(set, groupOther)
	f.addHidden(set)
}

func (f *findFlags) addSearch(set *pflag.FlagSet) {
	set.BoolVarP(&f.hidden, "hidden", "H", false, "include names that begin with a dot, and on Windows what has the hidden attribute")
	set.BoolVarP(&f.noIgnore, "no-ignore", "I", false, "include what .gitignore, .ignore, .fdignore, .ldxignore and the user's own rules leave out")
	set.BoolVarP(&f.unrestricted, "unrestricted", "u", false, "leave nothing out: -H and -I")
	set.BoolVar(&f.noIgnoreVCS, "no-ignore-vcs", false, "include what git's rules leave out")
	set.BoolVar(&f.noRequireGit, "no-require-git", false, "heed .gitignore outside of git repositories too")
	set.BoolVar(&f.noIgnoreParent, "no-ignore-parent", false, "heed no rules of the directories above a path")
	set.BoolVar(&f.noGlobalIgnore, "no-global-ignore-file", false, "do not heed the user's own rules in ldx/ignore and fd/ignore, below ~/.config")
	set.Var((*list)(&f.ignoreFiles), "ignore-file", "heed the rules in `PATH` too, where no others decide; repeatable, the last is the strongest")
	set.Var((*list)(&f.ignoreContain), "ignore-contain", "leave out directories that have an entry called `NAME`, such as CACHEDIR.TAG; repeatable")
	set.VarP((*list)(&f.excludes), "exclude", "E", "leave out what `GLOB` matches, written as in .gitignore, with {a,b} as well; above all other rules; repeatable")
	set.Var((*list)(&f.reason), "why", "search nothing, but tell which rule leaves out `PATH` or a directory above it; repeatable")
	set.BoolVarP(&f.follow, "follow", "L", false, "follow symbolic links; each directory is entered once")
	set.BoolVar(&f.oneFileSystem, "one-file-system", false, "do not enter other file systems (also: --mount, --xdev)")
	set.BoolVar(&f.cloud, "cloud", false, "enter directories whose content is in the cloud: on Windows and macOS this fetches it")
	set.VarP(&f.maxDepth, "max-depth", "d", "go at most `N` directories down; 1 is the paths' own entries")
	set.Var(&f.minDepth, "min-depth", "show only what is at least `N` directories down")
	set.Var(&f.exactDepth, "exact-depth", "show only what is just `N` directories down, and go no further")
	set.BoolVar(&f.prune, "prune", false, "do not go into directories that are found")
	set.StringVarP(&f.baseDirectory, "base-directory", "C", "", "search as if started in `DIR`")
	set.Var((*list)(&f.searchPaths), "search-path", "search `PATH`, so that the pattern may be left out; repeatable")
	set.BoolVarP(&f.allDrives, "all-drives", "A", false, "search all fixed drives of Windows; elsewhere /")
	f.threads.least = 1
	usage := "use at most `N` workers, also for commands; default: the processors, at most 64, and on Linux up to 16 while these wait for a disk or a network"
	if !asFd() {
		usage = strings.Replace(usage, ";", " (also: -t);", 1)
	}
	set.VarP(&f.threads, "threads", "j", usage)
	set.Var(&f.buffer, "buffer-size", "ask for `SIZE` of a directory at a time, from 4ki to 16mi; by default what the system does best with")
	group(set, groupSearch)
}

func (f *findFlags) addPattern(set *pflag.FlagSet) {
	choice(set, &f.syntax, match.Glob, "glob", "g", "the pattern is a glob for the whole name: * ? [a-z] [!a-z] {a,b}, and with -p also **")
	choice(set, &f.syntax, match.Regexp, "regex", "", "the pattern is a regular expression, found anywhere (the default); with look-around and back-references too")
	choice(set, &f.syntax, match.Fixed, "fixed-strings", "F", "the pattern is a text, found anywhere")
	choice(set, &f.syntax, match.Exact, "exact", "", "the pattern is the whole name")
	choice(set, &f.letters, asWritten, "case-sensitive", "s", "heed upper and lower case")
	choice(set, &f.letters, anyCase, "ignore-case", "i", "ignore upper and lower case; by default it is heeded if a pattern has an uppercase letter")
	set.BoolVarP(&f.fullPath, "full-path", "p", false, "match the absolute path instead of the name")
	set.Var((*list)(&f.ands), "and", "the name must match `PATTERN` too; repeatable")
	set.Var((*list)(&f.ors), "or", "the name may match `PATTERN` instead; repeatable")
	set.Var((*list)(&f.nots), "not", "the name must not match `PATTERN`; repeatable")
	set.Var((*list)(&f.patternsFrom), "patterns-from", "the name may match any line of `FILE` (-: standard input); all arguments are paths then; repeatable")
	group(set, groupPattern)
}

func (f *findFlags) addFilter(set *pflag.FlagSet) {
	letter := "T"
	if asFd() {
		letter = "t"
	}
	set.VarP(&f.types, "type", letter, "only the type `T`, repeatable: "+strings.Join(filter.TypeNames(), ", "))
	set.VarP((*list)(&f.extensions), "extension", "e", "only names that end in .`EXT`, in any case unless -s is given; repeatable")
	set.Var((*list)(&f.typeGroups), "type-group", "only names with an extension of that `KIND`: image, video, audio, ... (see --type-list); repeatable")
	attribute(set, &f.attributes, "size", "S", "only files of that `SIZE`: +10k at least, -2mi at most, 0b just so many; b k m g t (1000), ki mi gi ti (1024)", parseSize)
	forms := ": 2weeks, '1d 2h', 2024-07-31, '2024-07-31 18:00:00', @seconds"
	for i, clock := range []struct{ name, what string }{
		filter.Modified:      {"changed", "changed last"},
		filter.Accessed:      {"accessed", "was read last"},
		filter.StatusChanged: {"status-changed", "had its metadata changed last"},
		filter.Created:       {"created", "was created"},
	} {
		set.Var(&f.times[i].after, clock.name+"-within", "only what "+clock.what+" after `TIME`"+forms)
		set.Var(&f.times[i].before, clock.name+"-before", "only what "+clock.what+" before `TIME`")
		forms = ""
	}
	set.StringVar(&f.newerThan, "newer-than", "", "only what changed last after `FILE` did")
	set.VarP(&f.owner, "owner", "o", "only what belongs to `USER:GROUP`, names or numbers, of which one may be missing")
	attribute(set, &f.attributes, "perm", "", "only with the permission bits `MODE`, 644 or u=rw,go=r: just these; -MODE: at least these; /MODE: any of these", parsePerm)
	attribute(set, &f.attributes, "links", "", "only with [+-]`N` hard links", parseLinks)
	attribute(set, &f.attributes, "inode", "", "only with the inode number `N`", parseInode)
	set.Var((*list)(&f.sameFiles), "same-file", "only the names of the same file as `FILE`")
	group(set, groupFilter)
}

func (f *findFlags) addOutput(set *pflag.FlagSet) {
	f.color = word{value: "auto", of: []string{"auto", "always", "never"}}
	f.hyperlink = word{value: "never", of: f.color.of}
	f.slash = word{value: "auto", of: f.color.of}
	f.stripPrefix = word{value: "auto", of: f.color.of}

	set.BoolVarP(&f.details, "list-details", "l", false, "show each result's mode, links, owner, group, size and time, sorted by path unless --sort is given")
	keys := strings.Join(printer.SortKeys(), ", ")
	set.Var(&f.sortKeys, "sort", "sort all results by `KEY`, or by KEY,KEY: "+keys+"; commands run in that order")
	set.Var(&f.sortKeysDown, "sortr", "the same, but by `KEY` the other way round")
	set.BoolVar(&f.du, "du", false, "let the size of a directory be that of all that is in it, also of what is left out, for -S, --sort, --format and -l")
	usage := "show each result as `TEMPLATE`: {} path, {/} name, {//} directory, {.} {/.} without extension, {{ }} braces"
	if !asFd() {
		usage += "; also {path} {name} {parent} {stem} {ext} {depth} {type} {size} {size:h} {mtime} {mtime:2006-01-02} {mode} {user} {group} {inode} {links} {target}"
	}
	set.Var(&f.format, "format", usage)
	set.BoolVarP(&f.absolute, "absolute-path", "a", false, "show absolute paths")
	set.StringVar(&f.relativeTo, "relative-to", "", "show paths as seen from `DIR`")
	set.VarPF(&f.stripPrefix, "strip-cwd-prefix", "", "show no ./ before paths `WHEN`: auto (but with -0 and commands), always (if =WHEN is left out), never").NoOptDefVal = "always"
	set.StringVar(&f.separator, "path-separator", "", "show `SEP` between the elements of paths; by default a slash, on Windows a backslash")
	set.Var(&f.slash, "trailing-slash", "show a slash after directories `WHEN`: auto (but in --format and -l), always, never")
	set.VarP(&f.color, "color", "c", "use the colours of LS_COLORS `WHEN`: auto (on a terminal, without NO_COLOR), always, never")
	set.VarPF(&f.hyperlink, "hyperlink", "", "make paths links to file:// URLs `WHEN`: auto (with colours; if =WHEN is left out), always, never (the default)").NoOptDefVal = "auto"
	set.BoolVarP(&f.null, "print0", "0", false, "end each result with a NUL, for xargs -0")
	set.Var(&f.maxResults, "max-results", "stop after `N` results; 0: never")
	set.VarPF(setCount{&f.maxResults, 1}, "max-one-result", "1", "stop after the first result").NoOptDefVal = "true"
	set.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing; the exit status is 0 if there is a result, else 1")
	set.BoolVar(&f.count, "count", false, "print only how many results there are")
	set.BoolVar(&f.stats, "stats", false, "at the end, say on stderr what was searched and how fast")
	group(set, groupOutput)
}

func (f *findFlags) addRun(set *pflag.FlagSet) {
	set.VarP(&f.exec, "exec", "x", "run `CMD ...` for each result, up to a ; argument or the end; {} and so on as in --format, {} is added if there is none; repeatable")
	set.VarP(&f.execBatch, "exec-batch", "X", "run `CMD ...` for all results together, or as many at a time as the system takes; repeatable")
	set.Var(&f.batchSize, "batch-size", "with -X, run it for at most `N` results at a time")
	group(set, groupRun)
}

// addHidden defines what --help does not list: opposites, of which the last on the
// command line counts, and other names.
func (f *findFlags) addHidden(set *pflag.FlagSet) {
	opposite(set, "hidden", "no-hidden", &f.hidden, &f.unrestricted)
	opposite(set, "no-ignore", "ignore", &f.noIgnore, &f.unrestricted)
	opposite(set, "no-ignore-vcs", "ignore-vcs", &f.noIgnoreVCS)
	opposite(set, "no-require-git", "require-git", &f.noRequireGit)
	opposite(set, "no-ignore-parent", "ignore-parent", &f.noIgnoreParent)
	opposite(set, "no-global-ignore-file", "global-ignore-file", &f.noGlobalIgnore)
	opposite(set, "follow", "no-follow", &f.follow)
	opposite(set, "absolute-path", "relative-path", &f.absolute)

	if !asFd() {
		alias(set, "threads", "jobs", "t")
	}
	for _, other := range [][2]string{
		{"one-file-system", "mount"},
		{"one-file-system", "xdev"},
		{"fixed-strings", "literal"},
		{"follow", "dereference"},
		{"max-depth", "maxdepth"},
		{"min-depth", "mindepth"},
		{"changed-within", "change-newer-than"},
		{"changed-within", "changed-after"},
		{"changed-within", "newer"},
		{"changed-before", "change-older-than"},
		{"changed-before", "older"},
		{"hyperlink", "hyper"},
		{"quiet", "has-results"},
	} {
		alias(set, other[0], other[1], "")
	}

	// How long results are held back to be sorted, in milliseconds; as fd has it.
	set.Var(&f.holdFor, "max-buffer-time", "")
	set.String("gen-completions", "", "")
	set.Lookup("gen-completions").NoOptDefVal = "auto"
	for _, name := range []string{"max-buffer-time", "gen-completions"} {
		set.Lookup(name).Hidden = true
	}
	group(set, groupOther)
}

const groupKey = "group"

// group puts the flags that are in no group yet into one.
func group(set *pflag.FlagSet, name string) {
	annotations := map[string][]string{groupKey: {name}} // one for all: each search makes them
	set.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = annotations
		}
	})
}

// alias defines another name for a flag, which --help does not list.
func alias(set *pflag.FlagSet, name, other, short string) {
	f := *set.Lookup(name)
	f.Name, f.Shorthand, f.Hidden = other, short, true
	set.AddFlag(&f)
}

// opposite defines the flag that takes another back; of the two, the last on the
// command line counts. --help does not list it. As in fd, -u goes with -H and -I.
func opposite(set *pflag.FlagSet, of, name string, values ...*bool) {
	f := set.VarPF(&setNone{values}, name, "", "take --"+of+" back")
	f.NoOptDefVal, f.Hidden, f.Annotations = "true", true, map[string][]string{groupKey: {groupOther}}
}
