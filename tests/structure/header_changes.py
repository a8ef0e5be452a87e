#!/usr/bin/env python3
"""Loads the extension hello, built with public headers that were changed in one place.

    header_changes.py --source-dir ROOT --build-dir BUILD --compiler C++
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What is changed, in which header; and whether gxr refuses the extension.
CHANGES = [
    ("nothing", None, "", "", False),
    ("a comment", "codelet.hpp", "#pragma once\n", "#pragma once\n// Another comment.\n", False),
    ("a virtual function", "codelet.hpp", "virtual void tick()", "virtual void pause() {}\n  virtual void tick()", True),
    ("a member", "codelet.hpp", "std::int64_t count_ = 0;", "std::int64_t count_ = 0;\n  std::int64_t spare_ = 0;", True),
    ("a default argument", "queue.hpp", "peek(std::size_t index = 0)", "peek(std::size_t index = 1)", True),
]

DESCRIPTOR = """#include <gxr/extension_descriptor.hpp>
extern "C" {
[[gnu::section(".gxr.extension"), gnu::visibility("default")]]
extern const gxr::ExtensionDescriptor gxr_extension_descriptor;
[[gnu::used]] constinit const gxr::ExtensionDescriptor gxr_extension_descriptor =
    gxr::make_extension_descriptor("hello", "1.0.0", "", "");
}
"""


def changed_headers(source, folder, header, text, replacement):
    shutil.copytree(source / "include", folder)
    if header:
        path = folder / "gxr" / header
        code = path.read_text(encoding="utf-8")
        if code.count(text) != 1:
            sys.exit(f"header_changes: '{text}' is {code.count(text)} times in gxr/{header}, expected once")
        path.write_text(code.replace(text, replacement), encoding="utf-8")
    subprocess.run([sys.executable, "-B", source / "cmake/abi_fingerprint.py", folder, "--header",
                    folder / "gxr/version.hpp", "--version", "9.8.7"], check=True)


def build(options, folder, headers):
    """Compiled and linked as gxr_add_extension does it."""
    (folder / "descriptor.cpp").write_text(DESCRIPTOR, encoding="utf-8")
    extension = folder / "hello.so"
    subprocess.run([options.compiler, "-std=c++20", "-O0", "-fPIC", "-shared", f"-I{headers}",
                    options.source_dir / "extensions/hello/hello.cpp", folder / "descriptor.cpp", options.build_dir / "libgxr.so",
                    "-o", extension],
                   check=True)
    types = folder / "types.json"
    declared = subprocess.run([options.build_dir / "gxr-declare", extension, types], capture_output=True, text=True)
    if declared.returncode == 0:
        subprocess.run(["objcopy", f"--add-section=.gxr.types={types}",
                        "--set-section-flags=.gxr.types=noload,readonly", extension], check=True)
    return extension, declared


def problems_of(options, change):
    what, header, text, replacement, refused = change
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        changed_headers(options.source_dir, folder / "include", header, text, replacement)
        extension, declared = build(options, folder, folder / "include")
        listed = subprocess.run([options.build_dir / "gxr", "describe", extension], capture_output=True, text=True)
        for name, run in (("gxr-declare", declared), ("gxr describe", listed)):
            said = "was built with other headers, of gxr 9.8.7 (fingerprint " in run.stderr
            if (run.returncode != 0, said) != (refused, refused):
                yield f"{what}: {name} ended with {run.returncode}: {run.stderr}"
        if not refused and "hello::Greeter" not in listed.stdout:
            yield f"{what}: gxr describe printed {listed.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source-dir", type=pathlib.Path, required=True)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    problems = [problem for change in CHANGES for problem in problems_of(options, change)]
    print("\n".join(problems) if problems else f"{len(CHANGES)} extensions accepted and refused as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
