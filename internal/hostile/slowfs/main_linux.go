//go:build amd64 || arm64

// Slowfs mounts a generated tree in which every answer takes a while, until it
// is interrupted:
//
//	go run ./internal/hostile/slowfs -delay 10ms DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"

	"ldx/internal/hostile"
)

func main() {
	var fs hostile.FS
	delay := flag.Duration("delay", 10*time.Millisecond, "before each answer")
	flag.IntVar(&fs.Dirs, "dirs", 10, "directories in each directory")
	flag.IntVar(&fs.Files, "files", 20, "files in each directory")
	flag.IntVar(&fs.Depth, "depth", 2, "levels of directories below `DIR`")
	flag.DurationVar(&fs.Cache, "cache", 0, "the kernel keeps names and attributes for so long")
	flag.Parse()
	fs.Delay = hostile.Slow(*delay)
	if err := serve(fs, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "slowfs:", err)
		os.Exit(1)
	}
}

func serve(fs hostile.FS, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("give one directory to mount at; there are %d arguments", len(args))
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, unix.SIGINT, unix.SIGTERM)
	server, err := hostile.Serve(fs, args[0])
	if err != nil {
		return err
	}
	<-interrupted
	return server.Close()
}
