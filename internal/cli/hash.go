package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"ldx/internal/catalogue"
	"ldx/internal/checksum"
	"ldx/internal/command"
	"ldx/internal/search"
	"ldx/internal/term"
)

const (
	sectionHashes = "What is done with hashes"

	hashAbout = `Print the SHA-256 of the regular files that a search finds, as sha256sum does:
sha256sum -c accepts it. Pattern, paths and filters are those of the search;
hidden and ignored files are left out unless -u is given.

Hashes are kept in a catalogue, so that a file is read once: again only when its
size, mtime, ctime or inode number has changed. The catalogue is in
~/.local/state/ldx/hashes ($XDG_STATE_HOME/ldx), for this user alone. It has no
names of files. On file systems that others may change (networks, FUSE, overlay,
FAT), and on Windows, files are always read, unless --trust-mtime is given.

To search for something called hash: ldx -- hash
`
	hashExamples = `  ldx hash -u . ~/photos            every file
  ldx hash -u . ~/photos >sums      to compare with later:
  ldx hash --check sums --quiet     what differs now
  ldx hash -e iso . ~/downloads     only some
  ldx hash -u --verify . ~/photos   find what a disk has damaged
`
	hashStatus = `0 success; 1 an error, such as a file that cannot be read, or a difference;
2 a wrong flag.
`
)

func hashPage() command.Page {
	return command.Page{
		Name: "ldx hash", Title: "SHA-256 of files, read once",
		Usage: []string{"[flags] [pattern] [path ...]", "--check FILE [flags]"},
		About: hashAbout, Examples: hashExamples, Status: hashStatus,
		Sections: hashSections, SeeAlso: []string{"ldx(1)", "ldx-index(1)", "sha256sum(1)"},
	}
}

// hashFlags are the flags of ldx hash.
type hashFlags struct {
	files fileFlags
	cache cacheFlags

	null, json            bool
	checkFile             command.File
	verify                bool
	quiet, status, strict bool
}

// cacheFlags say how the catalogue of hashes is used.
type cacheFlags struct{ noCache, trustModified bool }

func (f *cacheFlags) addTo(set *command.Flags) {
	set.Section(sectionHashes)
	set.Bool(&f.noCache, "no-cache", "", "read every file, and do not use the catalogue of hashes")
	set.Bool(&f.trustModified, "trust-mtime", "",
		"take a file for unchanged if path, size and mtime are the same, on any file system; default: inode number and ctime too")
}

func (*cacheFlags) conflicts(*command.Flags) [][2]string {
	return command.Pairs("no-cache", "trust-mtime")
}

// open opens the catalogue for files below the roots of a search. If it cannot be used, that is
// reported, and nothing is stored.
func (f *cacheFlags) open(o *search.Options) *catalogue.Catalogue {
	all := o.Walk.Hidden && (o.Walk.Ignore == nil || o.Walk.Ignore.Empty())
	opt := catalogue.Options{None: f.noCache, TrustModified: f.trustModified, All: all}
	for _, root := range o.Roots {
		opt.Roots = append(opt.Roots, root.Absolute)
	}
	hashes, err := catalogue.Open(opt)
	if err != nil {
		report(fmt.Errorf("hashes are not kept, and all files are read (--no-cache does that without this message): %w", err))
	}
	return hashes
}

// close writes what was hashed. Hashes that were not written have been used all the same.
func (f *cacheFlags) close(hashes *catalogue.Catalogue) {
	if err := hashes.Close(); err != nil {
		report(fmt.Errorf("hashes are not kept: %w", err))
	}
}

func (f *hashFlags) groups() []flagGroup { return append(f.files.groups(), &f.cache) }

func hashCommand(status *int) (*cobra.Command, *command.Flags) {
	f := &hashFlags{}
	cmd := command.New("hash [flags] [pattern] [path ...]", "ldx hash")
	set := newFlags(cmd, f.groups())
	f.files.addOwn(set)
	set.Section(sectionOutput)
	set.Bool(&f.null, "print0", "0", "end each result with a NUL character, and print paths as they are")
	set.Bool(&f.json, "json", "", "print each result as a JSON object, one a line: path, size, sha256")
	set.Section(sectionHashes)
	set.Add(&f.checkFile, "check", "", "read the files that are listed in `FILE`, as ldx hash and sha256sum print them, "+
		"and print which differ; -: standard input")
	set.Bool(&f.verify, "verify", "", "read all files again, and print which differ from the catalogue: changed files, and damaged ones, "+
		"which nothing has written to")
	set.Bool(&f.quiet, "quiet", "", "with --check: do not print OK; with --verify: print only what is damaged")
	set.Bool(&f.status, "status", "", "with --check and --verify: print nothing, only exit with 1 if something differs or is damaged")
	set.Bool(&f.strict, "strict", "", "with --check: also exit with 1 if a line is malformed")
	setHelp(cmd, hashPage, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := f.check(set, args); err != nil {
			return err
		}
		if f.checkFile != "" {
			*status, err = f.compare()
		} else {
			*status, err = f.run(cmd.Context(), args)
		}
		return err
	}
	return cmd, set
}

// check returns an error if flags and arguments were given that exclude each other.
func (f *hashFlags) check(set *command.Flags, args []string) error {
	if err := cmp.Or(conflict(set, f.groups()), f.files.check(set), set.Conflict(slices.Concat(
		command.Pairs("check", "verify", "json", "print0"),
		command.Pairs("verify", "json", "print0", "no-cache"),
		command.Pairs("quiet", "status"),
	))); err != nil {
		return err
	}
	for _, name := range []string{"quiet", "status", "strict"} {
		if set.Given(name) && f.checkFile == "" && (!f.verify || name == "strict") {
			return command.Usagef("--%s is for --check, which is not given", name)
		}
	}
	if f.checkFile != "" && len(args) > 0 {
		return command.Usagef("--check reads the files that are listed in %s, and takes no pattern or path", f.checkFile)
	}
	return nil
}

// run hashes what the arguments ask for, and returns the exit status.
func (f *hashFlags) run(ctx context.Context, args []string) (int, error) {
	status, errs := f.files.status(), &reporter{show: true}
	o, err := f.files.search(args, errs, status)
	if err != nil {
		return statusError, err
	}
	hashes := f.cache.open(&o)
	total := f.total(ctx, o, hashes)
	opt := checksum.Options{
		Catalogue: hashes, Workers: f.files.readers(), Report: o.Walk.Report, Out: status.Writer(os.Stdout), Form: f.form(),
	}
	if f.verify {
		opt.Verify = &checksum.Verified{Quiet: f.quiet, Silent: f.status}
	}
	o.Sink = checksum.New(opt)
	recorded, err := f.files.index.use(o.Roots, &o.Walk)
	if err != nil {
		return statusError, err
	}
	end := whileHashing(hashes, status, total.line)
	_, err = search.Run(ctx, o)
	end()
	total.stop()
	recorded()
	if err == nil && errs.n == 0 && f.files.all(&o) {
		hashes.Complete()
	}
	f.cache.close(hashes)
	switch {
	case err != nil || errs.n > 0:
		return statusError, err
	case f.verify && !f.tellVerified(opt.Verify):
		return statusError, nil
	}
	return statusOK, nil
}

// form returns how results are printed.
func (f *hashFlags) form() checksum.Form {
	return checksum.Form{JSON: f.json, Null: f.null, Escape: term.IsTerminal(os.Stdout) && !f.json && !f.null}
}

// tellVerified reports what --verify has found, and whether nothing is damaged.
func (f *hashFlags) tellVerified(v *checksum.Verified) bool {
	n := func(verdict catalogue.Verdict) int64 { return v.Files[verdict].Load() }
	damaged := n(catalogue.Damaged)
	if !f.status {
		text := fmt.Sprintf("%s as they were, %s changed, %s not in the catalogue", counted(n(catalogue.Same), "file is", "files are"),
			grouped(n(catalogue.Changed)), grouped(n(catalogue.New)))
		if damaged > 0 {
			text += fmt.Sprintf("; %s damaged: their content is not what was written to them", counted(damaged, "file is", "files are"))
		}
		report(errors.New(text))
	}
	return damaged == 0
}

// compare reads the files of --check, and returns the exit status.
func (f *hashFlags) compare() (int, error) {
	if err := f.files.walk.changeDirectory(); err != nil {
		return statusError, err
	}
	list := os.Stdin
	if f.checkFile != "-" {
		var err error
		if list, err = os.Open(string(f.checkFile)); err != nil {
			return statusError, fmt.Errorf("--check: %w", err)
		}
		defer list.Close()
	}
	status, hashes := f.files.status(), f.cache.open(&search.Options{})
	c := &checksum.Check{
		Catalogue: hashes, Workers: f.files.readers(), Out: status.Writer(os.Stdout), Form: f.form(), Quiet: f.quiet, Silent: f.status,
		Report: func(err error) {
			if !f.status {
				status.Do(func() { report(err) })
			}
		},
	}
	started := time.Now()
	end := whileHashing(hashes, status, func(int) string {
		n := hashes.Bytes()
		return fmt.Sprintf("%s of %s, %s read, %s", grouped(c.Done.Load()), counted(c.Files.Load(), "file", "files"), human(n), speed(n, started))
	})
	err := c.Run(list)
	end()
	f.cache.close(hashes)
	switch {
	case err != nil:
		return statusError, err
	case c.Files.Load() == 0:
		return statusError, fmt.Errorf("--check: %s has no line as sha256sum prints it", f.checkFile)
	case !f.status:
		f.tellCompared(c)
	}
	if c.Differ > 0 || c.Unreadable > 0 || f.strict && c.Malformed > 0 {
		return statusError, nil
	}
	return statusOK, nil
}

// tellCompared reports what --check has found.
func (f *hashFlags) tellCompared(c *checksum.Check) {
	for _, found := range []struct {
		n         int64
		one, many string
	}{
		{c.Malformed, "line is malformed", "lines are malformed"},
		{c.Unreadable, "listed file could not be read", "listed files could not be read"},
		{c.Differ, "file differs from its checksum", "files differ from their checksums"},
	} {
		if found.n > 0 {
			report(errors.New(counted(found.n, found.one, found.many)))
		}
	}
}
