//go:build ldx_bsd && !ldx_fallback

package dir

func fileSystem(d *Dir) (string, error) { return statfsName(d) }
