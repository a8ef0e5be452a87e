#!/usr/bin/env bash
# Installs what gxr is built from, from the packages of Debian 12 or Ubuntu 24.04. Asks for nothing: where
# it may not install, it prints the command to run by hand. Touches the network only if something required is
# missing; what is merely useful (ccache, …) comes along then, and is never asked for alone.
#
#   cmake/setup.sh [--bench] [--ci]
#     --bench   also what the benchmarks need
#     --ci      also the tools of the checks: clang-format, clang-tidy, libFuzzer, graphviz
set -euo pipefail

required=(g++ make cmake ninja-build binutils libyaml-cpp-dev libcli11-dev libspdlog-dev libfmt-dev
  libpng-dev nlohmann-json3-dev catch2 python3 python3-yaml python3-jsonschema)
optional=(ccache)

for argument in "$@"; do
  case "$argument" in
    --bench)
      required+=(libbenchmark-dev)
      optional+=(libtbb-dev)
      ;;
    --ci)
      required+=(clang-format clang-tidy git)
      optional+=(clang libclang-rt-dev graphviz)
      ;;
    *)
      echo "setup: unknown option $argument" >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian or Ubuntu system; CMake will say what it misses"
  exit 0
fi

# Prints those of the given packages that are not installed, one per line.
missing_of() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

# A tool from elsewhere is as good as the package's; libraries and Python modules come from packages.
present_otherwise() {
  case "$1" in
    ninja-build) command -v ninja ;;
    binutils) command -v objcopy ;;
    g++) command -v g++ || command -v c++ ;;
    cmake) command -v cmake && cmake -P "$(dirname "$0")/check_version.cmake" ;;
    make | git | ccache | clang | clang-format | clang-tidy) command -v "$1" ;;
    *) false ;;
  esac >/dev/null 2>&1
}

still_missing_of() {
  local package
  for package in $(missing_of "$@"); do
    present_otherwise "$package" || echo "$package"
  done
}

missing=$(still_missing_of "${required[@]}" | tr '\n' ' ')
wanted=$(still_missing_of "${optional[@]}" | tr '\n' ' ')
if [ -z "$missing" ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! sudo -n true 2>/dev/null; then
    echo "setup: packages are missing, and installing them needs root. Please run:" >&2
    echo "  sudo apt-get install $missing$wanted" >&2
    exit 2
  fi
  as_root=(sudo -n)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

echo "setup: installing $missing$wanted"
apt update || echo "setup: the package lists could not be refreshed; going on with the present ones" >&2
# shellcheck disable=SC2086
if ! apt install --no-install-recommends $missing; then
  echo "setup: could not install $missing" >&2
  exit 2
fi
for package in $wanted; do
  apt install --no-install-recommends "$package" || echo "setup: going on without $package" >&2
done
