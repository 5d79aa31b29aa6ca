#!/usr/bin/env bash
# Measures ldx with different numbers of threads on your machine.
#
#   bench/benchmark.sh [--runs N] [--cold|--warm] [--threads 1,2,4,..] [--dirs A,B]
#                      [--label NAME,NAME] [--show-paths] [--out FILE]
#
#   --runs N       counted runs for each number of threads (default: 10 warm, 5 cold)
#   --cold         drop the system's caches before each run (as root); where that is not
#                  possible the rows say so
#   --warm         keep the caches (the default); with --cold: measure both
#   --threads L    numbers of threads (default: up to 16, or twice the processors)
#   --dirs A,B     directories to search (default: the current directory)
#   --label L      their labels (default: dir1,dir2,..)
#   --show-paths   use their paths as labels
#   --out FILE     file for the rows (default: ldx-bench-DATE.csv); the summary is
#                  written beside it
#
# It builds nothing, and needs only ldx in PATH, or LDX=/path/of/ldx. Ctrl-C keeps the
# rows so far. The files name neither you nor your directories.
# For Linux, macOS, the BSDs, and Windows in Git Bash; benchmark.ps1 is for PowerShell.
set -euo pipefail

fail() {
  echo "benchmark.sh: $*" >&2
  exit 2
}

ldx=${LDX:-ldx}
command -v "$ldx" >/dev/null || fail "$ldx is not in PATH; set LDX=/path/of/ldx"
"$ldx" bench threads --help >/dev/null 2>&1 || fail "$ldx is too old to measure itself (ldx bench)"

dirs=.
out=ldx-bench-$(date +%Y%m%d-%H%M%S).csv
args=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help)
      sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"
      exit
      ;;
    --cold | --warm | --show-paths) args+=("$1") ;;
    --runs | --threads | --dirs | --label | --out)
      [ $# -gt 1 ] || fail "$1 needs a value"
      case $1 in
        --dirs) dirs=$2 ;;
        --out) out=$2 ;;
        *) args+=("$1" "$2") ;;
      esac
      shift
      ;;
    *) fail "unknown option $1; see --help" ;;
  esac
  shift
done

IFS=, read -r -a paths <<<"$dirs,"
places=()
for path in "${paths[@]}"; do
  [ -n "$path" ] || fail "--dirs: empty directory name"
  if command -v cygpath >/dev/null; then # Git Bash: Windows does not know its paths
    path=$(cygpath -w "$path")
  fi
  places+=("$path")
done
exec "$ldx" bench threads --out "$out" ${args[@]+"${args[@]}"} -- "${places[@]}" # bash 3 treats an empty array as unset
