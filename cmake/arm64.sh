#!/usr/bin/env bash
# Compiles everything that needs no CUDA for 64-bit ARM, in build/arm64, and runs the unit tests under QEMU. Leaves it
# out, and says so, where a tool is missing or Debian's packages for ARM cannot be reached.
#
#   cmake/arm64.sh            all of it; JOBS is the number of jobs
#   cmake/arm64.sh sysroot    only makes build/arm64-sysroot: the headers and libraries of Debian 12 for ARM, for
#                             cmake --preset arm64; installs nothing
set -euo pipefail

cd "$(dirname "$0")/.."
sysroot=build/arm64-sysroot
jobs=${JOBS:-$(nproc)}

leave_out() {
  echo "arm64: left out: $1"
  exit 0
}

for tool in mmdebstrap aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v "$tool" >/dev/null || leave_out "$tool not found; 'cmake/setup.sh arm64' installs it"
done

packages=libc6-dev,libstdc++-12-dev,libyaml-cpp-dev,libcli11-dev,libspdlog-dev,libfmt-dev,libpng-dev,libjpeg-dev
packages+=,libtiff-dev,nlohmann-json3-dev,catch2
if [ ! -e "$sysroot/usr" ]; then
  mkdir -p build
  work=$(mktemp -d build/arm64.XXXXXX)
  trap 'rm -rf "$work"' EXIT
  mmdebstrap --quiet --variant=extract --architectures=arm64 --include="$packages" \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr bookworm "$work/root" 2>"$work/log" ||
    { tail -n 3 "$work/log"; leave_out "Debian's packages for ARM cannot be reached"; }
  # QEMU looks for each file here first, so only what programs are built from stays.
  mkdir -p "$work/kept/usr"
  for kept in lib usr/lib usr/include usr/share; do
    [ -e "$work/kept/$kept" ] || mv "$work/root/$kept" "$work/kept/$kept"
  done
  mv "$work/kept" "$sysroot"
fi
[ "${1:-}" != sysroot ] || exit 0

cmake --preset arm64
cmake --build --preset arm64 -j "$jobs"
ctest --preset arm64 -j "$jobs" -L unit --output-junit unit.xml
