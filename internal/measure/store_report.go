package measure

import "fmt"

// StoreReport reports how many operations a second a store does.
func StoreReport(cases []*Case) (report Report) {
	for _, all := range byPlaceAndCache(cases) {
		s := Section{
			Title: fmt.Sprintf("A store of hashes, %s", all[0].Place.FileSystem),
			Table: Table{
				Heads: []string{"what", "synced", "records", "runs", "median ms", "min", "p95", "records/s", "bytes/record"}, Left: 2,
				Extra: []string{"runs", "p95", "min"},
			},
		}
		for _, c := range all {
			sum, bytes := Sum(c.Runs), ""
			if size := c.Runs[len(c.Runs)-1].Database; size > 0 {
				bytes = fmt.Sprintf("%.1f", float64(size)/float64(c.Ops))
			}
			s.Table.Rows = append(s.Table.Rows, []string{
				c.Phase, c.Sync, Count(float64(c.Ops)), fmt.Sprint(sum.N), Millis(sum.Median), Millis(sum.Min), Millis(sum.P95),
				Count(float64(c.Ops) / max(sum.Median.Seconds(), 1e-6)), bytes,
			})
		}
		s.Notes = []string{"Each opens the store anew. ldx bench hash has how the catalogue grows."}
		report = append(report, s)
	}
	return report
}
