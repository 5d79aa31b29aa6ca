package spawn

import "sync"

// A gate lets results in to have their commands run: at most limit at a time, which
// becomes less when the system has no more for them.
type gate struct {
	mu      sync.Mutex
	changed sync.Cond
	limit   int
	running int // have been let in, and have not left
	idle    int // of these, wait for another
	left    int // leavers
}

func (g *gate) init(limit int) { g.limit, g.changed.L = limit, &g.mu }

func (g *gate) enter() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wait()
}

func (g *gate) wait() {
	for g.running >= g.limit {
		g.changed.Wait()
	}
	g.running++
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.left++
	g.changed.Broadcast()
}

// narrow lets fewer in from now on: as many as are in besides the caller, which leaves
// and enters again.
func (g *gate) narrow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
	g.limit = max(1, min(g.limit-1, g.running))
	g.changed.Broadcast()
	g.wait()
}

// single reports whether the caller is the only one that is in, and stays so.
func (g *gate) single() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limit == 1 && g.running == 1
}

// whileIdle calls wait, which returns after another has left.
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

// leavers returns how many have left so far.
func (g *gate) leavers() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.left
}

// awaitLeaver waits until more than n have left, and reports whether that is so. It
// gives up when all others are idle.
func (g *gate) awaitLeaver(n int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.left == n && g.running-g.idle > 1 {
		g.changed.Wait()
	}
	return g.left > n
}
