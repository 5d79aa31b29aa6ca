package measure

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A Summary summarizes times.
type Summary struct {
	N                           int
	Mean, Median, Min, Max, P95 time.Duration
	MAD                         time.Duration // the median distance from Median
	Deviation                   time.Duration // the sample standard deviation
}

// Sum summarizes the wall times of runs.
func Sum(runs []Run) Summary { return SumOf(runs, Wall) }

// SumOf summarizes one of the times of runs.
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
	s.P95 = time.Duration(times[int(math.Ceil(0.95*float64(s.N)))-1]) // by nearest rank
	s.Deviation = time.Duration(math.Sqrt(squares / max(1, float64(s.N-1))))
	return s
}

// Median returns the median of values, which must not be empty.
func Median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// A Ratio is the median of the ratios of two cases' times, run by run.
type Ratio struct {
	Value  float64
	Spread float64 // the MAD of the ratios relative to Value
	Pairs  int
}

// Unclear reports whether the ratio leaves open which case is faster: there are too few pairs,
// or the interval of its Spread contains 1.
func (r Ratio) Unclear() bool {
	return r.Pairs < minPairs || math.IsNaN(r.Value) || math.Abs(r.Value-1) <= r.Value*r.Spread
}

const minPairs = 3

// String returns the ratio with its spread, or the reason why there is none.
func (r Ratio) String() string {
	switch {
	case r.Pairs < minPairs:
		return "too few runs"
	case r.Unclear():
		return "unclear"
	}
	return fmt.Sprintf("%.2f ±%.0f %%", r.Value, 100*r.Spread)
}

// shortest is the time below which a program's start is most of it, and the system's clock
// interrupts are as long as the differences.
const shortest = 20 * time.Millisecond

// TooShort reports whether a case takes less than 20 ms, too short a time to compare.
func TooShort(c *Case) bool { return Sum(c.Runs).Median < shortest }

// Compare returns the Ratio of a's times to b's, over the runs that both have.
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

// Same reports whether all runs of two cases found the same number of entries,
// as far as it is known.
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

// Failed returns the first exit status other than 0, or 0.
func Failed(c *Case) int {
	for i := range c.Runs {
		if c.Runs[i].Exit != 0 {
			return c.Runs[i].Exit
		}
	}
	return 0
}

// Wall returns the wall time of a run.
func Wall(r *Run) time.Duration { return r.Wall }

// CPU returns the processor time of a run.
func CPU(r *Run) time.Duration { return r.User + r.System }

// Peak returns the highest peak memory of the runs in MiB, with a "≤" if it is
// only an upper bound; "" if it is not known.
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

// PerSecond returns the number of entries seen per second, by the median time.
func PerSecond(runs []Run) float64 {
	if len(runs) == 0 {
		return 0
	}
	return float64(runs[len(runs)-1].Seen()) / max(Sum(runs).Median.Seconds(), 1e-9)
}

// Seen returns the number of entries a run looked at or, if that is not
// reported, found.
func (r *Run) Seen() int64 {
	if r.Stats.Entries > 0 {
		return r.Stats.Entries
	}
	return r.Entries
}
