//go:build linux || freebsd || netbsd || openbsd || dragonfly

package trash

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Supported reports whether the system has a trash of this kind.
const Supported = true

// own is the directory of this user in the trash of all users.
var own = strconv.Itoa(os.Getuid())

// home returns the path of the trash in the home directory; "" if there is none.
func (c *Can) home() string {
	data := c.getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		if data = c.getenv("HOME"); !filepath.IsAbs(data) {
			return ""
		}
		data += "/.local/share"
	}
	return filepath.Join(data, "Trash")
}

// Holds reports whether an absolute path is that of a trash directory, or below one.
func (c *Can) Holds(path string) bool {
	if home := c.home(); home != "" && isBelow(path, home) {
		return true
	}
	for _, name := range []string{"/.Trash-" + own, "/.Trash/" + own} {
		if top, _, ok := strings.Cut(path+"/", name+"/"); ok && isTop(top+"/") {
			return true
		}
	}
	return false
}

func isBelow(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/')
}

// isTop reports whether a directory is the top one of a file system.
func isTop(dir string) bool {
	here, err := device(dir)
	above, wrong := device(filepath.Dir(filepath.Clean(dir)))
	return err == nil && wrong == nil && (here != above || filepath.Clean(dir) == "/")
}

func device(path string) (uint64, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	return deviceOf(info), nil
}

func deviceOf(info fs.FileInfo) uint64 { return uint64(info.Sys().(*syscall.Stat_t).Dev) }

// placeFor returns the trash directory for the files in a directory.
func (c *Can) placeFor(dir string) (place, error) {
	dev, err := device(dir)
	if err != nil {
		return place{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.places[dev] {
		if strings.HasPrefix(dir+"/", p.top) {
			return p, p.err
		}
	}
	p, err := c.open(dir, dev)
	if err != nil {
		p.err = fmt.Errorf("there is no trash for it: %w; --delete deletes", err)
	}
	c.places[dev] = append(c.places[dev], p)
	return p, p.err
}

// open opens the trash directory of a device, and makes it if there is none.
func (c *Can) open(dir string, dev uint64) (p place, err error) {
	if home := c.home(); home != "" && existingDevice(home) == dev {
		return openHome(home)
	}
	top := dir
	for top != "/" {
		if above, err := device(filepath.Dir(top)); err != nil || above != dev {
			break
		}
		top = filepath.Dir(top)
	}
	p, err = openTop(top)
	p.top = strings.TrimSuffix(top, "/") + "/"
	return p, err
}

// openTop opens the trash directory in the top directory of a file system.
func openTop(top string) (p place, err error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return p, err
	}
	defer root.Close()
	if shared, err := openShared(root); err == nil {
		defer shared.Close()
		if p, err := openPlace(shared, own); err == nil {
			return p, nil
		}
	}
	return openPlace(root, ".Trash-"+own)
}

// existingDevice returns the device of a path, or of the first one above it that exists.
func existingDevice(path string) uint64 {
	info, err := os.Stat(path)
	for err != nil && path != "/" {
		path = filepath.Dir(path)
		info, err = os.Stat(path)
	}
	if err != nil {
		return 0
	}
	return deviceOf(info)
}

func openHome(path string) (p place, err error) {
	var root *os.Root
	if err = os.MkdirAll(path, 0o700); err == nil {
		root, err = os.OpenRoot(path)
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, reason(err))
	}
	defer root.Close()
	err = p.openIn(root)
	return p, err
}

// openShared opens the .Trash of all users, which an administrator has made. As the specification
// wants it, it is not used if it is a link, or lacks the sticky bit: others could replace what is
// in it.
func openShared(top *os.Root) (*os.Root, error) {
	root, info, err := openDir(top, ".Trash")
	if err == nil && info.Mode()&fs.ModeSticky == 0 {
		err = errors.Join(errors.New("it is not sticky"), root.Close())
	}
	return root, err
}

// openPlace opens a trash directory that only this user may have made.
func openPlace(in *os.Root, name string) (p place, err error) {
	root, err := openOwn(in, name)
	if err != nil {
		return p, err
	}
	defer root.Close()
	err = p.openIn(root)
	return p, err
}

// openIn opens the two directories of a trash directory.
func (p *place) openIn(root *os.Root) (err error) {
	p.path = root.Name()
	if p.info, err = openOwn(root, "info"); err != nil {
		return err
	}
	files, err := openOwn(root, "files")
	if err != nil {
		return err
	}
	defer files.Close()
	p.files, err = files.Open(".")
	return err
}

// openOwn opens a directory of this user, and makes it if there is none.
func openOwn(in *os.Root, name string) (*os.Root, error) {
	if err := in.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s: %w", filepath.Join(in.Name(), name), reason(err))
	}
	root, info, err := openDir(in, name)
	if err == nil && info.Sys().(*syscall.Stat_t).Uid != uint32(os.Getuid()) {
		err = cmp.Or(root.Close(), fmt.Errorf("%s belongs to another user", root.Name()))
	}
	return root, err
}

// openDir opens a directory that is no link.
func openDir(in *os.Root, name string) (*os.Root, fs.FileInfo, error) {
	path := filepath.Join(in.Name(), name)
	listed, err := in.Lstat(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, reason(err))
	}
	if !listed.IsDir() {
		return nil, nil, fmt.Errorf("%s is not a directory", path)
	}
	root, err := in.OpenRoot(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, reason(err))
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(listed, opened) { // replaced meanwhile
		err = fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return root, opened, nil
}

// moveError says what EXDEV and EINVAL mean here.
func moveError(err error) error {
	switch {
	case errors.Is(err, syscall.EXDEV):
		return ErrOtherFileSystem
	case errors.Is(err, syscall.EINVAL):
		return ErrHasTrash
	}
	return err
}
