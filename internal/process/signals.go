package process

import (
	"os"
	"os/signal"
	"sync"
)

// BeforeSignals calls pause before a signal ends or stops this process, which then happens as if
// the signal had not been caught, and resume when a stopped process goes on. A signal that is
// ignored stays ignored. release ends that; a signal that came before is not lost.
func BeforeSignals(pause func() (resume func())) (release func()) {
	caught, releasing := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range deadly() {
		if !signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			select {
			case s := <-caught:
				obey(s, pause())
				continue
			case <-releasing:
			}
			select {
			case s := <-caught:
				obey(s, pause())
			default:
			}
			return
		}
	})
	return func() {
		signal.Stop(caught)
		close(releasing)
		running.Wait()
	}
}

// obey does what a signal does by default.
func obey(s os.Signal, resume func()) {
	if suspend(s) {
		resume()
		return
	}
	EndBy(s, statusInterrupted)
}

// statusInterrupted is what a shell shows for a program that was interrupted.
const statusInterrupted = 130
