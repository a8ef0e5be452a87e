#!/usr/bin/env python3
"""Prints the sources that clang-tidy is to read, the largest first:  lint_sources.py [--changed] BUILD_FOLDER

Sources come in bundles (CMake's unity build), each of which walks the system headers once. What else lies in
the build folder is generated, and left out.

--changed: what changed in the last day, the latest first, and a tenth of the others, up to MOST of all source text.
Which tenth goes by the number of commits.
"""
import json
import os
import re
import subprocess
import sys

DAY = 24 * 60 * 60
MOST = 0.3


def git(*arguments):
    run = subprocess.run(["git", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return run.stdout.split() if run.returncode == 0 else []


def changed_files():
    """What is not committed, and what the commits of the last day before HEAD changed: the latest first."""
    end = git("log", "-1", "--format=%ct")
    if not end:
        return None
    since = git("log", f"--since={int(end[0]) - DAY}", "--name-only", "--format=")
    now = [*git("diff", "--name-only", "HEAD"), *git("ls-files", "-o", "--exclude-standard")]
    return list(dict.fromkeys(os.path.realpath(each) for each in [*now, *since]))


def all_bundles(build):
    """Each file that is compiled, with the own sources in it."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        files = {os.path.realpath(entry["file"]) for entry in json.load(file)}
    bundles = {}
    for each in files:
        if "/Unity/unity_" in each:
            with open(each, encoding="utf-8") as file:
                bundles[each] = re.findall(r'#include "([^"]+)"', file.read())
        elif not each.startswith(os.path.realpath(build) + os.sep):
            bundles[each] = [each]
    return bundles


def headers_of(source):
    """The ends of the names of the headers that a source includes itself."""
    with open(source, encoding="utf-8", errors="replace") as file:
        return re.findall(r'#include ["<]([^">]+)[">]', file.read())


def with_changes(bundles, changed):
    """The bundles with a changed source, and for each changed header one with a source that includes it, in the order
    of the changes."""
    of_source = {os.path.realpath(source): name for name, sources in bundles.items() for source in sources}
    included = {name: {header for source in bundles[name] for header in headers_of(source)} for name in sorted(bundles)}
    with_source = {of_source[each] for each in changed if each in of_source}
    chosen = {}
    for each in changed:
        if each in of_source:
            chosen[of_source[each]] = None
        elif each.endswith((".hpp", ".h")):
            users = [name for name, headers in included.items() if any(each.endswith("/" + end) for end in headers)]
            users.sort(key=lambda name: (name not in chosen, name not in with_source))
            chosen.update(dict.fromkeys(users[:1]))
    return list(chosen)


def up_to(limit, names, size):
    """As many of the names, from the first on, as have this size together."""
    taken, total = set(), 0
    for name in names:
        if total + size[name] <= limit:
            taken.add(name)
            total += size[name]
    return taken


def main(arguments):
    only_changed = "--changed" in arguments
    bundles = all_bundles([each for each in arguments if not each.startswith("--")][0])
    size = {name: sum(map(os.path.getsize, sources)) for name, sources in bundles.items()}
    chosen = set(bundles)
    changed = changed_files() if only_changed else None
    if changed is not None:
        commits = int((git("rev-list", "--count", "HEAD") or ["0"])[0])
        first = with_changes(bundles, changed)
        rest = [each for place, each in enumerate(sorted(set(bundles) - set(first))) if (place + commits) % 10 == 0]
        chosen = up_to(MOST * sum(size.values()), first + rest, size)
        left = len(set(first) - chosen)
        if left:
            print(f"lint: {left} of {len(first)} changed files and bundles are left for `make lint`", file=sys.stderr)
    print("\n".join(sorted(map(os.path.relpath, chosen), key=lambda each: -size[os.path.realpath(each)])))


if __name__ == "__main__":
    main(sys.argv[1:])
