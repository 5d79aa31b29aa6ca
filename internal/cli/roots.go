package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ldx/internal/dir"
	"ldx/internal/walk"
)

// findRoots returns where the search starts, and how the paths of each begin: as
// it was typed, unless flags say otherwise.
func (f *findFlags) findRoots(paths []string) ([]walk.Root, error) {
	if len(paths) == 0 {
		label, err := f.label("./")
		if err != nil {
			return nil, err
		}
		if label == "./" && !f.keepsDot() {
			label = ""
		}
		return []walk.Root{{Path: ".", Label: label}}, nil
	}
	roots := make([]walk.Root, len(paths))
	for i, path := range paths {
		if path == "" {
			return nil, usagef(`a path is empty; give "." for the working directory`)
		}
		label, err := f.label(path)
		if err != nil {
			return nil, err
		}
		if f.stripPrefix.value == "always" {
			label = withoutDot(label)
		}
		roots[i] = walk.Root{Path: path, Label: label}
	}
	return roots, nil
}

// keepsDot reports whether paths below the working directory, if it was not named,
// begin with ./ all the same: so that none is taken for a flag by a command.
func (f *findFlags) keepsDot() bool {
	switch f.stripPrefix.value {
	case "always":
		return false
	case "never":
		return true
	}
	return f.null || len(f.exec)+len(f.execBatch) > 0
}

// label returns what the paths below a root begin with. Its separators are slashes, as
// those of all paths until they are shown.
func (f *findFlags) label(path string) (string, error) {
	switch {
	case f.absolute:
		path, err := absolute(path)
		return filepath.ToSlash(path), err
	case f.relativeTo != "":
		return relativeTo(f.relativeTo, path)
	}
	return filepath.ToSlash(path), nil
}

// withoutDot takes off any ./ that a path begins with; the working directory is "".
func withoutDot(path string) string {
	for path == "." || strings.HasPrefix(path, "./") {
		path = strings.TrimLeft(path[1:], "/")
	}
	return path
}

// dataVolume is where macOS mounts what can be seen at / as well, by its firmlinks.
const dataVolume = "/System/Volumes/Data"

// exceptVolume returns a function that tells of the directory where a volume is
// mounted, below the roots, which are absolute paths; nil if it is below none.
func exceptVolume(roots []string, volume string) func(*dir.Entry) bool {
	some, below := false, make([]string, len(roots)) // for each root: the volume's path below it
	for i, root := range roots {
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

// absolute returns the absolute path, with .. and links as they are.
func absolute(path string) (string, error) {
	if os.PathSeparator == '\\' { // where .. is never behind a link, and a drive may be without a root
		return filepath.Abs(path)
	}
	if filepath.IsAbs(path) {
		return path, nil
	}
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if path = withoutDot(path); path == "" {
		return cwd, nil
	}
	return strings.TrimSuffix(cwd, "/") + "/" + path, nil
}

// relativeTo returns the path as seen from a directory; "" for that itself. Links
// are resolved, or .. would lead elsewhere.
func relativeTo(dir, path string) (string, error) {
	var ends [2]string
	for i, p := range []string{dir, path} {
		resolved, err := filepath.EvalSymlinks(p)
		if err == nil {
			resolved, err = filepath.Abs(resolved)
		}
		if err != nil && i == 1 { // the walk will tell of it
			return filepath.ToSlash(path), nil
		}
		if err != nil {
			return "", fmt.Errorf("--relative-to: %w", err)
		}
		ends[i] = resolved
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("--relative-to: %s is not a directory", quoted(dir))
	}
	relative, err := filepath.Rel(ends[0], ends[1])
	if err != nil {
		return "", err
	}
	return withoutDot(filepath.ToSlash(relative)), nil
}

// absoluteRoots returns the roots' absolute paths, clean where that cannot lead
// elsewhere.
func absoluteRoots(paths []string) ([]string, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	roots := make([]string, len(paths))
	for i, path := range paths {
		root, err := absolute(path)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(root, "..") { // which may be behind a link
			root = filepath.ToSlash(filepath.Clean(root))
		}
		roots[i] = root
	}
	return roots, nil
}
