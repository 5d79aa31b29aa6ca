//go:build ldx_bsd

package dir

var systemDirent = linuxDirent
