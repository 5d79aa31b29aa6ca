package filter

import (
	"fmt"
	"slices"
	"strings"
)

// kinds are the kinds of files that --type-group knows, and their extensions.
var kinds = []struct{ name, extensions string }{
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

// Kinds returns the kinds of files, each with its extensions.
func Kinds() [][2]string {
	var list [][2]string
	for _, k := range kinds {
		list = append(list, [2]string{k.name, k.extensions})
	}
	return list
}

// KindExtensions returns the extensions of a kind of files. The error lists the kinds.
func KindExtensions(name string) ([]string, error) {
	var names []string
	for k := range slices.Values(kinds) {
		if k.name == name {
			return strings.Fields(k.extensions), nil
		}
		names = append(names, k.name)
	}
	return nil, fmt.Errorf("there is no kind of files %q; give one of %s", name, strings.Join(names, ", "))
}
