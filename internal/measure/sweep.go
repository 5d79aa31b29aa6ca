package measure

import (
	"context"
	"os/exec"
	"time"
)

// A Sweep is cases to be run in turn (A B A B ...), so that a machine that gets slower
// does so for all of them.
type Sweep struct {
	Cases      []*Case
	Warm, Cold int // how many runs of each warm, each cold case count

	// OnRun is called after each run, if it is set; a run that counts is then the last of
	// the case's Runs. An error ends the sweep.
	OnRun func(c *Case, p Progress) error

	drop func() error // for tests; nil: DropCaches
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
	var p Progress
	for _, c := range s.Cases {
		p.All += s.runs(c) + 1
	}
	started := time.Now()
	for _, group := range groupsOf(s.Cases) {
		for round := range s.runs(group[0]) + 1 {
			for _, c := range group {
				r, err := s.run(ctx, c)
				if err != nil {
					return err
				}
				p.Done++
				p.Left = time.Since(started) / time.Duration(p.Done) * time.Duration(p.All-p.Done)
				if p.Counts = round > 0; p.Counts {
					c.Runs = append(c.Runs, r)
				}
				if s.OnRun != nil {
					if err := s.OnRun(c, p); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

func (s *Sweep) runs(c *Case) int {
	if c.Cold {
		return s.Cold
	}
	return s.Warm
}

// groupsOf returns the cases by their groups, in the order of the first of each. Those of
// a group are all cold or all warm.
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

// run runs a case with the caches as it wants them.
func (s *Sweep) run(ctx context.Context, c *Case) (Run, error) {
	cache := Warm
	if c.Cold {
		drop := s.drop
		if drop == nil {
			drop = DropCaches
		}
		if cache = Cold; drop() != nil {
			cache = Unknown
		} else {
			_ = exec.CommandContext(ctx, c.Tool.Path, "--version").Run() // whatever it says
		}
	}
	r, err := c.run(ctx)
	r.Cache = cache
	return r, err
}
