#!/usr/bin/env bash
# Installs what gxr is built from, from the packages of Debian 12 or Ubuntu 24.04. Asks for nothing: where
# it may not install, it prints the command to run by hand. Touches the network only if something required is
# missing; what is merely useful (ccache, …) comes along then, and is never asked for alone.
#
#   cmake/setup.sh [GROUP...]
#     core      what gxr and its tests are built from; always there
#     media     cameras, files and streams
#     net       topics between applications and machines
#     mpi       applications on more than one machine
#     python    the Python package
#     web       pages and pictures of graphs
#     all       all of these
#     bench     what the benchmarks need
#     docs      what makes the API reference
#     package   what makes .deb files and checks them
#     arm64     what compiles and tests for 64-bit ARM on another machine
#     ci        the tools of the checks (clang-format, clang-tidy, codespell, libFuzzer, abidiff) and of editors
#               (Neovim, Node.js), and all groups
#
# Without a group: core, and the names of the groups that are left out.
set -euo pipefail

parts=(core media net mpi python web)
# Of each group: the packages it needs, those that are merely useful, and what it is for.
declare -A required=(
  [core]="g++ make cmake ninja-build binutils libyaml-cpp-dev libcli11-dev libspdlog-dev libfmt-dev
    libpng-dev libjpeg-dev libtiff-dev nlohmann-json3-dev catch2 python3 python3-yaml python3-jsonschema"
  [media]="pkg-config libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev gstreamer1.0-plugins-base
    gstreamer1.0-plugins-good"
  [net]="cyclonedds-dev"
  [mpi]="libopenmpi-dev openmpi-bin"
  [python]="python3-dev python3-venv python3-pip"
  [web]="libboost-dev"
  [bench]="libbenchmark-dev"
  [docs]="doxygen"
  [package]="dpkg-dev file gzip lintian"
  [arm64]="g++-aarch64-linux-gnu qemu-user mmdebstrap"
  [ci]="clang-format clang-tidy codespell git"
)
declare -A useful=(
  [core]="ccache" [media]="libgstrtspserver-1.0-dev gstreamer1.0-tools gstreamer1.0-plugins-base-apps
    gstreamer1.0-plugins-ugly gstreamer1.0-libav"
  [net]=""
  [mpi]=""
  [python]=""
  [web]="graphviz"
  [bench]="libtbb-dev"
  [docs]=""
  [arm64]=""
  [package]="mmdebstrap pkg-config man-db groff zsh fish"
  [ci]="clang libclang-rt-dev locales abigail-tools neovim nodejs libopencv-imgproc-dev libopencv-calib3d-dev
    libfastrtps-dev fastddsgen"
)
declare -A purpose=([media]="cameras, files and streams" [net]="topics between applications and machines"
  [mpi]="applications on more than one machine" [python]="the Python package"
  [web]="the page of an application, graphs as SVG and PNG")

declare -A wanted=([core]=1)
for argument in "$@"; do
  case "$argument" in
    all) for group in "${parts[@]}"; do wanted[$group]=1; done ;;
    ci) for group in "${parts[@]}" docs package ci; do wanted[$group]=1; done ;;
    *)
      if [ -z "${required[$argument]:-}" ]; then
        echo "setup: unknown group '$argument'; there are ${parts[*]} all bench docs package arm64 ci" >&2
        exit 2
      fi
      wanted[$argument]=1
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian or Ubuntu system; CMake will say what it misses"
  exit 0
fi

# A tool from elsewhere is as good as the package's; libraries and Python modules come from packages.
present_otherwise() {
  case "$1" in
    ninja-build) command -v ninja ;;
    binutils) command -v objcopy ;;
    g++) command -v g++ || command -v c++ ;;
    cmake) command -v cmake && cmake -P "$(dirname "$0")/check_version.cmake" ;;
    graphviz) command -v dot ;;
    make | git | ccache | clang | clang-format | clang-tidy | codespell | doxygen) command -v "$1" ;;
    *) false ;;
  esac >/dev/null 2>&1
}

# Prints those of the given packages that are missing, one per line.
missing_of() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      present_otherwise "$package" || echo "$package"
  done
}

# Says which groups are left out that would bring something.
name_left_out() {
  local group packages
  for group in "${parts[@]}"; do
    [ -n "${wanted[$group]:-}" ] && continue
    # shellcheck disable=SC2086
    packages=$(missing_of ${required[$group]} ${useful[$group]} | tr '\n' ' ')
    [ -z "$packages" ] && continue
    echo "setup: left out: ${purpose[$group]} (${packages% }); 'cmake/setup.sh $group' installs it"
  done
}

required_packages=""
useful_packages=""
for group in "${!wanted[@]}"; do
  required_packages+=" ${required[$group]}"
  useful_packages+=" ${useful[$group]}"
done
# shellcheck disable=SC2086
missing=$(missing_of $required_packages | tr '\n' ' ')
# shellcheck disable=SC2086
also=$(missing_of $useful_packages | tr '\n' ' ')
# Who names a group wants all of it.
if [ -z "$missing" ] && { [ -z "$also" ] || [ $# -eq 0 ]; }; then
  name_left_out
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! sudo -n true 2>/dev/null; then
    echo "setup: packages are missing, and installing them needs root. Please run:" >&2
    echo "  sudo apt-get install $missing$also" >&2
    exit 2
  fi
  as_root=(sudo -n)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

echo "setup: installing $missing$also"
apt update || echo "setup: the package lists could not be refreshed; going on with the present ones" >&2
# shellcheck disable=SC2086
if [ -n "$missing" ] && ! apt install --no-install-recommends $missing; then
  echo "setup: could not install $missing" >&2
  exit 2
fi
for package in $also; do
  apt install --no-install-recommends "$package" || echo "setup: going on without $package" >&2
done
name_left_out
