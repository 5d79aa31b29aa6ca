package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"ldx/internal/command"
	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/match"
)

// systemFlags are filters on what systems differ in.
type systemFlags struct {
	newerThan       [len(clocks)]command.File
	noUser, noGroup bool
	fileSystems     command.Texts
	linkTargets     command.Texts
	xattrs          command.Texts
	contained       command.Texts
	sparse          bool
}

func (f *systemFlags) addTo(set *command.Flags) {
	for i, clock := range clocks {
		set.Add(&f.newerThan[i], newerName(i), "", clock.did+" after `FILE` was modified")
	}
	set.Add(&f.contained, "contains", "", "only directories that contain an entry `NAME`, such as .git; with --prune they are not searched")
	set.Bool(&f.noUser, "no-user", "", "only what belongs to a user that the system does not know")
	set.Bool(&f.noGroup, "no-group", "", "only what belongs to a group that the system does not know")
	set.Add(&f.fileSystems, "fs-type", "", "only what is on a file system of type `NAME`, such as ext4 (Linux)")
	set.Add(&f.linkTargets, "link-target", "", "only symbolic links to what `GLOB` matches, as it is written in the link")
	set.Add(&f.xattrs, "xattr", "", "only what has the extended attribute `NAME`, such as user.comment (Linux)")
	set.Bool(&f.sparse, "sparse", "", "only files that take less room on disk than their size")
}

// newerName returns the name of the flag that compares a clock with a file.
func newerName(clock int) string {
	if clocks[clock].field == dir.ModTime {
		return "newer-than"
	}
	return clocks[clock].name + "-newer-than"
}

// apply adds the tests to opt. A link's target is compared in any case if fold, of the glob, is
// true.
func (f *systemFlags) apply(opt *filter.Options, fold func(string) bool) error {
	for i, path := range f.newerThan {
		if path == "" {
			continue
		}
		info, err := os.Stat(string(path))
		if err != nil {
			return fmt.Errorf("--%s: %w", newerName(i), err)
		}
		opt.Attributes = append(opt.Attributes, filter.After(clocks[i].field, info.ModTime()))
	}
	if (f.noUser || f.noGroup) && runtime.GOOS == "windows" {
		return command.Usagef("--no-user and --no-group: on Windows files have no numeric owners")
	}
	for _, test := range []struct {
		given bool
		of    func() filter.Attribute
	}{{f.noUser, filter.NoUser}, {f.noGroup, filter.NoGroup}, {f.sparse, filter.Sparse}} {
		if test.given {
			opt.Attributes = append(opt.Attributes, test.of())
		}
	}
	if err := f.applyFileSystems(opt); err != nil {
		return err
	}
	return f.applyProbes(opt, fold)
}

func (f *systemFlags) applyFileSystems(opt *filter.Options) error {
	if len(f.fileSystems) == 0 {
		return nil
	}
	systems, err := dir.FileSystems()
	if errors.Is(err, errors.ErrUnsupported) {
		return command.Usagef("--fs-type: this works on Linux alone")
	}
	if err != nil {
		return fmt.Errorf("--fs-type: %w", err)
	}
	for _, value := range f.fileSystems {
		name, not := filter.Negated(value)
		if mounted := slices.Sorted(maps.Values(systems)); !slices.Contains(mounted, name) {
			return fmt.Errorf("--fs-type: no file system of type %q is mounted; mounted are %s",
				name, strings.Join(slices.Compact(mounted), ", "))
		}
		opt.Attributes = append(opt.Attributes, negated(filter.OnFileSystem(systems, name), not))
	}
	return nil
}

// applyProbes adds the tests of links, directories and extended attributes.
func (f *systemFlags) applyProbes(opt *filter.Options, fold func(string) bool) error {
	add := func(p filter.Probe, not bool) {
		if not {
			p = p.Not()
		}
		opt.Probes = append(opt.Probes, p)
	}
	for _, value := range f.linkTargets {
		glob, not := filter.Negated(value)
		m, err := match.New([]string{glob}, match.Options{Syntax: match.Glob, Fold: fold(glob)})
		if wrong, ok := errors.AsType[*match.Error](err); ok {
			return fmt.Errorf("--link-target: %w", &patternError{wrong: wrong})
		}
		add(filter.LinkTarget(m), not)
	}
	for _, value := range f.contained {
		name, not := filter.Negated(value)
		if name == "" || strings.ContainsRune(name, '/') {
			return fmt.Errorf("--contains %q: give the name of an entry, such as .git or go.mod", value)
		}
		add(filter.Contains(name), not)
	}
	if len(f.xattrs) > 0 && !dir.HasXattrs {
		return command.Usagef("--xattr: this works on Linux alone")
	}
	for _, value := range f.xattrs {
		name, not := filter.Negated(value)
		if !strings.Contains(name, ".") {
			return fmt.Errorf("--xattr %q: give the name with its namespace, such as user.%s", value, name)
		}
		add(filter.Xattr(name), not)
	}
	return nil
}
