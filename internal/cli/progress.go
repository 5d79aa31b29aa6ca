package cli

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"ldx/internal/du"
	"ldx/internal/format"
)

// A progress shows on a terminal how far a count has come, unless that is soon done.
type progress struct {
	done   du.Progress
	errors *reporter
	screen *live
	stop   chan struct{}
	ended  sync.WaitGroup
	mu     sync.Mutex // guards screen, and what is written besides
	wait   string     // what is waited for
}

func showProgress(errors *reporter, to *os.File) *progress {
	const patience, step = 500 * time.Millisecond, 100 * time.Millisecond
	p := &progress{errors: errors, screen: newLive(to), stop: make(chan struct{})}
	if p.screen.to == nil {
		return p
	}
	interrupt := make(chan os.Signal, 1)
	p.ended.Go(func() {
		started := time.Now()
		signal.Notify(interrupt, os.Interrupt, syscall.SIGTERM)
		defer signal.Stop(interrupt)
		next := time.NewTicker(step)
		defer next.Stop()
		for {
			select {
			case <-p.stop:
				return
			case s := <-interrupt:
				p.clear()
				endBy(s)
			case <-next.C:
				if time.Since(started) > patience {
					p.show()
				}
			}
		}
	})
	return p
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.show(func(int) string {
		return fmt.Sprintf("%s entries, %s%s", grouped(int64(p.done.Entries.Load())), format.Human.Append(nil, p.done.Bytes.Load()), p.wait)
	})
}

// waitFor is for walk.Options.Waiting.
func (p *progress) waitFor(path []byte, since time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wait = ""
	if path != nil {
		p.wait = ", " + waitingText(path, since)
	}
}

func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.clear()
}

// report tells an error where the progress was shown.
func (p *progress) report(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.clear()
	p.errors.report(err)
}

func (p *progress) end() {
	close(p.stop)
	p.ended.Wait()
	p.clear()
}

// endBy ends the process by a signal, as if it had not been caught.
func endBy(s os.Signal) {
	signal.Reset(s)
	if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(s) == nil {
		time.Sleep(time.Second) // for it to come; one that is ignored does not
	}
	os.Exit(statusInterrupted)
}
