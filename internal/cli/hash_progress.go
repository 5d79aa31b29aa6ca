package cli

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"ldx/internal/catalogue"
	"ldx/internal/checksum"
	"ldx/internal/format"
	"ldx/internal/process"
	"ldx/internal/search"
	"ldx/internal/term"
)

// whileHashing shows line on the terminal while nothing is printed, until end is called. What has
// been hashed is kept if a signal ends the process.
func whileHashing(hashes *catalogue.Catalogue, status *term.StatusArea, line func(width int) string) (end func()) {
	release := process.BeforeSignals(func() func() {
		_ = hashes.Commit() // the next run hashes what was not written
		return status.Suspend(os.Stdout, "")
	})
	quiet := status.WhileQuiet(line)
	return func() {
		quiet()
		release()
	}
}

// A hashTotal is how much there is to read. A second search adds it up, once somebody looks.
type hashTotal struct {
	checksum.Total
	started time.Time
	search  func()
	begun   sync.Once
	running sync.WaitGroup
	known   atomic.Bool
	cancel  context.CancelFunc
}

// total returns how much the search o finds that must be read.
func (f *hashFlags) total(ctx context.Context, o search.Options, hashes *catalogue.Catalogue) *hashTotal {
	ctx, cancel := context.WithCancel(ctx)
	t := &hashTotal{started: time.Now(), cancel: cancel}
	t.Catalogue, t.Verify = hashes, f.verify
	o.Sink, o.Walk.Report = &t.Total, func(error) {}
	t.search = func() {
		_, err := search.Run(ctx, o)
		t.known.Store(err == nil && ctx.Err() == nil)
	}
	return t
}

// stop ends the second search.
func (t *hashTotal) stop() {
	t.cancel()
	t.running.Wait()
}

// line returns how much has been read, how fast, and how long the rest will take.
func (t *hashTotal) line(int) string {
	t.begun.Do(func() { t.running.Go(t.search) })
	done, all := t.Catalogue.Bytes(), t.Bytes.Load()
	if !t.known.Load() || all <= done || done == 0 {
		return fmt.Sprintf("%s read, %s", human(done), speed(done, t.started))
	}
	left := time.Duration(float64(time.Since(t.started)) * float64(all-done) / float64(done))
	return fmt.Sprintf("%s of %s read, %s, %s left", human(done), human(all), speed(done, t.started), roundly(left))
}

func human(bytes int64) string { return string(format.Human.Append(nil, uint64(bytes))) }

// speed returns how many bytes are read in a second.
func speed(bytes int64, since time.Time) string {
	return human(int64(float64(bytes)/max(time.Since(since).Seconds(), 1e-3))) + "/s"
}
