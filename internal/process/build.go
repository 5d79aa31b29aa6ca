package process

import (
	"runtime/debug"
	"strings"
)

// release is the newest version of CHANGELOG.md.
const release = "0.1.0"

// Build returns the version that this program was built as, and the commit if that is known.
// The version of a build between two releases is the last one with the commit: 0.1.0+9fceb02d0ae5,
// 0.1.0+9fceb02d0ae5.dirty if files had changed, 0.1.0+dev if nothing of this is known.
func Build() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) (version, commit string) {
	dirty := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ".dirty"
		}
	}
	const shown = 12 // digits, as in the versions that Go makes of commits
	short := commit[:min(shown, len(commit))]
	tag, isTag := strings.CutPrefix(strings.TrimSuffix(info.Main.Version, "+dirty"), "v")
	switch {
	case isTag && (commit == "" || !strings.HasSuffix(tag, short)) && dirty == "":
		return tag, commit
	case commit == "":
		return release + "+dev", ""
	}
	return release + "+" + short + dirty, commit
}
