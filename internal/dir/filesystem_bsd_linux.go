//go:build ldx_bsd && !ldx_fallback

package dir

func fileSystem(d *Dir) (string, error) {
	if isLoop(d) {
		return loop, nil
	}
	return statfsName(d)
}
