#!/usr/bin/env python3
"""Compares the container files in packaging/ with what they name: groups of cmake/setup.sh, presets, options of CMake, stages.

    tests/structure/containers.py REPOSITORY

hadolint checks them, too, where it is installed.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys


def instructions(text):
    """The instructions of a container file, continued lines joined, without comments."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    return [line.strip() for line in joined.splitlines() if line.strip()]


def setup_groups(root):
    text = (root / "cmake/setup.sh").read_text(encoding="utf-8")
    required = text[text.index("required=("):text.index("useful=(")]
    return set(re.findall(r"\[(\w+)\]=", required)) | {"all"}


def cmake_options(root):
    texts = [root / "CMakeLists.txt", *sorted((root / "cmake").glob("*.cmake"))]
    text = "\n".join(file.read_text(encoding="utf-8") for file in texts)
    return set(re.findall(r"\bGXR_[A-Z_]+", text)) | {"CMAKE_CUDA_ARCHITECTURES"}


def flaws_of(file, root):
    presets = {p["name"] for p in json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]}
    groups = setup_groups(root)
    options = cmake_options(root)
    stages = set()
    runs_cpack = False
    for line in instructions(file.read_text(encoding="utf-8")):
        if stage := re.match(r"FROM \S+ AS (\S+)", line):
            stages.add(stage.group(1))
        for stage in re.findall(r"from=(\w+)", line):
            if stage not in stages:
                yield f"there is no stage '{stage}' before it: {line}"
        for call in re.findall(r"cmake/setup\.sh ([\w ]+)", line):
            yield from (f"cmake/setup.sh has no group '{group}'" for group in call.split() if group not in groups)
        for preset in re.findall(r"--preset (\w+)", line):
            if preset not in presets:
                yield f"there is no preset '{preset}'"
        yield from (f"there is no option {option}" for option in re.findall(r"-D(\w+)=", line) if option not in options)
        runs_cpack = runs_cpack or line == "RUN cpack"
        if "/packages/" in line and not runs_cpack:
            yield f"packages are used before they are made: {line}"
    if not runs_cpack:
        yield "it makes no packages"


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted((root / "packaging").glob("*.Dockerfile"))
    flaws = [f"{file.name}: {flaw}" for file in files for flaw in flaws_of(file, root)]
    if not files:
        flaws.append("packaging/ has no container files")
    linter = shutil.which("hadolint")
    if linter and subprocess.run([linter, *files], check=False).returncode != 0:
        flaws.append("hadolint finds flaws")
    print("\n".join(flaws) or f"{len(files)} files" + (", and hadolint finds no flaw" if linter else ""))
    sys.exit(1 if flaws else 0)


if __name__ == "__main__":
    main()
