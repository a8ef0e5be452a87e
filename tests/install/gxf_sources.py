#!/usr/bin/env python3
"""Installs gxr and builds the extensions of tests/gxf_sources against it, as a project of their own; runs its tests.

The folder's name has a space: the package's rules for the linker are to survive that.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder of gxr")
    parser.add_argument("--source", type=pathlib.Path, required=True, help="tests/gxf_sources")
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--compiler", required=True)
    arguments = parser.parse_args()
    ctest = pathlib.Path(arguments.cmake).parent / "ctest"
    with tempfile.TemporaryDirectory(prefix="gxr gxf ") as work:
        prefix, source, build = (pathlib.Path(work) / name for name in ("prefix", "source", "build"))
        shutil.copytree(arguments.source, source)
        for command in (
                [arguments.cmake, "--install", arguments.build, "--prefix", prefix],
                [arguments.cmake, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
                 f"-DCMAKE_CXX_COMPILER={arguments.compiler}"],
                [arguments.cmake, "--build", build, "-j", "2"],
                [ctest, "--test-dir", build, "--output-on-failure", "--no-tests=error"]):
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                print(done.stdout)
                print(" ".join(map(str, command)), "failed")
                return 1
        print(done.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
