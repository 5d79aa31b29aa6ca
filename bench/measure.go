package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A result is one run of a program.
type result struct {
	wall, cpu time.Duration
	entries   int   // lines that it printed, or the number on the only one
	peak      int64 // the most memory it had, in bytes; at least what the bench itself has
}

// inTurn runs two programs in turn and returns the counted runs of each. The
// first run of each warms up.
func inTurn(a, b []string, runs int) (as, bs []result, err error) {
	for i := range runs + 1 {
		ra, err := measure(a)
		if err != nil {
			return nil, nil, err
		}
		rb, err := measure(b)
		if err != nil {
			return nil, nil, err
		}
		if i > 0 {
			as, bs = append(as, ra), append(bs, rb)
		}
	}
	return as, bs, nil
}

func measure(command []string) (r result, err error) {
	out, in, err := os.Pipe()
	if err != nil {
		return r, err
	}
	defer out.Close()
	if err := block(out); err != nil {
		return r, err
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout = in
	start := time.Now()
	err = cmd.Start()
	in.Close()
	if err != nil {
		return r, err
	}
	lines, last, err := countLines(out)
	if err != nil {
		return r, err
	}
	err = cmd.Wait()
	r.wall = time.Since(start)
	if err != nil {
		return r, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	r.peak = peakMemory(cmd.ProcessState)
	r.entries = lines
	if n := 0; lines == 1 {
		if _, err := fmt.Sscan(last, &n); err == nil {
			r.entries = n // that of --count
		}
	}
	return r, nil
}

// countLines reads all there is and returns how many lines it was, and the text
// of the last chunk.
func countLines(r io.Reader) (lines int, last string, err error) {
	buf := make([]byte, 128<<10)
	for {
		n, err := r.Read(buf)
		lines += bytes.Count(buf[:n], []byte("\n"))
		if n > 0 && lines == 1 {
			last = string(buf[:min(n, 32)])
		}
		if err == io.EOF {
			return lines, last, nil
		}
		if err != nil {
			return 0, "", err
		}
	}
}

// ratio returns the median of the ratios pair by pair, and how far half of them
// are from it (the median absolute deviation), relative to it.
func ratio(as, bs []result, of func(result) float64) (middle, spread float64) {
	ratios := make([]float64, len(as))
	for i := range as {
		ratios[i] = of(as[i]) / max(of(bs[i]), 1e-6)
	}
	middle = median(ratios)
	for i := range ratios {
		ratios[i] = math.Abs(ratios[i] - middle)
	}
	return middle, median(ratios) / middle
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

func medianMs(rs []result) float64 {
	var ms []float64
	for _, r := range rs {
		ms = append(ms, r.wall.Seconds()*1e3)
	}
	return median(ms)
}

func peakMiB(rs []result) float64 {
	peak := int64(0)
	for _, r := range rs {
		peak = max(peak, r.peak)
	}
	return float64(peak) / (1 << 20)
}
