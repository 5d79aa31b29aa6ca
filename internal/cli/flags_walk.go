package cli

import (
	"errors"
	"fmt"
	"os"

	"ldx/internal/command"
	"ldx/internal/filter"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/walk"
)

// walkFlags say how directories are walked.
type walkFlags struct {
	follow               links
	oneFileSystem, cloud bool
	baseDirectory        command.Dir
	threads              command.Count
	buffer               int

	duLetters     bool   // -x and -P
	threadsLetter string // another one of --threads; "": none
}

// links says which symbolic links are followed.
type links uint8

const (
	followNone links = iota
	followOnce       // to each directory once
	followAll        // unless they are loops
)

func (f *walkFlags) addTo(set *command.Flags) {
	set.Section(sectionSearch)
	f.addFollow(set)
	set.Alias("follow", "dereference")
	letter := ""
	if f.duLetters {
		letter = "x"
		set.AliasLetter("no-follow", "P", "no-dereference")
	}
	f.addOneFileSystem(set, letter)
	set.Bool(&f.cloud, "cloud", "", "search directories whose content is in the cloud: on Windows and macOS this downloads it")
	set.Add(&f.baseDirectory, "base-directory", "C", "change the current directory to `DIR` first")
	f.addThreads(set)
	set.Func("buffer-size", "", "read directories in parts of `SIZE`, 4ki to 16mi; default: the fastest", func(s string) (err error) {
		f.buffer, err = parseBuffer(s)
		return err
	}, command.Words("4ki", "32ki", "64ki", "256ki", "1mi"))
}

// addFollow adds -L. ldx du counts each directory once anyway.
func (f *walkFlags) addFollow(set *command.Flags) {
	if f.duLetters {
		command.Choice(set, &f.follow, followOnce, "follow", "L", "follow symbolic links; each directory is entered once")
	} else {
		set.Func("follow", "L", "follow symbolic links; `HOW`: once (each directory is entered once), all (under each path, but for loops); "+
			"default without =HOW: "+self.follows, f.setFollow, command.Words("once", "all"))
		set.Lookup("follow").NoOptDefVal = self.follows
	}
	command.Choice(set, &f.follow, followNone, "no-follow", "", "do not follow symbolic links (default)")
	set.Lookup("no-follow").Hidden = true
}

func (f *walkFlags) setFollow(how string) error {
	switch how {
	case "once":
		f.follow = followOnce
	case "all":
		f.follow = followAll
	default:
		return errors.New("give once or all")
	}
	return nil
}

func (f *walkFlags) addOneFileSystem(set *command.Flags, letter string) {
	set.Bool(&f.oneFileSystem, "one-file-system", letter, "do not search other file systems")
	set.Alias("one-file-system", "mount", "xdev")
}

func (f *walkFlags) addThreads(set *command.Flags) {
	f.threads.Min = 1
	set.Add(&f.threads, "threads", "j", "use at most `N` threads; default: one for each processor, at most 64; "+
		"on Linux up to 16 while they wait for a disk or a network")
	if f.threadsLetter != "" {
		set.AliasLetter("threads", f.threadsLetter, "jobs")
	} else {
		set.Alias("threads", "jobs")
	}
}

// parseBuffer reads the size of a buffer.
func parseBuffer(s string) (int, error) {
	const smallest, largest = 4 << 10, 16 << 20 // no record is longer, and hardly a directory
	how, n, err := filter.ParseSize(s)
	if err != nil || how != filter.Equal || n < smallest || n > largest {
		return 0, errors.New("give a size from 4ki to 16mi, such as 64ki or 1mi")
	}
	return int(n), nil
}

// changeDirectory changes the current directory to that of -C.
func (f *walkFlags) changeDirectory() error {
	if f.baseDirectory == "" {
		return nil
	}
	if err := os.Chdir(string(f.baseDirectory)); err != nil {
		return fmt.Errorf("-C/--base-directory: %w", err)
	}
	return nil
}

// options returns how to walk the roots. report gets the errors.
func (f *walkFlags) options(roots []walk.Root, report func(error)) (o walk.Options, err error) {
	o = walk.Options{
		Workers:       f.threads.Or(search.Workers()),
		Waits:         process.Waits(),
		MaxDepth:      walk.Unlimited,
		Follow:        f.follow != followNone,
		FollowAll:     f.follow == followAll,
		OneFileSystem: f.oneFileSystem,
		Remote:        f.cloud,
		Buffer:        f.buffer,
		Report:        report,
	}
	o.Except, err = search.ExceptSecondView(roots)
	return o, err
}
