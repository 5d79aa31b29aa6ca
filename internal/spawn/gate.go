package spawn

import "sync"

// A gate limits the number of results whose commands run at the same time. The
// limit falls when the system has no resources for more.
type gate struct {
	mu      sync.Mutex
	changed sync.Cond
	limit   int
	running int // number inside
	idle    int // number inside that wait for another to leave
	left    int // number that have left

	passIdle bool // those that are idle do not count: they may wait for one that is outside
}

func (g *gate) init(limit int) { g.limit, g.changed.L = limit, &g.mu }

func (g *gate) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wait()
}

func (g *gate) wait() {
	for g.running-g.passed() >= g.limit {
		g.changed.Wait()
	}
	g.running++
}

// passed returns the number inside that do not count.
func (g *gate) passed() int {
	if g.passIdle {
		return g.idle
	}
	return 0
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.left++
	g.changed.Broadcast()
}

// narrow lowers the limit to the number inside besides the caller. The caller
// leaves and enters again.
func (g *gate) narrow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.limit = max(1, min(g.limit-1, g.running))
	g.changed.Broadcast()
	g.wait()
}

// single reports whether the caller is the only one inside and will stay so.
func (g *gate) single() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limit == 1 && g.running == 1
}

// whileIdle calls wait, which returns only after another has left.
func (g *gate) whileIdle(wait func()) {
	g.mu.Lock()
	g.idle++
	g.changed.Broadcast()
	g.mu.Unlock()
	wait()
	g.mu.Lock()
	g.idle--
	g.mu.Unlock()
}

// leavers returns the number that have left.
func (g *gate) leavers() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.left
}

// awaitLeaver waits until more than n have left, and reports whether they have.
// It gives up when all others are idle.
func (g *gate) awaitLeaver(n int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.left == n && g.running-g.idle > 1 {
		g.changed.Wait()
	}
	return g.left > n
}
