//go:build !unix

package spawn

import "io"

func scarce(error) bool { return false }

func signalled(_ string, _ []byte, err error) error { return err }

func brokenPipe(error, any) error { return nil }

func writer(w io.Writer) io.Writer { return w }
