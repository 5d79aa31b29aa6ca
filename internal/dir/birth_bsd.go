//go:build darwin || freebsd || netbsd

package dir

import (
	"time"

	"golang.org/x/sys/unix"
)

func birthTime(st *unix.Stat_t) time.Time { return time.Unix(st.Btim.Unix()) }
