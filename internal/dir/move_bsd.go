//go:build (linux && ldx_bsd) || darwin || freebsd || netbsd || openbsd || dragonfly

package dir

func renameNew(at int, from string, to int, name string) error {
	return renameChecked(at, from, to, name)
}
