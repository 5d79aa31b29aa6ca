package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"ldx/internal/command"
	"ldx/internal/dir"
	"ldx/internal/filter"
	"ldx/internal/match"
)

// filterFlags say what an entry must be like, besides its name.
type filterFlags struct {
	types, notTypes []filter.Type
	kinds           command.Texts // --type-group
	extensions      command.Texts
	attributes      []filter.Attribute // all must hold
	owner           []filter.Attribute // of the last --owner
	times           [len(clocks)]struct{ after, before command.Text }
	sameFiles       command.Files
	where           command.Texts
	system          systemFlags

	typed func(name string) string // a flag as the user wrote it
}

// clocks are the times that a file system may have of an entry.
var clocks = [...]struct {
	field     dir.Fields
	name, did string
}{
	{dir.ModTime, "changed", "modified"},
	{dir.AccessTime, "accessed", "last read"},
	{dir.ChangeTime, "status-changed", "metadata changed"},
	{dir.BirthTime, "created", "created"},
}

func (f *filterFlags) addTo(set *command.Flags) {
	set.Section(sectionFilter)
	anyOf := "; repeatable, any may match"
	if self.habits {
		anyOf = "; repeatable or with commas, any may match"
	}
	set.Func("type", self.typeLetter, "only entries of type `T`: "+strings.Join(filter.TypeNames(), ", ")+
		", l:d (link to a directory) and the like"+anyOf, f.addTypes, typeWords)
	set.Add(&f.extensions, "extension", "e", "only files with the extension `EXT`, in any case unless --case-sensitive is given"+anyOf)
	set.Func("type-group", "", "only files of a `KIND`: image, video, audio, ... (see ldx --type-list)"+anyOf, f.kinds.Set, kindNames)
	f.attribute(set, "size", "S",
		"only files of this `SIZE`: +10k at least, -2mi at most, 0b exactly; k m g t: powers of 1000, ki mi gi ti: 1024",
		compared(filter.ParseSize, filter.Size), "+1k", "+1m", "+1g", "-1k", "-1m")
	within := " within the duration `TIME` (2weeks, '1d 2h') or after the date TIME (2024-07-31, '2024-07-31 18:00:00', @seconds)"
	for i, clock := range clocks {
		ago := []string{"1h", "1d", "1week", "1month"}
		f.times[i].after.Words, f.times[i].before.Words = ago, ago
		set.Add(&f.times[i].after, clock.name+"-within", "", clock.did+within)
		set.Add(&f.times[i].before, clock.name+"-before", "", clock.did+" before `TIME`, or longer ago")
		within = " within or after `TIME`"
	}
	set.Alias("changed-within", "newer", "changed-after", "change-newer-than")
	set.Alias("changed-before", "older", "change-older-than")
	f.typed = set.Typed
	set.Func("owner", "o", "only what belongs to `USER:GROUP`, names or numbers; either part may be omitted", func(s string) (err error) {
		f.owner, err = filter.ParseOwner(s)
		return err
	}, nil)
	f.attribute(set, "perm", "", "only exactly the permissions `MODE`, octal (644) or symbolic (u=rw,go=r); -MODE: at least these, /MODE: any",
		compared(filter.ParseMode, filter.Permissions))
	f.attribute(set, "links", "", "only files with `N` hard links; +N at least, -N at most", compared(filter.ParseNumber, filter.Links))
	f.attribute(set, "inode", "", "only the inode number `N`; +N at least, -N at most", compared(filter.ParseNumber, filter.Inode))
	set.Add(&f.sameFiles, "same-file", "", "only names of the same file as `FILE`: its hard links")
	f.system.addTo(set)
	set.Add(&f.where, "where", "", "only entries that `EXPR` is true of: 'ext in (go, c) and (size > 1M or mtime < 2d) and not hidden'; "+
		"see the manual; repeatable, all must be true")
}

// attribute adds a flag that asks for an Attribute, or with a ! for its opposite.
func (f *filterFlags) attribute(set *command.Flags, name, letter, usage string, parse attributeParser, words ...string) {
	set.Func(name, letter, usage, func(s string) error {
		value, not := filter.Negated(s)
		a, err := parse(value)
		f.attributes = append(f.attributes, negated(a, not))
		return err
	}, command.Words(words...))
}

func negated(a filter.Attribute, not bool) filter.Attribute {
	if not {
		return a.Not()
	}
	return a
}

type attributeParser func(string) (filter.Attribute, error)

// compared returns the parser of an Attribute that compares a number.
func compared[N any](parse func(string) (filter.Comparison, N, error), of func(filter.Comparison, N) filter.Attribute) attributeParser {
	return func(s string) (filter.Attribute, error) {
		how, n, err := parse(s)
		return of(how, n), err
	}
}

// listed returns the values in one of a flag that may be repeated. A ! at its beginning is for
// all of them.
func listed(s string) []string {
	if !self.habits || !strings.Contains(s, ",") {
		return []string{s}
	}
	list, not := filter.Negated(s)
	values := strings.Split(list, ",")
	for i, value := range values {
		if not {
			values[i] = "!" + value
		}
	}
	return values
}

func (f *filterFlags) addTypes(s string) error {
	for _, s := range listed(s) {
		name, not := filter.Negated(s)
		t, err := filter.ParseType(name)
		if err != nil {
			return err
		}
		if not {
			f.notTypes = append(f.notTypes, t)
		} else {
			f.types = append(f.types, t)
		}
	}
	return nil
}

// typeWords returns the words for --type.
func typeWords() []string {
	names := filter.TypeNames()
	for i, name := range names {
		names[i] = strings.TrimSuffix(name[strings.IndexByte(name, '(')+1:], ")")
	}
	return names
}

// kindNames returns the values of --type-group, each with some of its extensions.
func kindNames() (names []string) {
	const shown = 4
	list, err := kinds()
	if err != nil {
		list = filter.Kinds()
	}
	for _, group := range list {
		extensions := strings.Fields(group[1])
		text := strings.Join(extensions[:min(shown, len(extensions))], " ")
		if len(extensions) > shown {
			text += " ..."
		}
		names = append(names, group[0]+"\t"+text)
	}
	return names
}

// apply adds the tests to opt. Extensions are compared in any case if fold is set.
func (f *filterFlags) apply(opt *filter.Options, fold bool) error {
	opt.Types, opt.NotTypes = f.types, f.notTypes
	opt.Attributes = slices.Concat(f.attributes, f.owner)
	if err := f.applyExtensions(opt, fold); err != nil {
		return err
	}
	if err := f.applyFiles(opt); err != nil {
		return err
	}
	return f.applyTimes(opt, time.Now())
}

func (f *filterFlags) applyExtensions(opt *filter.Options, fold bool) (err error) {
	var some, none []string
	add := func(ext string, not bool) {
		ending := "." + strings.TrimPrefix(ext, ".")
		if not {
			none = append(none, ending)
		} else {
			some = append(some, ending)
		}
	}
	for _, list := range f.extensions {
		for _, ext := range listed(list) {
			add(filter.Negated(ext))
		}
	}
	for _, kind := range f.kinds {
		kind, not := filter.Negated(kind)
		extensions, err := kindExtensions(kind)
		if err != nil {
			return command.Usagef("--type-group: %v", err)
		}
		for _, ext := range extensions {
			add(ext, not)
		}
	}
	how := match.Options{Syntax: match.Suffix, Fold: fold}
	if len(some) > 0 {
		opt.Extension, err = match.New(some, how)
	}
	if len(none) > 0 && err == nil {
		opt.NotExtension, err = match.New(none, how)
	}
	if err != nil {
		return command.Usagef("-e/--extension: %v", err)
	}
	return nil
}

// applyFiles adds the tests that compare with other files.
func (f *filterFlags) applyFiles(opt *filter.Options) error {
	for _, path := range f.sameFiles {
		path, not := filter.Negated(path)
		info, err := dir.Stat(path, dir.Identity)
		if err != nil {
			return fmt.Errorf("--same-file: %w", err)
		}
		opt.Attributes = append(opt.Attributes, negated(filter.SameFile(info.Device, info.Inode), not))
	}
	return nil
}

func (f *filterFlags) applyTimes(opt *filter.Options, now time.Time) error {
	for i, clock := range clocks {
		for _, side := range []struct {
			name  string
			value command.Text
			test  func(dir.Fields, time.Time) filter.Attribute
		}{
			{"within", f.times[i].after, filter.After},
			{"before", f.times[i].before, filter.Before},
		} {
			if !side.value.Given {
				continue
			}
			value, not := filter.Negated(side.value.Text)
			t, err := filter.ParseTime(value, now)
			if err != nil {
				return f.notTime(clock.name+"-"+side.name, side.value.Text, err)
			}
			opt.Attributes = append(opt.Attributes, negated(side.test(clock.field, t), not))
		}
	}
	return nil
}

// notTime returns the error for a value that is not a time. It may be a file, as after find's
// -newer.
func (f *filterFlags) notTime(name, value string, err error) error {
	typed := f.typed(name)
	if _, missing := os.Lstat(value); missing == nil && name == "changed-within" {
		return &advice{
			text:    fmt.Sprintf("%s %q: that is a file, not a time; for what was modified after it:", typed, value),
			command: commandLine("--newer-than", value),
		}
	}
	return fmt.Errorf("%s %q: %w", typed, value, err)
}
