#!/usr/bin/env python3
"""Checks that extensions built with the headers that runner/registry/compatible_sdks.hpp lists still fit.

For each listed fingerprint, tests/structure/abi/ has a description of the library of that time; abidiff (package
abigail-tools) compares it with today's library. New functions are allowed, other differences are not.

    tests/structure/abi_compatibility.py ROOT            # as the test runs it; builds the library if any are listed
    tests/structure/abi_compatibility.py ROOT --keep     # stores today's library, and prints its fingerprint
"""

import argparse
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
import abi_fingerprint  # noqa: E402

LIST = "runner/registry/compatible_sdks.hpp"
STORED = "tests/structure/abi"
SKIPPED = 77


def listed(root):
    return re.findall(r'"([0-9a-f]+)"', (root / LIST).read_text(encoding="utf-8"))


def build_library(root):
    """The library with all of its debugging information, without which abidiff sees names only."""
    build = root / "build/abi"
    for command in (["cmake", "--preset", "dev", "-B", build, "-DGXR_BUILD_TESTS=OFF", "-DGXR_ENABLE_CUDA=OFF"],
                    ["cmake", "--build", build, "--target", "gxr_engine", "-j"]):
        subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    return build / "libgxr.so"


def store(library, headers, file):
    """Writes what programs see of the library: what its exported functions reach, as far as `headers` define it."""
    text = subprocess.run(["abidw", "--drop-private-types", "--headers-dir", headers, library],
                          check=True, stdout=subprocess.PIPE).stdout
    file.parent.mkdir(parents=True, exist_ok=True)
    with gzip.GzipFile(file, "wb", mtime=0) as packed:
        packed.write(text)


def differences(stored, library, headers):
    """What abidiff reports; empty when whatever was built for the stored library fits this one."""
    with tempfile.NamedTemporaryFile(suffix=".abi") as unpacked:
        unpacked.write(gzip.decompress(stored.read_bytes()))
        unpacked.flush()
        run = subprocess.run(["abidiff", "--no-added-syms", "--drop-private-types", "--headers-dir2", headers,
                              unpacked.name, library],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.stdout.strip() or f"abidiff: exit code {run.returncode}" if run.returncode else ""


def check(root):
    """What is wrong, a text each."""
    older = listed(root)
    library = build_library(root) if older else None
    for fingerprint in older:
        stored = root / STORED / f"{fingerprint}.abi.gz"
        if not stored.exists():
            yield f"{LIST} lists {fingerprint}, and {STORED}/{stored.name} does not exist"
            continue
        found = differences(stored, library, root / "include")
        if found:
            yield f"extensions built with the headers {fingerprint} do not fit any more:\n{found}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true", help="store today's library")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    if (arguments.keep or listed(root)) and not shutil.which("abidiff"):
        print("abidiff is not installed: apt-get install abigail-tools")
        return 2 if arguments.keep else SKIPPED
    if arguments.keep:
        fingerprint = abi_fingerprint.fingerprint(root / "include")
        store(build_library(root), root / "include", root / STORED / f"{fingerprint}.abi.gz")
        print(f'{fingerprint}: stored in {STORED}; add "{fingerprint}" to {LIST} when the headers have changed')
        return 0
    problems = list(check(root))
    print("\n".join(problems) if problems else f"{len(listed(root))} older fingerprints, all compatible")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
