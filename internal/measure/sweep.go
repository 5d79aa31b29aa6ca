package measure

import (
	"context"
	"os/exec"
	"time"
)

// A Sweep runs cases in turn (A B A B ...), so that a machine that becomes
// slower affects them all.
type Sweep struct {
	Cases      []*Case
	Warm, Cold int // number of counted runs for each warm and each cold case

	// OnRun, if set, is called after each run. A counted run is then the last
	// of the case's Runs. An error ends the sweep.
	OnRun func(c *Case, p Progress) error

	drop func() error // for tests; nil: DropCaches
}

// Progress is the progress of a Sweep.
type Progress struct {
	Done, All int // number of runs, uncounted ones included
	Left      time.Duration
	Counts    bool // the last run counts
}

// Run runs all cases group by group, and adds to their Runs. The first round of
// each group does not count: it warms all caches, those below the system too. A group has the
// Times of its first case.
// Before each cold run the system's caches are dropped and the program, but not
// the directories, is read again; if they cannot be dropped, the run's Cache is
// Unknown. Run returns an error if a program cannot be run or ctx is done; the
// runs so far stay.
func (s *Sweep) Run(ctx context.Context) error {
	var p Progress
	for _, c := range s.Cases {
		p.All += s.runs(c) + 1
	}
	started := time.Now()
	for _, group := range groupsOf(s.Cases) {
		for round := range s.runs(group[0]) + 1 {
			for _, c := range group {
				r, err := s.run(ctx, c, round)
				if err != nil {
					return err
				}
				p.Done++
				p.Left = time.Since(started) / time.Duration(p.Done) * time.Duration(p.All-p.Done)
				if p.Counts = round > 0; p.Counts {
					c.Runs = append(c.Runs, r)
				} else {
					c.First = r
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
	if c.Times > 0 {
		return c.Times
	}
	if c.Cold {
		return s.Cold
	}
	return s.Warm
}

// groupsOf returns the cases by group, in order of first appearance.
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

// run runs a case once, with the caches in the state that it asks for.
func (s *Sweep) run(ctx context.Context, c *Case, round int) (Run, error) {
	if c.Before != nil {
		if err := c.Before(ctx, round); err != nil {
			return Run{}, err
		}
	}
	cache := Warm
	if c.Cold {
		drop := s.drop
		if drop == nil {
			drop = DropCaches
		}
		if cache = Cold; drop() != nil {
			cache = Unknown
		} else {
			_ = exec.CommandContext(ctx, c.Tool.Path, "--version").Run() // only to read the program
		}
	}
	r, err := c.Run(ctx)
	r.Cache = cache
	if err == nil && c.After != nil {
		err = c.After(&r)
	}
	return r, err
}
