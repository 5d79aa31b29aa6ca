#!/usr/bin/env bash
# A thread sweep of ldx on your machine, to look at and to send in.
#
#   bench/benchmark.sh [--runs N] [--cold|--warm] [--threads 1,2,4,..] [--dirs A,B]
#                      [--label NAME,NAME] [--show-paths] [--out FILE]
#
#   --runs N       count N runs of each number of threads (10 warm, 5 cold)
#   --cold         have the system forget the disk before each run (as root); where that
#                  cannot be done the rows say so
#   --warm         with what the system remembers (the default); with --cold: both
#   --threads L    these numbers of threads (up to 16, or twice the processors)
#   --dirs A,B     these directories (the working directory)
#   --label L      what to call them (dir1,dir2,..)
#   --show-paths   call them by their paths
#   --out FILE     where the rows go (ldx-bench-DATE.csv); the summary goes beside them
#
# It builds nothing, and needs only ldx in PATH, or LDX=/path/of/ldx. Ctrl-C keeps the
# rows so far. Nothing in the files tells who you are or what your directories are called.
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
    *) fail "what is $1? --help tells" ;;
  esac
  shift
done

IFS=, read -r -a paths <<<"$dirs,"
places=()
for path in "${paths[@]}"; do
  [ -n "$path" ] || fail "--dirs: a directory has no name"
  if command -v cygpath >/dev/null; then # of Git Bash, whose paths Windows does not know
    path=$(cygpath -w "$path")
  fi
  places+=("$path")
done
exec "$ldx" bench threads --out "$out" ${args[@]+"${args[@]}"} -- "${places[@]}" # (bash 3 takes no args for an error)
