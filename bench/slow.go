package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ldx/internal/measure"
)

// Slow file systems show how many workers are best where each call waits: a
// disk image with a limit on reads per second, and a directory behind a slow
// network. Both need Linux and root. A file system that cannot be made is
// skipped with a message.

// A slowPlace is a slow file system.
type slowPlace struct {
	label string
	make  func(work string, fill func(path string) error) (path string, remove func(), err error)
}

const (
	slowReads = 1000                 // reads a second, as on a busy disk
	slowTrip  = 2 * time.Millisecond // to the server and back, as in another building
)

var slowPlaces = []slowPlace{
	{fmt.Sprintf("disk of %d reads a second", slowReads), throttledDisk},
	{fmt.Sprintf("network of %v there and back", slowTrip), network(slowTrip)},
}

// measureSlow sweeps the number of workers on each slow file system, and on the
// file system of -tree, with a cold cache each time.
func measureSlow(ctx context.Context, o *options, tools map[string]measure.Tool, results *results) error {
	if err := os.MkdirAll(o.trees.dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(o.trees.dir, "slow-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var cases []*measure.Case
	sweep := func(path, label string) error {
		place, err := measure.NewPlace(path, label)
		if err != nil {
			return err
		}
		var group []*measure.Case
		for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
			group = append(group, &measure.Case{
				Scenario: "slow", Group: label, Tool: tools["ldx"], Place: place, Threads: n, Cold: true,
				Args: []string{"-u", "--count", "--stats", "--threads", fmt.Sprint(n), ".", path},
			})
		}
		cases = append(cases, group...)
		run := measure.Sweep{Cases: group, Cold: (o.runs + 1) / 2, OnRun: results.add}
		return run.Run(ctx)
	}
	path, err := o.trees.path("one")
	if err != nil {
		return err
	}
	if err := sweep(path, "one"); err != nil {
		return err
	}
	fill := func(path string) error { return made(path, o.trees.seed, 5000) }
	for _, slow := range slowPlaces {
		path, remove, err := slow.make(work, fill)
		if err != nil {
			fmt.Printf("%s is not available: %v\n", slow.label, err)
			continue
		}
		err = sweep(path, slow.label)
		remove()
		if err != nil {
			return err
		}
	}
	report := measure.ThreadsReport(cases)
	fmt.Print("\n", report.Text(screen()))
	if results.dir == "" {
		return nil
	}
	text := "# Workers on slow file systems\n\n" + measure.ThisHost().String() + "; cold cache.\n\n" + report.Markdown()
	return errors.Join(
		os.WriteFile(filepath.Join(results.dir, "slow.md"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(results.dir, "slow.svg"), []byte(report.SVG()), 0o644),
	)
}

// throttledDisk makes an image with a file system, mounts it without caching it
// twice, and limits the reads per second of this process and its children.
func throttledDisk(work string, fill func(string) error) (path string, remove func(), err error) {
	image, mount := filepath.Join(work, "image"), filepath.Join(work, "disk")
	var undo undoing
	defer func() { undo.unless(err == nil) }()
	err = errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 256<<20), os.Mkdir(mount, 0o755), command("mkfs.ext4", "-q", image))
	if err != nil {
		return "", nil, err
	}
	device, err := exec.Command("losetup", "--direct-io=on", "--show", "-f", image).Output()
	if err != nil {
		return "", nil, fmt.Errorf("losetup: %w", err)
	}
	name := strings.TrimSpace(string(device))
	undo.add(func() { _ = command("losetup", "-d", name) })
	if err := command("mount", name, mount); err != nil {
		return "", nil, err
	}
	undo.add(func() { _ = command("umount", mount) })
	if err := fill(mount); err != nil {
		return "", nil, err
	}
	number := strings.TrimSpace(contentOf("/sys/class/block/" + filepath.Base(name) + "/dev"))
	undone, err := throttle(number)
	if err != nil {
		return "", nil, err
	}
	undo.add(undone)
	return mount, func() { undo.unless(false) }, nil
}

// throttle limits the reads of this process from a device, with version 1 or 2
// of control groups (cgroups(7)).
func throttle(device string) (remove func(), err error) {
	for _, kind := range []struct{ top, file, rule string }{
		{"/sys/fs/cgroup/blkio", "blkio.throttle.read_iops_device", "%s %d"},
		{"/sys/fs/cgroup", "io.max", "%s riops=%d"},
	} {
		group := filepath.Join(kind.top, "ldx-bench")
		if err = os.Mkdir(group, 0o755); err != nil {
			continue
		}
		self := []byte(fmt.Sprint(os.Getpid()))
		leave := func() {
			_ = os.WriteFile(filepath.Join(kind.top, "cgroup.procs"), self, 0o644)
			_ = os.Remove(group)
		}
		err = errors.Join(
			os.WriteFile(filepath.Join(group, kind.file), fmt.Appendf(nil, kind.rule, device, slowReads), 0o644),
			os.WriteFile(filepath.Join(group, "cgroup.procs"), self, 0o644),
		)
		if err == nil {
			return leave, nil
		}
		leave()
	}
	return nil, fmt.Errorf("no control group to throttle reads: %w", err)
}

// network returns a function that mounts a local directory by sshfs, over a
// connection with the given round-trip time.
func network(trip time.Duration) func(string, func(string) error) (string, func(), error) {
	return func(work string, fill func(string) error) (path string, remove func(), err error) {
		server := ""
		for _, file := range []string{"/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/lib/ssh/sftp-server"} {
			if _, err := os.Stat(file); err == nil {
				server = file
			}
		}
		if server == "" {
			return "", nil, errors.New("sftp-server is not installed")
		}
		behind, mount := filepath.Join(work, "behind"+trip.String()), filepath.Join(work, "mount"+trip.String())
		if err := errors.Join(os.Mkdir(behind, 0o755), os.Mkdir(mount, 0o755), fill(behind)); err != nil {
			return "", nil, err
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", nil, err
		}
		go serve(listener, server, trip/2)
		port := listener.Addr().(*net.TCPAddr).Port
		err = command("sshfs", "-o", fmt.Sprintf("directport=%d,dir_cache=no,max_conns=1", port), "localhost:"+behind, mount)
		if err != nil {
			_ = listener.Close()
			return "", nil, err
		}
		return mount, func() {
			_ = command("umount", mount)
			_ = listener.Close()
		}, nil
	}
}

// serve runs an sftp-server for each connection, over a line that delays data
// in both directions without limiting its rate.
func serve(listener net.Listener, server string, delay time.Duration) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return // the listener was closed
		}
		cmd := exec.Command(server)
		in, inErr := cmd.StdinPipe()
		out, outErr := cmd.StdoutPipe()
		if errors.Join(inErr, outErr, cmd.Start()) != nil {
			_ = conn.Close()
			continue
		}
		go delayed(in, conn, delay)
		go func() {
			delayed(conn, out, delay)
			_ = cmd.Wait()
		}()
	}
}

// delayed copies r to w, each part after a delay, and closes w.
func delayed(w io.WriteCloser, r io.Reader, delay time.Duration) {
	type part struct {
		data []byte
		due  time.Time
	}
	parts := make(chan part, 1024)
	go func() {
		defer close(parts)
		for {
			buf := make([]byte, 64<<10)
			n, err := r.Read(buf)
			if n > 0 {
				parts <- part{buf[:n], time.Now().Add(delay)}
			}
			if err != nil {
				return
			}
		}
	}()
	for p := range parts {
		time.Sleep(time.Until(p.due))
		if _, err := w.Write(p.data); err != nil {
			break
		}
	}
	_ = w.Close()
}

// undoing is a list of steps to undo, last one first.
type undoing []func()

func (u *undoing) add(f func()) { *u = append(*u, f) }

func (u *undoing) unless(fine bool) {
	if fine {
		return
	}
	for i := len(*u) - 1; i >= 0; i-- {
		(*u)[i]()
	}
	*u = nil
}

// command runs a program. Its output is part of the error.
func command(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return nil
}
