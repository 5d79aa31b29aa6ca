package spawn

import "sync"

// An order has outputs written in the order of their results. Outputs that are complete too
// soon are held; while they take too much memory, no further result is taken. That cannot last:
// the result whose turn it is has been taken before all that are held.
type order struct {
	taking sync.Mutex
	taken  int // number of results taken

	mu      sync.Mutex
	changed sync.Cond
	turn    int             // the number of the result to write
	done    map[int]*output // complete, and not to be written yet
	held    int             // bytes in done
}

// maxHeld is the number of bytes held from which no further result is taken.
const maxHeld = 32 << 20

func newOrder() *order {
	o := &order{done: make(map[int]*output)}
	o.changed.L = &o.mu
	return o
}

// take returns the next result and its number, or false if there is none.
func (o *order) take(paths <-chan []byte) (path []byte, number int, ok bool) {
	o.taking.Lock()
	defer o.taking.Unlock()
	o.mu.Lock()
	for o.held > maxHeld {
		o.changed.Wait()
	}
	o.mu.Unlock()
	path, ok = <-paths
	number = o.taken
	o.taken++
	return path, number, ok
}

// await waits for the turn of a result.
func (o *order) await(number int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.turn != number {
		o.changed.Wait()
	}
}

// isNext reports whether it is the turn of a complete output; if not, it is held.
func (o *order) isNext(out *output) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.turn == out.number {
		return true
	}
	o.done[out.number] = out
	o.held += out.stdout.Len() + out.stderr.Len()
	return false
}

// advance ends the turn of a result, and returns the next output if it is held.
func (o *order) advance() *output {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.turn++
	next := o.done[o.turn]
	if next != nil {
		delete(o.done, o.turn)
		o.held -= next.stdout.Len() + next.stderr.Len()
	}
	o.changed.Broadcast()
	return next
}
