package ignore

import (
	"errors"
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
			if _, err := d.ReadFile(name, true); !errors.Is(err, fs.ErrNotExist) {
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

// readRegular is os.ReadFile for a path that a repository may have named: what is
// no regular file, and might have no end, holds nothing.
func readRegular(path string) ([]byte, error) {
	if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() {
		return nil, err
	}
	return os.ReadFile(path)
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
