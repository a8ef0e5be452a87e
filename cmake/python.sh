#!/usr/bin/env bash
# Builds and tests the Python package in build/python, over the release build, which stays as it is.
#
#   cmake/python.sh venv    the virtual environment build/python/venv, with python/requirements.txt from PyPI
#   cmake/python.sh build   the package build/python/gxr
#   cmake/python.sh test    its tests, with the report build/python/ctest.xml, and mypy
#   cmake/python.sh wheel   dist/gxr-VERSION-….whl
#
# $PYTHON (python3) makes the environment. pip's own variables (PIP_INDEX_URL, PIP_NO_INDEX, PIP_FIND_LINKS) say where
# the packages come from. Exit code 77: packages are missing, and cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
folder=$root/build/python
venv=$folder/venv
requirements=python/requirements.txt
interpreter=${PYTHON:-python3}

# Of the requirements, those that the environment lacks.
missing_packages() {
  grep -E '^[a-z]' $requirements | while IFS= read -r requirement; do
    "$venv/bin/python" - "${requirement%%[<>=]*}" <<'PYTHON' || echo "$requirement"
import importlib.metadata, sys
try:
    importlib.metadata.version(sys.argv[1])
except importlib.metadata.PackageNotFoundError:
    sys.exit(1)
PYTHON
  done
}

make_venv() {
  local wanted made=$venv/made_of
  if ! wanted=$("$interpreter" -c 'import sys; print(sys.executable, sys.version); sys.exit(sys.version_info < (3, 10))'); then
    echo "python: '$interpreter' is no Python 3.10 or newer: set PYTHON to one" >&2
    exit 2
  fi
  wanted+=$'\n'$(cat $requirements)
  if [ -f "$made" ] && [ "$wanted" = "$(cat "$made")" ]; then
    return
  fi
  # What another interpreter has made, too.
  rm -rf "$folder"
  mkdir -p "$folder"
  if ! "$interpreter" -m venv --clear "$venv" >"$folder/venv.log" 2>&1; then
    cat "$folder/venv.log" >&2
    echo "python: '$interpreter' cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv" >&2
    exit 2
  fi
  if ! "$venv/bin/python" -m pip --disable-pip-version-check install -q -r $requirements >"$folder/pip.log" 2>&1; then
    tail -n 5 "$folder/pip.log" >&2
    {
      echo "python: pip could not install these packages from PyPI:"
      missing_packages | sed 's/^/  /'
      echo "python: where there is no way to PyPI, set PIP_NO_INDEX=1 and PIP_FIND_LINKS to a folder with their wheels"
    } >&2
    exit 77
  fi
  printf '%s\n' "$wanted" >"$made"
}

build() {
  make_venv
  cmake -S python -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=32 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    -DGXR_BUILD="$root/build/release" -DPython_EXECUTABLE="$venv/bin/python" >"$folder/configure.log" ||
    { cat "$folder/configure.log" >&2; exit 1; }
  cmake --build "$folder" -j "${JOBS:-$(nproc)}"
}

run_tests() {
  build
  local status=0
  export PYTHONPATH=$folder GXR_PYTHON=$venv/bin/python PATH=$root/build/release:$PATH
  "$venv/bin/python" -m pytest python/tests -q -p no:cacheprovider --junitxml="$folder/ctest.xml" || status=$?
  "$venv/bin/python" -m mypy --strict --cache-dir "$folder/mypy" python/gxr python/tests/typed_examples.py \
    python/examples apps/python_filter docs/cookbook tests/extensions/tutorial/scaler.py || status=1
  return $status
}

wheel() {
  make_venv
  # As the release build, so that ccache has what that compiled.
  export CC=${CC:-cc} CXX=${CXX:-c++}
  rm -f dist/gxr-*.whl
  "$venv/bin/python" -m pip --disable-pip-version-check wheel -q --no-deps --no-build-isolation -w dist .
  ls dist/gxr-*.whl
}

case "${1:-}" in
  venv) make_venv ;;
  build) build ;;
  test) run_tests ;;
  wheel) wheel ;;
  *)
    sed -n 's/^#   \(cmake\/python.sh .*\)/\1/p' "$0" >&2
    exit 2
    ;;
esac
