package measure

import (
	"context"
	"os/exec"
	"sync"
	"time"
)

// A Sweep is cases to be run in turn (A B A B ...), so that a machine that gets slower
// does so for all of them.
type Sweep struct {
	Cases []*Case
	Runs  int                       // counted, of each
	OnRun func(c *Case, p Progress) // after each run, which is the last of c.Runs if it counts (p.Counts); may be nil
}

// Progress is how far a Sweep has come.
type Progress struct {
	Done, All int // runs, those that do not count among them
	Left      time.Duration
	Counts    bool // the last run
}

// Run runs all cases, group by group, and adds to their Runs. The first round of each
// group does not count: it warms up, also what is below the system. Before each cold run
// what the system remembers is dropped, and the program, but not the directories, is read
// again; where it cannot be dropped, the runs' Cache is Unknown. What was measured stays
// when an error ends the sweep: a program that cannot be run, or that ctx is done.
func (s *Sweep) Run(ctx context.Context) error {
	p := Progress{All: len(s.Cases) * (s.Runs + 1)}
	started := time.Now()
	for _, group := range groupsOf(s.Cases) {
		for round := range s.Runs + 1 {
			for _, c := range group {
				r, err := c.runWith(ctx)
				if err != nil {
					return err
				}
				p.Done++
				p.Left = time.Since(started) / time.Duration(p.Done) * time.Duration(p.All-p.Done)
				if p.Counts = round > 0; p.Counts {
					c.Runs = append(c.Runs, r)
				}
				if s.OnRun != nil {
					s.OnRun(c, p)
				}
			}
		}
	}
	return nil
}

// CanDrop reports whether DropCaches works here, by doing it once.
var CanDrop = sync.OnceValue(func() bool { return DropCaches() == nil })

// groupsOf returns the cases by their groups, in the order of the first of each.
func groupsOf(cases []*Case) (groups [][]*Case) {
	at := map[string]int{}
	for _, c := range cases {
		i, ok := at[c.Group]
		if !ok {
			i = len(groups)
			at[c.Group] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// runWith runs the case with the caches as it wants them.
func (c *Case) runWith(ctx context.Context) (Run, error) {
	cache := Warm
	if c.Cold {
		cache = Unknown
		if CanDrop() && DropCaches() == nil {
			cache = Cold
			_ = exec.CommandContext(ctx, c.Tool.Path, "--version").Run() // whatever it says
		}
	}
	r, err := c.run(ctx)
	r.Cache = cache
	return r, err
}
