package filter

import (
	"fmt"
	"slices"
	"strings"
)

// groups names kinds of files and the extensions that they go by.
var groups = []struct{ name, extensions string }{
	{"archive", "7z a ar br bz2 cab cpio deb dmg gz iso jar lz lz4 lzma pkg rar rpm tar tbz2 tgz txz war xz z zip zst"},
	{"audio", "aac aif aiff alac flac m4a mid midi mp3 oga ogg opus wav wma"},
	{"code", "asm awk bash bat c cc cl clj cpp cs css cu cxx d dart el erl ex exs f90 fish fs go gradle h hh hpp hs html java jl js " +
		"jsx kt kts lisp lua m mjs ml mm nim nix php pl pm ps1 py r rb rs s scala scm sh sol sql svelte swift tcl tf ts tsx v vb vue zig zsh"},
	{"config", "cfg cnf conf config desktop env hcl ini json jsonc plist properties service toml xml yaml yml"},
	{"data", "arrow avro csv db feather h5 hdf5 json jsonl mat ndjson npy npz orc parquet pickle pkl sqlite sqlite3 tsv"},
	{"document", "adoc azw3 djvu doc docx epub htm html md mobi odp ods odt org pages pdf ppt pptx ps rst rtf tex txt xls xlsx"},
	{"font", "eot otf pcf pfb ttc ttf woff woff2"},
	{"image", "avif bmp cr2 gif heic heif ico jpeg jpg jxl nef png psd raw svg tga tif tiff webp xcf"},
	{"video", "3gp avi flv m2ts m4v mkv mov mp4 mpeg mpg ogv ts vob webm wmv"},
}

// Groups returns the kinds of files that Group knows, each with its extensions.
func Groups() [][2]string {
	var list [][2]string
	for _, g := range groups {
		list = append(list, [2]string{g.name, g.extensions})
	}
	return list
}

// GroupExtensions returns the extensions of a kind of files. The error lists the
// kinds there are.
func GroupExtensions(name string) ([]string, error) {
	var names []string
	for g := range slices.Values(groups) {
		if g.name == name {
			return strings.Fields(g.extensions), nil
		}
		names = append(names, g.name)
	}
	return nil, fmt.Errorf("there is no kind of files %q; give one of %s", name, strings.Join(names, ", "))
}
