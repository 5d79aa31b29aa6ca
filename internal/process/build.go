package process

import "runtime/debug"

// Build returns the version that this program was built as, and the commit if that is known.
func Build() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)", ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		}
	}
	if info.Main.Version == "" {
		return "(devel)", commit
	}
	return info.Main.Version, commit
}
