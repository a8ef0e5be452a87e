#!/usr/bin/env bash
# Runs clang-tidy on the own sources of a build:  cmake/lint.sh [--changed] BUILD_FOLDER [JOBS]
#
# --changed: only the bundles of sources with what changed in the 24 hours before the last commit, or is not
# committed, and a tenth of the others; three tenths of all at most, the latest changes first.
#
# The sources of the Python package need nanobind and the headers of Python, which `make python` brings: they are read
# where it has built them, with the compile commands of build/python.
set -euo pipefail

changed=
if [ "$1" = --changed ]; then
  changed=--changed
  shift
fi
build=$1
jobs=${2:-$(nproc)}
cd "$(dirname "$0")/.."

if ! command -v clang-tidy >/dev/null; then
  echo "lint: clang-tidy not found; install it: apt-get install clang-tidy" >&2
  exit 2
fi

mapfile -t sources < <(python3 cmake/lint_sources.py $changed "$build")
if [ ${#sources[@]} -eq 0 ]; then
  echo "lint: no sources in $build" >&2
  exit 2
fi

# One file per process, so that the slow ones spread over the processors; the count of suppressed warnings
# of foreign headers is noise.
tidy() {
  local folder=$1
  shift
  # Options of GCC that Clang takes for errors.
  sed -i -E 's/ (-fno-gnu-unique|--param=[^ ]*)//g' "$folder/compile_commands.json"
  printf '%s\0' "$@" |
    xargs -0 -n 1 -P "$jobs" clang-tidy -p "$folder" --quiet --extra-arg=-Wno-unknown-warning-option \
      2> >(grep -v -E '^[0-9]+ warnings? generated' >&2)
}
tidy "$build" "${sources[@]}"
python_sources=()
if [ -f build/python/compile_commands.json ]; then
  mapfile -t python_sources < <(python3 cmake/lint_sources.py build/python | grep -v /nanobind-static)
  tidy build/python "${python_sources[@]}"
else
  echo "lint: python/src is left out: 'make python' brings the headers that it needs"
fi
sources+=("${python_sources[@]}")
echo "lint: ${#sources[@]} files and bundles of files, no finding"
