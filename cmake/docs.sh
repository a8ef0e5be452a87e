#!/usr/bin/env bash
# Builds the documentation, all pages and the API reference:  cmake/docs.sh [--check] OUTPUT_FOLDER
#
# --check: builds no pages, only says what is wrong with comments and links; ends with 77 without Doxygen.
set -euo pipefail

check=
if [ "$1" = --check ]; then
  check=yes
  shift
fi
mkdir -p "$1"
output=$(realpath "$1")
cd "$(dirname "$0")/.."

if ! command -v doxygen >/dev/null; then
  echo "docs: doxygen not found; install it: apt-get install doxygen" >&2
  [ -n "$check" ] && exit 77
  exit 2
fi

{
  cat cmake/Doxyfile
  echo "PROJECT_NUMBER = $(sed -n 's/^  VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)"
  # The main page's order first, then all others.
  echo "INPUT = $(python3 cmake/doxygen_page.py --order) docs apps bench/README.md bench/gpu/README.md include/gxr"
  echo "OUTPUT_DIRECTORY = \"$output\""
  # The pages take most of the time. Doxygen finds mistakes only while it writes something.
  [ -n "$check" ] && printf '%s\n' "GENERATE_HTML = NO" "GENERATE_XML = YES"
  true
} | doxygen -

if [ -z "$check" ]; then
  # Under their own paths: many of them have the same name.
  find docs apps bench \( -name '*.png' -o -name '*.svg' \) -exec install -D -m 644 {} "$output/html/pictures/{}" \;
  echo "docs: the first page is $1/html/index.html"
fi
