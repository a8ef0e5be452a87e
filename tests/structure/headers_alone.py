#!/usr/bin/env python3
"""Compiles public headers alone, from the sources that CMake makes for it:  headers_alone.py [--all] BUILD_FOLDER

Without --all: the headers that changed in the last day, and a tenth of the others; which tenth goes by the number of
commits. A slow test has them all. Exit status: 0 all compile, 1 not all, 2 there are none.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
import lint_sources  # noqa: E402

FOLDER = re.compile(r"/tests/structure/gxr_\w*headers_alone/[^/]+\.cpp$")
TENTH = 10


def entries_of(build):
    """The compile commands, by header as it is included."""
    entries = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        if FOLDER.search(entry["file"]):
            header = re.match(r'#include "([^"]+)"', pathlib.Path(entry["file"]).read_text(encoding="utf-8"))[1]
            entries[header] = entry
    return entries


def chosen(headers):
    changed = lint_sources.changed_files()
    if changed is None:
        return headers
    turn = len(lint_sources.git("rev-list", "HEAD")) % TENTH
    return [header for i, header in enumerate(headers)
            if i % TENTH == turn or any(each.endswith("/" + header) for each in changed)]


def compile_alone(entry):
    """What the compiler says, if it refuses."""
    words = shlex.split(entry["command"])
    at = words.index("-o")
    command = [*words[:at], *words[at + 2:], "-fsyntax-only"]
    run = subprocess.run(command, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.stdout if run.returncode != 0 else None


def main(arguments):
    build = pathlib.Path(arguments[-1]).resolve()
    entries = entries_of(build)
    if not entries:
        print("headers_alone: the build folder has no sources for it")
        return 2
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    headers = sorted(entries) if "--all" in arguments else chosen(sorted(entries))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda header: compile_alone(entries[header]), headers))
    refused = [(header, text) for header, text in zip(headers, results) if text is not None]
    for header, text in refused:
        print(f"-- {header} does not compile alone\n{text}")
    print(f"headers_alone: {len(headers)} of {len(entries)} compiled, {len(refused)} refused")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
