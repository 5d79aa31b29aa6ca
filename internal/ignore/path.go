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

// readers are reused by look.
var readers = sync.Pool{New: func() any { return dir.NewReader(0) }}

// look lists a directory and calls f while it is open, with those of names that
// are in it. It returns false if the directory cannot be listed.
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
	if !whole { // it may be as large as /nix/store: ask for the names instead of reading on
		for i, name := range names {
			const none = 0 // enough to learn whether the file exists
			if _, err := d.ReadFile(name, true, none); !errors.Is(err, fs.ErrNotExist) {
				has |= 1 << i
			}
		}
	}
	f(d, has)
	return true
}

// notice returns the bit of name in names, or 0.
func notice(names []string, name []byte) Names {
	for i := range names {
		if string(name) == names[i] {
			return 1 << i
		}
	}
	return 0
}

// probe is like look for a directory that can be searched but not listed: it
// asks for each name.
func probe(path string, names []string) (has Names) {
	for i, name := range names {
		if _, err := os.Lstat(path + name); err == nil {
			has |= 1 << i
		}
	}
	return has
}

// readAny is like os.ReadFile for at most limit bytes. The error is an
// *fs.PathError; it wraps dir.ErrTooLarge if the file is longer.
func readAny(path string, limit int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, limit)
}

// readRegular is like readAny, for a path that a repository may have named.
// Anything but a regular file reads as empty, since it may have no end. So does
// a file of size 0: reading /proc/kmsg, a regular file of size 0, blocks.
func readRegular(path string, limit int) ([]byte, error) {
	fi, err := os.Stat(path) // before opening: opening a device may have an effect
	if err != nil || !fi.Mode().IsRegular() || fi.Size() == 0 {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err = f.Stat() // it may have been replaced
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

// Paths of directories are absolute, with slashes, and end in a slash.

// absolutePath returns the path of a directory with links resolved.
func (ig *Ignorer) absolutePath(path string) string {
	if path == "." || path == "" {
		return ig.cwd
	}
	switch {
	case filepath.IsAbs(path):
	case os.PathSeparator == '\\': // a path may have a drive but no root, or a root but no drive
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
	default:
		path = ig.cwd + path // not cleaned: "link/.." is the parent of the link's target
	}
	return withSlash(resolve(filepath.FromSlash(path)))
}

// resolve returns path with links resolved, or, if it does not exist, cleaned.
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

// parent returns the parent of a directory, or "" for the top.
func parent(path string) string {
	path = strings.TrimSuffix(path, "/")
	if path == filepath.ToSlash(filepath.VolumeName(path)) {
		return ""
	}
	return path[:strings.LastIndexByte(path, '/')+1]
}

// topOf returns the directory that absolute globs are relative to: "/", or ""
// on Windows, where they begin with a drive.
func topOf(path string) string {
	if strings.HasPrefix(path, "/") {
		return "/"
	}
	return ""
}

// absoluteGlobs returns the patterns that may be absolute paths, with links in
// their directories resolved, as in roots.
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

// displayPath returns path as it is shown to users: relative to the current
// directory if it is below that.
func (ig *Ignorer) displayPath(path string) string {
	return filepath.FromSlash(strings.TrimPrefix(path, ig.cwd))
}

// ConfigHome returns the directory for a user's configuration, by the XDG Base
// Directory Specification or, on Windows, APPDATA. It ends in a slash.
func ConfigHome(getenv func(string) string) string {
	if os.PathSeparator == '\\' {
		return withSlash(getenv("APPDATA"))
	}
	if config := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(config) {
		return withSlash(config)
	}
	return withSlash(getenv("HOME")) + ".config/"
}
