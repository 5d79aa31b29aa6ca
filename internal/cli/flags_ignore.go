package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ldx/internal/command"
	"ldx/internal/ignore"
	"ldx/internal/walk"
)

// ignoreFlags say what is left out whatever its name and metadata. hidden and noIgnore may be
// set by default.
type ignoreFlags struct {
	hidden, noIgnore, unrestricted bool
	noVCS, noRequireGit            bool
	noParent, noGlobal             bool
	files                          command.Files
	contain, exclude               command.Texts
}

func (f *ignoreFlags) addTo(set *command.Flags) {
	set.Section(sectionSearch)
	everything := f.hidden && f.noIgnore
	set.Toggle(&f.hidden, "hidden", "H", "search hidden files and directories: those with a leading dot, on Windows also by attribute",
		"no-hidden", "leave out hidden files and directories", &f.unrestricted)
	set.Toggle(&f.noIgnore, "no-ignore", "I", "do not respect .gitignore, .ignore, .fdignore, .ldxignore and the global ignore files",
		"ignore", "respect .gitignore, .ignore, .fdignore, .ldxignore and the global ignore files", &f.unrestricted)
	if !everything {
		set.Bool(&f.unrestricted, "unrestricted", "u", "search hidden and ignored files: -H and -I")
	}
	const back = "the default"
	set.Toggle(&f.noVCS, "no-ignore-vcs", "", "do not respect .gitignore and git's other ignore rules", "ignore-vcs", back)
	set.Toggle(&f.noRequireGit, "no-require-git", "", "respect .gitignore outside of git repositories too", "require-git", back)
	set.Toggle(&f.noParent, "no-ignore-parent", "", "do not respect ignore files in parent directories", "ignore-parent", back)
	set.Toggle(&f.noGlobal, "no-global-ignore-file", "", "do not respect ldx/ignore and fd/ignore in ~/.config", "global-ignore-file", back)
	set.Add(&f.files, "ignore-file", "", "respect the ignore file `PATH` too, with the lowest precedence; repeatable, the last one wins")
	set.Add(&f.contain, "ignore-contain", "", "leave out directories that contain an entry `NAME`, such as CACHEDIR.TAG; repeatable")
	f.addExclude(set)
}

func (f *ignoreFlags) addExclude(set *command.Flags) {
	set.Add(&f.exclude, "exclude", "E", "exclude what matches `GLOB`, as in .gitignore or with {a,b}; overrides ignore files; repeatable")
}

func (f *ignoreFlags) searchesHidden() bool { return f.hidden || f.unrestricted }

// contained reports whether a path has an entry of --ignore-contain.
func (f *ignoreFlags) contained(root walk.Root) bool {
	return slices.ContainsFunc(f.contain, func(name string) bool {
		_, err := os.Lstat(filepath.Join(root.Path, name))
		return err == nil
	})
}

// apply adds to o what is left out.
func (f *ignoreFlags) apply(o *walk.Options) (err error) {
	exclude := slices.Clone(f.exclude)
	for i, glob := range exclude {
		if rest, ok := strings.CutPrefix(glob, "./"); ok && rest != "" && self.habits {
			exclude[i] = rest
		}
	}
	o.Hidden = f.searchesHidden()
	o.Ignore, err = ignore.New(ignore.Options{
		Exclude:  exclude,
		Files:    f.files,
		Contain:  f.contain,
		NoFiles:  f.noIgnore || f.unrestricted,
		NoGit:    f.noVCS,
		NoParent: f.noParent,
		NoGlobal: f.noGlobal,
		Anywhere: f.noRequireGit,
		Getenv:   os.Getenv,
		Report:   o.Report,
	})
	if err != nil {
		return command.Usagef("-E/--exclude: %v", err)
	}
	return nil
}
