#!/usr/bin/env python3
"""Checks that the folders of runner/ include no header of a later one, that extensions include only the SDK, and what
folders are called; and that the parts exist of which pages about the code say what they do."""

import argparse
import pathlib
import re
import sys

SOURCE_SUFFIXES = {".cpp", ".hpp", ".h", ".cu", ".cuh"}
FORBIDDEN_NAMES = {"utils", "util", "common", "misc", "helpers", "helper", "manager", "managers"}
TOP_FOLDERS = ("include", "runner", "kernels", "extensions", "compat", "tests", "bench", "apps")

# The folders of runner/, bottom first, and what each may include of those before it, besides the public headers: so no
# cycle is possible.
MAY_INCLUDE = {
    "launcher": set(),
    "system": set(),
    "document": {"system"},
    "observe": {"system", "document"},
    "sdk": {"system", "document", "observe"},
    "device": {"system", "document", "observe", "sdk"},
    "multimedia": {"device"},
    "registry": {"launcher", "document", "observe", "sdk"},
    "graph": {"document", "observe", "registry"},
    "plan": {"document", "observe", "device", "registry", "graph"},
    "ranks": {"document", "registry", "graph", "plan"},
    "runtime": {"system", "document", "observe", "sdk", "registry", "graph", "plan"},
    "executors": {"system", "document", "observe", "sdk", "device", "registry", "graph", "plan", "runtime"},
    "recording": {"document"},
    "ipc": {"document", "observe", "sdk", "device", "recording"},
    "rank_run": {"system", "document", "observe", "sdk", "device", "registry", "graph", "plan", "ranks", "runtime", "executors", "ipc"},
    "control": {"system", "document", "observe", "registry", "graph", "plan", "ranks", "runtime", "executors", "ipc"},
    "language": {"document", "registry", "graph", "plan"},
    "monitor": {"system", "document", "observe", "graph", "plan", "ranks", "executors", "ipc", "control"},
    "commands": {"launcher", "system", "document", "observe", "device", "registry", "graph", "plan", "ranks", "runtime", "executors", "ipc",
                 "rank_run",
                 "recording", "control", "language", "monitor"},
}
STAGES = list(MAY_INCLUDE)

# These implement what extensions use without an application that runs, in any order. A public header that another folder
# implements counts as a header of that folder.
IMPLEMENT_THE_SDK = {"system", "document", "observe", "sdk", "device", "multimedia", "registry"}

# GXF gave these folders their names.
GXF_FOLDERS = {"compat/gxf/include/common", "compat/gxf/include/gxf/std/gems/utils"}
# What sources of extensions find in the layer for GXF, and what libgxr_gxf.so uses of the engine beside the SDK.
GXF_HEADERS = ("common/", "gxf/", "dlpack/")
FOR_GXF = {"observe/log.hpp"}

# What libgxr_cuda.so shares with the engine beside runner/device.
FOR_CUDA = {"observe/chaos.hpp", "observe/own_thread.hpp"}

# Pages that say what each part of the code does.
PAGES_WITH_PARTS = ("docs/architecture.md", "docs/gpu-internals.md")

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


def check_folders(root):
    """The table knows all folders, in an order in which each comes behind those that it includes."""
    for path in sorted((root / "runner").iterdir()):
        has_sources = any(each.suffix in SOURCE_SUFFIXES for each in path.rglob("*"))
        if has_sources and path.is_dir() and path.name not in MAY_INCLUDE:
            yield f"runner/{path.name}: this folder is not in the table of {pathlib.Path(__file__).name}"
    for stage, known in MAY_INCLUDE.items():
        for late in sorted(known - set(STAGES[:STAGES.index(stage)])):
            yield f"{stage} comes before {late}, which it may include"


def implemented_in(root):
    """The folder of each public header that a source of the same name implements."""
    sources = {}
    for path in sorted((root / "runner").rglob("*.cpp")):
        parts = path.relative_to(root / "runner").parts
        sources.setdefault(path.stem, []).append(parts[0] if len(parts) > 1 else None)
    headers = {}
    for path in sorted((root / "include").rglob("*.hpp")):
        folders = sources.get(path.stem, [])
        if len(folders) == 1 and folders[0] not in IMPLEMENT_THE_SDK:
            headers[str(path.relative_to(root / "include"))] = folders[0]
    return headers


def check_stage(root, stage, public):
    for path in sorted((root / "runner" / stage).rglob("*")):
        if path.suffix not in SOURCE_SUFFIXES:
            continue
        for number, include in includes(path):
            where = f"{path.relative_to(root)}:{number}"
            target = stage_of(include) or public.get(include, stage)
            if ".." in include.split("/"):
                yield f"{where}: includes '{include}': write the path from runner/"
            elif target is None:
                yield f"{where}: {stage} must not know '{include}', which drives all of runner/"
            elif target != stage and target not in MAY_INCLUDE[stage]:
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
            if stage and not allowed:
                yield f"{path.relative_to(root)}:{number}: an extension must not know the engine's '{include}'"


def check_compat(root):
    """Headers of the layer for GXF compile as C++17, so they include none of the SDK; its sources have little more."""
    layer = root / "compat" / "gxf"
    for path in sorted((layer / "include").rglob("*.h*")):
        for number, include in includes(path):
            if not include.startswith(GXF_HEADERS):
                yield f"{path.relative_to(root)}:{number}: a header of the layer may only include its own, not '{include}'"
    for path in sorted((layer / "src").rglob("*")):
        if path.suffix in SOURCE_SUFFIXES:
            for number, include in includes(path):
                if stage_of(include) and include not in FOR_GXF:
                    yield f"{path.relative_to(root)}:{number}: the layer for GXF must not know the engine's '{include}'"


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
            given = str(path.relative_to(root)) in GXF_FOLDERS
            if path.is_dir() and path.name.lower() in FORBIDDEN_NAMES and not given:
                yield f"{path.relative_to(root)}: a folder's name says what is in it"


def parts_of(page):
    """(line number, name) of each part in the tables of a page whose first column is called "part"."""
    in_table = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        in_table = line.startswith("| part |") or (in_table and line.startswith("|"))
        if in_table:
            cell = line.split("|")[1]
            yield from ((number, name) for name in re.findall(r"`([A-Za-z][\w/:]*)`", cell))


def check_parts(root):
    """The parts that pages about the code list are files or, with a capital letter, classes and their functions."""
    sources = [path for folder in ("runner", "include", "extensions/cuda/runtime")
               for path in (root / folder).rglob("*") if path.suffix in SOURCE_SUFFIXES]
    files = {part for path in sources for part in (path.stem, f"{path.parent.name}/{path.stem}")}
    headers = (path.read_text(encoding="utf-8") for path in sources if path.suffix in {".hpp", ".cuh"})
    classes = {name for text in headers for name in re.findall(r"^\s*(?:class|struct) (?:GXR_\w+ )?([\w:]+)", text, re.MULTILINE)}
    for page in PAGES_WITH_PARTS:
        for number, name in parts_of(root / page):
            kind, known = ("file", files) if name[0].islower() else ("class", classes)
            owner, _, last = name.rpartition("::")
            if name not in known and not (owner in known and last[0].islower()):
                yield f"{page}:{number}: there is no {kind} {name}"


def check(root):
    yield from check_folders(root)
    public = implemented_in(root)
    for stage in STAGES:
        yield from check_stage(root, stage, public)
    yield from check_public_headers(root)
    yield from check_extensions(root)
    yield from check_compat(root)
    yield from check_kernels(root)
    yield from check_using_namespace(root)
    yield from check_folder_names(root)
    yield from check_parts(root)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    problems = list(check(parser.parse_args().root.resolve()))
    print("\n".join(problems) if problems else "layers: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
