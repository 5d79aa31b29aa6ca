package hostile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Ext4Image makes a small ext4 file system. fill makes files in it while it is
// mounted at dir; patch changes the bytes of the image. Ext4Image returns the
// directory where the result is mounted, read-only, until the end of the test.
// The file system has no checksums, and its directories are lists. It also has
// a directory lost+found.
func Ext4Image(t testing.TB, fill func(dir string), patch func(image []byte) []byte) (dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount")
	}
	need(t, "mkfs.ext4")
	home := t.TempDir()
	must(t, os.Chmod(filepath.Dir(home), 0o755))
	must(t, os.Chmod(home, 0o755))
	file, dir := filepath.Join(home, "image"), filepath.Join(home, "mount")
	must(t, os.Mkdir(dir, 0o755))
	must(t, os.WriteFile(file, nil, 0o644))
	must(t, os.Truncate(file, 4<<20))
	must(t, command("mkfs.ext4", "-q", "-F", "-O", "^metadata_csum,^dir_index,^has_journal", file))
	guard, err := newGuard(dir)
	must(t, err)
	t.Cleanup(func() { must(t, guard.unmount()) })

	if err := command("mount", "-t", "ext4", "-o", "loop", file, dir); err != nil {
		t.Skip(err)
	}
	fill(dir)
	must(t, command("umount", dir))

	image, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, patch(image), 0o644))
	must(t, command("mount", "-t", "ext4", "-o", "loop,ro", file, dir))
	return dir
}

// Image makes a file system of a kind that mkfs knows, such as btrfs, and returns the directory where
// it is mounted until the end of the test.
func Image(t testing.TB, kind string, size int64) (dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount")
	}
	need(t, "mkfs."+kind)
	home := t.TempDir()
	file, dir := filepath.Join(home, "image"), filepath.Join(home, "mount")
	must(t, os.Mkdir(dir, 0o755))
	must(t, os.WriteFile(file, nil, 0o644))
	must(t, os.Truncate(file, size))
	must(t, command("mkfs."+kind, "-q", file))
	guard, err := newGuard(dir)
	must(t, err)
	t.Cleanup(func() { must(t, guard.unmount()) })
	if err := command("mount", "-t", kind, "-o", "loop", file, dir); err != nil {
		t.Skip(err)
	}
	return dir
}

func command(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %q: %w: %s", name, args, err, out)
	}
	return nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
