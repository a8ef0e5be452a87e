#!/usr/bin/env python3
"""Installs a build, moves the installation, and compiles a program that embeds gxr with what pkg-config says.

Skipped (77) where pkg-config is missing.
"""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def output_of(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(what, expected, found):
    if expected != found:
        sys.exit(f"{what}: expected {expected!r}, found {found!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    if shutil.which("pkg-config") is None:
        print("skipped: pkg-config is missing")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="gxr_pkg_config_") as name:
        work = pathlib.Path(name)
        for component in ("runtime", "dev"):
            output_of(options.cmake, "--install", options.build, "--prefix", work / "first", "--component", component)
        prefix = (work / "first").rename(work / "moved")
        environment = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig"),
                       "LD_LIBRARY_PATH": str(prefix / "lib")}

        def ask(*arguments):
            return output_of("pkg-config", *arguments, "gxr", env=environment).split()

        cache = (options.build / "CMakeCache.txt").read_text(encoding="utf-8")
        expect("version", [line.split("=")[1] for line in cache.splitlines() if line.startswith("CMAKE_PROJECT_VERSION:")],
               ask("--modversion"))
        output_of(options.compiler, "-std=c++20", *ask("--cflags"), HERE / "embed/main.cpp", *ask("--libs"), "-o",
                  work / "embed", env=environment)
        lines = output_of(work / "embed", HERE / "embed/app.yaml", env=environment).splitlines()
        expect("the end of the program's output", ["hello: 3 ticks", "completed"], lines[-2:])


main()
