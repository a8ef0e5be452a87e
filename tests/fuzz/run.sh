#!/usr/bin/env bash
# Runs every fuzzer of one build folder:  tests/fuzz/run.sh BUILD_FOLDER [SECONDS]
# An input that fails stays in BUILD_FOLDER/tests/fuzz/crash*. FUZZ_SEED (1) chooses the inputs of the mutator.
set -euo pipefail

build=$1
seconds=${2:-60}
here=$(cd "$(dirname "$0")" && pwd)
work=$build/tests/fuzz
seed=${FUZZ_SEED:-1}

shopt -s nullglob
fuzzers=("$work"/fuzz_*)
if [ ${#fuzzers[@]} -eq 0 ]; then
  echo "fuzz: no fuzzer in $work" >&2
  exit 2
fi

status=0
for fuzzer in "${fuzzers[@]}"; do
  [ -x "$fuzzer" ] || continue
  name=${fuzzer##*/fuzz_}
  corpus=$here/corpus/$name
  if grep -q '^GXR_SANITIZE:.*fuzzer-no-link' "$build/CMakeCache.txt"; then
    mkdir -p "$work/found_$name"
    arguments=(-max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=4096
      -print_final_stats=1 -verbosity=1 -artifact_prefix="$work/crash_$name.")
    [ -f "$here/$name.dict" ] && arguments+=(-dict="$here/$name.dict")
    "$fuzzer" "${arguments[@]}" "$work/found_$name" "$corpus" 2>&1 |
      { grep -v -E '^#[0-9]+.*(REDUCE|NEW|pulse|RELOAD)' || true; } || status=1
  else
    "$fuzzer" --seconds "$seconds" --seed "$seed" --crash "$work/crash_$name" "$corpus" || status=1
  fi
done
exit $status
