//go:build !linux

package catalogue

import (
	"errors"
	"os"
)

// A pace is how a file is read: here as the system does it.
type pace struct{}

// A disk is what several readers share.
type disk struct{}

func (r *reader) begin() { r.pace = pace{} }
func (*reader) end()     {}

func (r *reader) next(buffer []byte) (n int, err error) { return r.f.Read(buffer) }

func seekData(*os.File, int64) (int64, error) { return 0, errors.ErrUnsupported }
func seekHole(*os.File, int64) (int64, error) { return 0, errors.ErrUnsupported }
