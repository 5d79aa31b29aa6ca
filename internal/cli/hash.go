package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ldx/internal/catalogue"
	"ldx/internal/checksum"
	"ldx/internal/command"
	"ldx/internal/process"
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
	hashStatus = `0 success; 1 an error, such as a file that cannot be read, or a file that differs;
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
	opt := catalogue.Options{None: f.noCache, TrustModified: f.trustModified, All: o.Walk.Hidden && o.Walk.Ignore.Empty()}
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
	setHelp(cmd, hashPage, set)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := conflict(set, f.groups()); err != nil {
			return err
		}
		*status, err = f.run(cmd.Context(), args)
		return err
	}
	return cmd, set
}

// run hashes what the arguments ask for, and returns the exit status.
func (f *hashFlags) run(ctx context.Context, args []string) (int, error) {
	status := f.files.status()
	errs := &reporter{show: true}
	o, err := f.files.search(args, errs, status)
	if err != nil {
		return statusError, err
	}
	hashes := f.cache.open(&o)
	form := checksum.Form{JSON: f.json, Null: f.null, Escape: term.IsTerminal(os.Stdout) && !f.json && !f.null}
	o.Sink = checksum.New(checksum.Options{
		Catalogue: hashes, Workers: o.Walk.Workers, Report: o.Walk.Report, Out: status.Writer(os.Stdout), Form: form,
	})
	release := process.BeforeSignals(func() func() {
		_ = hashes.Commit() // the next run hashes what was not written
		return status.Suspend(os.Stdout, "")
	})
	done, err := f.files.index.use(o.Roots, &o.Walk)
	if err != nil {
		return statusError, err
	}
	defer done()
	_, err = search.Run(ctx, o)
	release()
	if err == nil && errs.n == 0 && f.files.all(&o) {
		hashes.Complete()
	}
	f.cache.close(hashes)
	if err != nil || errs.n > 0 {
		return statusError, err
	}
	return statusOK, nil
}
