package search

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/walk"
)

// Labels says how the paths of results begin. Of Absolute and RelativeTo, one may be set.
type Labels struct {
	Absolute   bool
	RelativeTo string // a directory; "": none
	KeepDot    bool   // with a ./ even if no path is given
	StripDot   bool   // without a ./ even if a path that is given has one
}

// Roots returns where a search of paths starts: each begins as it is given, unless l says
// otherwise. Without paths it is the working directory. Separators are slashes, as those of
// all paths until they are shown.
func (l Labels) Roots(paths []string) ([]walk.Root, error) {
	if len(paths) == 0 {
		label, err := l.of("./")
		if label == "./" && !l.KeepDot {
			label = ""
		}
		return []walk.Root{{Path: ".", Label: label}}, err
	}
	roots := make([]walk.Root, len(paths))
	for i, path := range paths {
		label, err := l.of(path)
		if err != nil {
			return nil, err
		}
		if l.StripDot {
			label = withoutDot(label)
		}
		roots[i] = walk.Root{Path: path, Label: label}
	}
	return roots, nil
}

func (l Labels) of(path string) (string, error) {
	switch {
	case l.Absolute:
		path, err := absolute(path)
		return filepath.ToSlash(path), err
	case l.RelativeTo != "":
		return relativeTo(l.RelativeTo, path)
	}
	return filepath.ToSlash(path), nil
}

// withoutDot removes any ./ that a path begins with; the working directory is "".
func withoutDot(path string) string {
	for path == "." || strings.HasPrefix(path, "./") {
		path = strings.TrimLeft(path[1:], "/")
	}
	return path
}

// dataVolume is where macOS mounts what can be seen at / as well, by its firmlinks.
const dataVolume = "/System/Volumes/Data"

// ExceptSecondView returns a function for walk.Options.Except that keeps a search of the roots
// from seeing the same files twice: on macOS at / and where their volume is mounted. It is nil
// where nothing can be seen twice.
func ExceptSecondView(roots []walk.Root) (func(*dir.Entry) bool, error) {
	if runtime.GOOS != "darwin" {
		return nil, nil
	}
	if err := MakeAbsolute(roots); err != nil {
		return nil, err
	}
	return exceptVolume(roots, dataVolume), nil
}

// exceptVolume returns a function that reports whether an entry is the directory where a
// volume is mounted, below the roots; nil if it is below none.
func exceptVolume(roots []walk.Root, volume string) func(*dir.Entry) bool {
	some, below := false, make([]string, len(roots)) // for each root: the volume's path below it
	for i := range roots {
		root := roots[i].Absolute
		if root != "/" {
			root += "/"
		}
		below[i], _ = strings.CutPrefix(volume, root)
		if below[i] == volume {
			below[i] = ""
		}
		some = some || below[i] != ""
	}
	if !some {
		return nil
	}
	depth := strings.Count(volume, "/")
	return func(e *dir.Entry) bool {
		path := below[e.Dir.Root()]
		return path != "" && e.Depth() <= depth && strings.HasSuffix(path, string(e.Name)) && string(e.AppendBelow(nil)) == path
	}
}

// absolute returns the absolute path, with links as they are. Each .. is resolved unless it
// follows a link.
func absolute(path string) (string, error) {
	if os.PathSeparator == '\\' { // where .. is never behind a link, and a drive may be without a root
		return filepath.Abs(path)
	}
	if filepath.IsAbs(path) {
		return withoutParents(path), nil
	}
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if path = withoutDot(path); path == "" {
		return cwd, nil
	}
	return withoutParents(strings.TrimSuffix(cwd, "/") + "/" + path), nil
}

// withoutParents returns an absolute path without .., or as it is if one follows a symbolic
// link, whose parent is elsewhere.
func withoutParents(path string) string {
	if !strings.Contains(path, "/..") {
		return path
	}
	clean := ""
	for name := range strings.SplitSeq(path, "/") {
		switch name {
		case "", ".":
		case "..":
			if info, err := os.Lstat(clean); clean != "" && (err != nil || info.Mode().Type() != 0 && !info.IsDir()) {
				return path
			}
			clean = clean[:max(0, strings.LastIndexByte(clean, '/'))]
		default:
			clean += "/" + name
		}
	}
	if clean == "" {
		return "/"
	}
	return clean
}

// relativeTo returns the path as seen from a directory; "" for that itself. Links are resolved,
// or .. would lead elsewhere.
func relativeTo(from, path string) (string, error) {
	var ends [2]string
	for i, p := range []string{from, path} {
		resolved, err := filepath.EvalSymlinks(p)
		if err == nil {
			resolved, err = filepath.Abs(resolved)
		}
		if err != nil && i == 1 { // the walk reports it
			return filepath.ToSlash(path), nil
		}
		if err != nil {
			return "", err
		}
		ends[i] = resolved
	}
	if info, err := os.Stat(from); err != nil || !info.IsDir() {
		return "", fmt.Errorf("'%s' is not a directory", from)
	}
	relative, err := filepath.Rel(ends[0], ends[1])
	if err != nil {
		return "", err
	}
	return withoutDot(filepath.ToSlash(relative)), nil
}

// MakeAbsolute gives each root its absolute path, clean where that cannot lead elsewhere, with
// slashes.
func MakeAbsolute(roots []walk.Root) error {
	for i := range roots {
		path, err := absolute(roots[i].Path)
		if err != nil {
			return err
		}
		if !strings.Contains(path, "..") { // which may be behind a link
			path = filepath.ToSlash(filepath.Clean(path))
		}
		roots[i].Absolute = path
	}
	return nil
}
