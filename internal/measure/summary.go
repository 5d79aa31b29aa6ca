package measure

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// WriteSummary writes, as CSV, the speeds by place and number of threads, in
// entries per second. The speeds of single runs are separated by semicolons.
func WriteSummary(w io.Writer, cases []*Case) error {
	out := csv.NewWriter(w)
	rows := [][]string{{
		"Directory", "Threads", "Runs", "Avg", "Median", "Min", "Max", "AllSpeeds", "Cache", "Efficiency", "SweetSpot",
		"Started", "Tool", "Buffer",
	}}
	for _, group := range groupsOf(cases) {
		sweet, _ := SweetSpot(group)
		for i, c := range group {
			if len(c.Runs) == 0 {
				continue
			}
			var all []string
			var speeds []float64
			sum := 0.0
			for j := range c.Runs {
				speed := float64(c.Runs[j].Seen()) / c.Runs[j].Wall.Seconds()
				speeds, sum, all = append(speeds, speed), sum+speed, append(all, fmt.Sprintf("%.0f", speed))
			}
			whole := func(speed float64) string { return fmt.Sprintf("%.0f", speed) }
			spot, share, threads := "", "", ""
			if last := group[len(group)-1]; last.Threads != group[0].Threads { // the cases of this group differ in threads
				share = fmt.Sprintf("%.2f", efficiency(c, group[0]))
				if i == sweet {
					spot = "yes"
				}
			}
			if c.Runs[0].Stats.Threads > 0 {
				threads = strconv.Itoa(started(c))
			}
			rows = append(rows, []string{
				c.Place.Label, number(int64(c.Threads)), strconv.Itoa(len(speeds)), whole(sum / float64(len(speeds))), whole(Median(speeds)),
				whole(slices.Min(speeds)), whole(slices.Max(speeds)), strings.Join(all, ";"),
				string(c.Runs[0].Cache), share, spot, threads, c.Tool.Name, number(int64(c.Buffer)),
			})
		}
	}
	return out.WriteAll(rows)
}
