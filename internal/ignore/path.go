package ignore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"ldx/internal/dir"
)

// readers are for directories that are looked into.
var readers = sync.Pool{New: func() any { return dir.NewReader(0) }}

// look lists a directory and calls f, while it is open, with those of the names
// that it has. If it cannot be listed, look returns false.
func look(path string, names []string, f func(d *dir.Dir, has Names)) bool {
	r := readers.Get().(*dir.Reader)
	defer readers.Put(r)
	defer r.Close()
	d, err := r.Open(dir.Root(path, path, 0))
	if err != nil {
		return false
	}
	has, whole := Names(0), true
	if _, err := r.Next(); err == nil {
		var batch []dir.Entry
		batch, whole = r.Whole()
		for i := range batch {
			has |= notice(names, batch[i].Name)
		}
	}
	if !whole { // it may be /nix/store: rather a few questions than all of it
		for i, name := range names {
			const none = 0 // it is enough to know that the file is there
			if _, err := d.ReadFile(name, true, none); !errors.Is(err, fs.ErrNotExist) {
				has |= 1 << i
			}
		}
	}
	f(d, has)
	return true
}

// notice returns the bit of a name among names, or none.
func notice(names []string, name []byte) Names {
	for i := range names {
		if string(name) == names[i] {
			return 1 << i
		}
	}
	return 0
}

// probe is look for what may be searched but not listed: it asks for each name.
func probe(path string, names []string) (has Names) {
	for i, name := range names {
		if _, err := os.Lstat(path + name); err == nil {
			has |= 1 << i
		}
	}
	return has
}

// readAny is os.ReadFile for at most limit bytes. The error is an *fs.PathError,
// with dir.ErrTooLarge in it if there are more.
func readAny(path string, limit int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, limit)
}

// readRegular is readAny for a path that a repository may have named. What is no
// regular file, and might have no end, holds nothing. Nor does a file without a
// size: /proc/kmsg is such a regular file, and waits.
func readRegular(path string, limit int) ([]byte, error) {
	fi, err := os.Stat(path) // first: to open a device may set it off
	if err != nil || !fi.Mode().IsRegular() || fi.Size() == 0 {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err = f.Stat() // again: it may be another by now
	if err != nil || !fi.Mode().IsRegular() || fi.Size() == 0 {
		return nil, err
	}
	if fi.Size() > int64(limit) {
		return nil, tooLarge(path)
	}
	return readAll(f, limit)
}

func readAll(f *os.File, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > limit:
		return nil, tooLarge(f.Name())
	}
	return data, nil
}

func tooLarge(path string) error {
	return &fs.PathError{Op: "read", Path: path, Err: dir.ErrTooLarge}
}

// Paths of directories are absolute, have slashes, and one after them.

// absolutePath returns the path of a directory, without links.
func (ig *Ignorer) absolutePath(path string) string {
	if path == "." || path == "" {
		return ig.cwd
	}
	switch {
	case filepath.IsAbs(path):
	case os.PathSeparator == '\\': // where a path may have a drive without a root, or a root without a drive
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
	default:
		path = ig.cwd + path // as it is: "link/.." is not here, but above the link's target
	}
	return withSlash(resolve(filepath.FromSlash(path)))
}

// resolve returns a path without links, or, if it leads nowhere, as it is.
func resolve(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return filepath.Clean(path)
}

func withSlash(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	return path
}

// parent returns the directory above one, or "" for the top.
func parent(path string) string {
	path = strings.TrimSuffix(path, "/")
	if path == filepath.ToSlash(filepath.VolumeName(path)) {
		return ""
	}
	return path[:strings.LastIndexByte(path, '/')+1]
}

// topOf returns what absolute globs are below of: "/", or on Windows, where
// they begin with a drive, "".
func topOf(path string) string {
	if strings.HasPrefix(path, "/") {
		return "/"
	}
	return ""
}

// absoluteGlobs returns the patterns that may be absolute paths. Links on the way
// are resolved, as they are in roots.
func absoluteGlobs(patterns []string) (absolute []string) {
	for _, pattern := range patterns {
		if !filepath.IsAbs(pattern) {
			continue
		}
		above, name := filepath.Split(strings.TrimSuffix(pattern, "/"))
		if resolved, err := filepath.EvalSymlinks(above); err == nil && !strings.ContainsAny(resolved, `*?[{`) {
			pattern = withSlash(resolved) + name + pattern[len(above)+len(name):]
		}
		absolute = append(absolute, filepath.ToSlash(pattern))
	}
	return absolute
}

// told returns a path as users are told it: below the working directory where it
// is there.
func (ig *Ignorer) told(path string) string {
	return filepath.FromSlash(strings.TrimPrefix(path, ig.cwd))
}

// configHome returns the path of the directory for a user's configuration: as the
// XDG Base Directory Specification has it, or Windows.
func configHome(getenv func(string) string) string {
	if os.PathSeparator == '\\' {
		return withSlash(getenv("APPDATA"))
	}
	if config := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(config) {
		return withSlash(config)
	}
	return withSlash(getenv("HOME")) + ".config/"
}
