#!/usr/bin/env bash
# Runs clang-tidy on every own source of a build:  cmake/lint.sh BUILD_FOLDER [JOBS]
set -euo pipefail

build=$1
jobs=${2:-$(nproc)}
cd "$(dirname "$0")/.."

if ! command -v clang-tidy >/dev/null; then
  echo "lint: clang-tidy not found; install it: apt-get install clang-tidy" >&2
  exit 2
fi

# Sources come in bundles (CMake's unity build), each of which walks the system headers once. What else lies in the build
# folder is generated, and left out.
mapfile -t sources < <(
  python3 - "$build/compile_commands.json" "$build" <<'PYTHON'
import json, os, sys
build = os.path.realpath(sys.argv[2])
files = {os.path.realpath(entry["file"]) for entry in json.load(open(sys.argv[1]))}
own = [f for f in files if "/Unity/unity_" in f or not f.startswith(build + os.sep)]
print("\n".join(sorted((os.path.relpath(f) for f in own), key=os.path.getsize, reverse=True)))
PYTHON
)

# One file per process, so that the slow ones spread over the processors; the count of suppressed warnings
# of foreign headers is noise.
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$jobs" clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option \
    2> >(grep -v -E '^[0-9]+ warnings? generated' >&2)
echo "lint: ${#sources[@]} files and bundles of files, no finding"
