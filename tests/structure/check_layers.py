#!/usr/bin/env python3
"""Checks that the stages of runner/ include no header of a later stage, that extensions include only the SDK, and what
folders are called."""

import argparse
import pathlib
import re
import sys

SOURCE_SUFFIXES = {".cpp", ".hpp", ".h", ".cu", ".cuh"}
FORBIDDEN_NAMES = {"utils", "util", "common", "misc", "helpers", "helper", "manager", "managers"}
TOP_FOLDERS = ("include", "runner", "kernels", "extensions", "tests", "bench", "apps")
STAGES = ["document", "device", "registry", "graph", "plan", "runtime", "multimedia", "recording", "schedulers", "ipc",
          "control", "observe", "commands"]

# What each folder may include, besides itself and the public headers.
MAY_INCLUDE = {
    "document": set(),
    "device": {"document", "runtime"},
    "registry": {"document"},
    "graph": {"document", "registry"},
    "plan": {"document", "device", "registry", "graph"},
    "multimedia": {"device"},
    "recording": {"document"},
    "runtime": {"document", "device", "registry", "graph", "plan", "schedulers", "observe"},
    "schedulers": {"document", "device", "registry", "graph", "plan", "runtime", "observe"},
    "ipc": {"document", "device", "recording"},
    "control": {"document", "registry", "graph", "plan", "runtime", "schedulers", "ipc", "observe"},
    "observe": {"document", "registry", "graph", "plan", "runtime", "schedulers"},
    "commands": set(STAGES),
}

# Say whose code runs on this thread, what it threw, and what signals do, and start threads; include no other header of
# runner/, so that every stage may use them.
FOR_EVERY_STAGE = {"observe/call_site.hpp", "observe/exception_text.hpp", "observe/file_size_signal.hpp",
                   "observe/own_thread.hpp"}

# What libgxr_cuda.so shares with the engine beside runner/device.
FOR_CUDA = {"observe/chaos.hpp", "observe/own_thread.hpp"}

# The way to what the classes of the SDK keep from extensions.
ENGINE_ACCESS = "engine_access.hpp"

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def includes(path):
    """(line number, name) of every quoted include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1)


def stage_of(include):
    first = include.split("/")[0]
    return first if "/" in include and first in STAGES else None


def check_stage(root, stage):
    for path in sorted((root / "runner" / stage).rglob("*")):
        if path.suffix not in SOURCE_SUFFIXES:
            continue
        for number, include in includes(path):
            where = f"{path.relative_to(root)}:{number}"
            target = stage_of(include)
            if ".." in include.split("/"):
                yield f"{where}: includes '{include}': write the path from runner/"
            elif include in FOR_EVERY_STAGE:
                continue
            elif target and target != stage and target not in MAY_INCLUDE[stage]:
                yield f"{where}: {stage} must not know {target} ('{include}')"


def check_public_headers(root):
    """The SDK includes nothing that is not installed with it."""
    for path in sorted((root / "include").rglob("*.hpp")):
        for number, include in includes(path):
            if not include.startswith("gxr/"):
                where = f"{path.relative_to(root)}:{number}"
                yield f"{where}: a public header may only include public headers, not '{include}'"


def check_extensions(root):
    """An extension has the SDK alone; libgxr_cuda.so, and what declares its components, also have the engine's devices."""
    for path in sorted((root / "extensions").rglob("*")):
        if path.suffix not in SOURCE_SUFFIXES:
            continue
        is_cuda = path.relative_to(root / "extensions").parts[0] == "cuda"
        for number, include in includes(path):
            stage = stage_of(include)
            allowed = is_cuda and (stage == "device" or include in FOR_CUDA)
            if include == ENGINE_ACCESS or (stage and not allowed):
                yield f"{path.relative_to(root)}:{number}: an extension must not know the engine's '{include}'"


def check_kernels(root):
    """kernels/ is plain data in, plain data out: no engine, no SDK."""
    for path in sorted((root / "kernels").rglob("*")):
        if path.suffix in SOURCE_SUFFIXES:
            for number, include in includes(path):
                engine = include.startswith("gxr/") and not include.startswith("gxr/kernels/")
                if engine or stage_of(include):
                    yield f"{path.relative_to(root)}:{number}: kernels must not include '{include}'"


def check_using_namespace(root):
    """A header must not open a namespace for those that include it."""
    for top in TOP_FOLDERS:
        for path in sorted((root / top).rglob("*.hpp")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if line.startswith("using namespace"):
                    yield f"{path.relative_to(root)}:{number}: '{line}' in a header"


def check_folder_names(root):
    for top in TOP_FOLDERS:
        for path in sorted((root / top).rglob("*")):
            if path.is_dir() and path.name.lower() in FORBIDDEN_NAMES:
                yield f"{path.relative_to(root)}: a folder's name says what is in it"


def check(root):
    for stage in STAGES:
        yield from check_stage(root, stage)
    yield from check_public_headers(root)
    yield from check_extensions(root)
    yield from check_kernels(root)
    yield from check_using_namespace(root)
    yield from check_folder_names(root)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    problems = list(check(parser.parse_args().root.resolve()))
    print("\n".join(problems) if problems else "layers: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
