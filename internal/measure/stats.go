package measure

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A Summary is what many times have in common.
type Summary struct {
	N                           int
	Mean, Median, Min, Max, P95 time.Duration
	MAD                         time.Duration // the median of how far each is from the Median
	Deviation                   time.Duration // of a sample, from the Mean
}

// Sum returns the Summary of the wall times of runs.
func Sum(runs []Run) Summary { return SumOf(runs, Wall) }

// SumOf returns the Summary of times of runs.
func SumOf(runs []Run, of func(*Run) time.Duration) (s Summary) {
	if len(runs) == 0 {
		return s
	}
	times := make([]float64, len(runs))
	for i := range runs {
		times[i] = float64(of(&runs[i]))
		s.Mean += of(&runs[i])
	}
	s.Mean /= time.Duration(len(runs))
	slices.Sort(times)
	median := Median(times)
	far, squares := make([]float64, len(times)), 0.0
	for i, t := range times {
		far[i] = math.Abs(t - median)
		squares += (t - float64(s.Mean)) * (t - float64(s.Mean))
	}
	s.N = len(times)
	s.Median, s.MAD = time.Duration(median), time.Duration(Median(far))
	s.Min, s.Max = time.Duration(times[0]), time.Duration(times[s.N-1])
	s.P95 = time.Duration(times[int(math.Ceil(0.95*float64(s.N)))-1]) // the nearest rank
	s.Deviation = time.Duration(math.Sqrt(squares / max(1, float64(s.N-1))))
	return s
}

// Median returns the middle of values, which must not be none.
func Median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// A Ratio is the median of the ratios of two cases' runs, pair by pair.
type Ratio struct {
	Value  float64
	Spread float64 // the MAD of the ratios, relative to Value
	Pairs  int
}

// Noisy reports whether the pairs are too few, or differ too much, for the ratio to mean
// anything: half of them by more than a tenth.
func (r Ratio) Noisy() bool { return r.Pairs < 3 || r.Spread > 0.10 }

// String returns the ratio, or why there is none.
func (r Ratio) String() string {
	switch {
	case r.Pairs < 3:
		return "too few runs"
	case r.Noisy():
		return fmt.Sprintf("too noisy (±%.0f %%)", 100*r.Spread)
	}
	return fmt.Sprintf("%.2f", r.Value)
}

// Compare returns the Ratio of a's times to b's. Of what is missing in one of them there
// is none.
func Compare(a, b []Run, of func(*Run) time.Duration) Ratio {
	n := min(len(a), len(b))
	if n == 0 {
		return Ratio{Value: math.NaN(), Spread: math.Inf(1)}
	}
	ratios := make([]float64, n)
	for i := range ratios {
		ratios[i] = float64(of(&a[i])) / float64(max(of(&b[i]), time.Microsecond))
	}
	middle := Median(ratios)
	for i := range ratios {
		ratios[i] = math.Abs(ratios[i] - middle)
	}
	return Ratio{middle, Median(ratios) / max(middle, 1e-9), n}
}

// Same reports whether two cases' runs have all found equally many entries, as far as
// that is known.
func Same(a, b *Case) bool {
	for _, runs := range [][]Run{a.Runs, b.Runs} {
		for i := range runs {
			if !a.Quiet && !b.Quiet && runs[i].Entries != a.Runs[0].Entries {
				return false
			}
		}
	}
	return true
}

// Failed returns the status of a run that did not end with 0, or 0.
func Failed(c *Case) int {
	for i := range c.Runs {
		if c.Runs[i].Exit != 0 {
			return c.Runs[i].Exit
		}
	}
	return 0
}

// Wall returns the time from a run's start to its end.
func Wall(r *Run) time.Duration { return r.Wall }

// CPU returns the time that a run had of the processors.
func CPU(r *Run) time.Duration { return r.User + r.System }

// Peak returns the most memory of any run, in MiB, with a sign before it if it is only
// known to be at most that; "" if it is not known at all.
func Peak(runs []Run) string {
	peak, sign := int64(0), ""
	for i := range runs {
		if runs[i].Peak > peak {
			peak, sign = runs[i].Peak, ""
			if runs[i].AtMost {
				sign = "≤ "
			}
		}
	}
	if peak == 0 {
		return ""
	}
	return fmt.Sprintf("%s%.1f", sign, float64(peak)/(1<<20))
}

// PerSecond returns how many entries were looked at in each second, by the median.
func PerSecond(runs []Run) float64 {
	if len(runs) == 0 {
		return 0
	}
	return float64(runs[len(runs)-1].Seen()) / max(Sum(runs).Median.Seconds(), 1e-9)
}

// Seen returns how many entries a run has looked at, or, where that is not told, found.
func (r *Run) Seen() int64 {
	if r.Stats.Entries > 0 {
		return r.Stats.Entries
	}
	return r.Entries
}
