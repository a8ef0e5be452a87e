#!/usr/bin/env python3
"""Runs gxr with libraries in the place of libgxr_cuda.so: of the same interface as libgxr.so, of another, and without.

    device_interface.py --source-dir ROOT --build-dir BUILD --compiler C++
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

OTHER = "0123456789abcdef"
APPLICATION = """name: memory
components:
- name: pool
  type: gxr::BlockMemoryPool
  parameters: {storage_type: 1, block_size: 1024, num_blocks: 1}
---
components:
- name: clock
  type: gxr::RealtimeClock
- type: gxr::GreedyScheduler
  parameters: {clock: clock}
"""
REFUSAL = "libgxr_cuda.so belongs to another gxr (interface {}, that of libgxr.so is {}): install both from one build"
NOT_THERE = "'{}' is not in what gxr printed of {}: {}"


def version_of(build):
    header = (build / "include/device/interface_version.hpp").read_text(encoding="utf-8")
    return re.search(r'kDeviceInterface = "(\w+)"', header).group(1)


def copy_product(build, folder):
    """gxr as in a build folder, without libgxr_cuda.so."""
    for name in ("gxr", "libgxr_cli.so", "libgxr_yaml.so", "libgxr.so.0.2"):
        shutil.copy(build / name, folder / name)
    (folder / "extensions").symlink_to((build / "extensions").resolve())


def compile_stub(options, folder, source, *flags):
    subprocess.run([options.compiler, "-std=c++20", "-fPIC", "-shared", f"-I{options.source_dir}/include",
                    f"-I{options.build_dir}/include", *flags, source, folder / "libgxr.so.0.2", "-o",
                    folder / "libgxr_cuda.so"], check=True)


def what_gxr_says(folder):
    """Its text of a run that needs device memory."""
    application = folder / "app.yaml"
    application.write_text(APPLICATION, encoding="utf-8")
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run([folder / "gxr", "run", application], capture_output=True, text=True, env=environment)
    return f"{run.stderr}(exit code {run.returncode})"


def problems(options, folder):
    own = version_of(options.build_dir)
    stub = options.source_dir / "tests/structure/stub/device_engine.cpp"
    missing = folder / "missing.cpp"
    missing.write_text('namespace gxr { void nowhere(); }\nextern "C" void gxr_device_runtime() { gxr::nowhere(); }\n',
                       encoding="utf-8")
    for what, source, flags, expected in (
            ("the same interface", stub, [f'-DDEVICE_INTERFACE="{own}"'], "the stub was asked for its engine"),
            ("another interface", stub, [f'-DDEVICE_INTERFACE="{OTHER}"'], REFUSAL.format(OTHER, own)),
            ("no version", stub, ['-DDEVICE_INTERFACE=""', "-Dgxr_device_interface=gxr_other"],
             REFUSAL.format("unknown", own)),
            ("a symbol that libgxr.so lacks", missing, [],
             "it belongs to another gxr: install libgxr.so and libgxr_cuda.so from one build")):
        compile_stub(options, folder, source, *flags)
        said = what_gxr_says(folder)
        if expected not in said:
            yield NOT_THERE.format(expected, what, said)
        if expected != "the stub was asked for its engine" and "the stub was asked" in said:
            yield f"gxr called a library with {what}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source-dir", type=pathlib.Path, required=True)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy_product(options.build_dir, folder)
        found = list(problems(options, folder))
    print("\n".join(found) if found else "libgxr_cuda.so is used and refused as it should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
