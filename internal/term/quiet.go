package term

import (
	"sync"
	"time"
)

// WhileQuiet shows text again and again while nothing has been written for a second, until stop
// is called.
func (a *StatusArea) WhileQuiet(text func(width int) string) (stop func()) {
	const patience = time.Second
	if a.to == nil {
		return func() {}
	}
	q := &quiet{area: a, text: text, since: time.Now(), patience: patience}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.next = time.AfterFunc(patience, q.look)
	return q.stop
}

// A quiet is a WhileQuiet.
type quiet struct {
	area     *StatusArea
	text     func(width int) string
	since    time.Time // of the start
	patience time.Duration

	mu      sync.Mutex // held during look
	next    *time.Timer
	stopped bool
}

func (q *quiet) look() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return
	}
	q.area.mu.Lock()
	since := q.since
	if q.area.written.After(since) {
		since = q.area.written
	}
	q.area.mu.Unlock()
	wait := q.patience - time.Since(since)
	if wait <= 0 {
		q.area.Show(q.text)
		wait = redrawEvery
	}
	q.next.Reset(wait)
}

func (q *quiet) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.next.Stop()
	q.area.Clear()
}
