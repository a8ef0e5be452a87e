#!/usr/bin/env python3
"""Runs gxr with libraries in the place of libgxr_cuda.so and libgxr_mpi.so: of the same interface as libgxr.so, of another, and without.

    interfaces.py --source-dir ROOT --build-dir BUILD --compiler C++
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
REFUSAL = "{} belongs to another gxr (interface {}, that of libgxr.so is {}): install both from one build"
NOT_THERE = "'{}' is not in what gxr printed of {}: {}"


def version_of(build, part):
    header = (build / f"include/{part}/interface_version.hpp").read_text(encoding="utf-8")
    return re.search(r'Interface = "(\w+)"', header).group(1)


def copy_product(build, folder):
    """gxr as in a build folder, without the other two libraries."""
    for name in ("gxr", "libgxr_cli.so", "libgxr_yaml.so", "libgxr.so.0.2"):
        shutil.copy(build / name, folder / name)
    (folder / "extensions").symlink_to((build / "extensions").resolve())


def compile_stub(options, folder, library, source, *flags):
    subprocess.run([options.compiler, "-std=c++20", "-fPIC", "-shared", f"-I{options.source_dir}/include",
                    f"-I{options.build_dir}/include", *flags, source, folder / "libgxr.so.0.2", "-o",
                    folder / library], check=True)


def what_gxr_says(folder):
    """Its text of a run that needs device memory."""
    application = folder / "app.yaml"
    application.write_text(APPLICATION, encoding="utf-8")
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    run = subprocess.run([folder / "gxr", "run", application], capture_output=True, text=True, env=environment)
    return f"{run.stderr}(exit code {run.returncode})"


def problems_of_cuda(options, folder):
    own = version_of(options.build_dir, "device")
    stub = options.source_dir / "tests/structure/stub/device_engine.cpp"
    missing = folder / "missing.cpp"
    missing.write_text('namespace gxr { void nowhere(); }\nextern "C" void gxr_device_runtime() { gxr::nowhere(); }\n',
                       encoding="utf-8")
    for what, source, flags, expected in (
            ("the same interface", stub, [f'-DDEVICE_INTERFACE="{own}"'], "the stub was asked for its engine"),
            ("another interface", stub, [f'-DDEVICE_INTERFACE="{OTHER}"'], REFUSAL.format("libgxr_cuda.so", OTHER, own)),
            ("no version", stub, ['-DDEVICE_INTERFACE=""', "-Dgxr_device_interface=gxr_other"],
             REFUSAL.format("libgxr_cuda.so", "unknown", own)),
            ("a symbol that libgxr.so lacks", missing, [],
             "it belongs to another gxr: install libgxr.so and libgxr_cuda.so from one build")):
        compile_stub(options, folder, "libgxr_cuda.so", source, *flags)
        said = what_gxr_says(folder)
        if expected not in said:
            yield NOT_THERE.format(expected, what, said)
        if expected != "the stub was asked for its engine" and "the stub was asked" in said:
            yield f"gxr called a library with {what}"


def problems_of_mpi(options, folder):
    own = version_of(options.build_dir, "rank_run")
    stub = folder / "mpi.cpp"
    for version, expected in ((own, "the stub of MPI"), (OTHER, REFUSAL.format("libgxr_mpi.so", OTHER, own)),
                              (None, REFUSAL.format("libgxr_mpi.so", "unknown", own))):
        function = f'const char* gxr_mpi_interface() {{ return "{version}"; }}' if version else ""
        stub.write_text('#include <string>\nextern "C" {\n' + function +
                        '\nvoid gxr_describe_mpi(std::string& text) { text = "the stub of MPI"; }\n}\n', encoding="utf-8")
        compile_stub(options, folder, "libgxr_mpi.so", stub)
        said = subprocess.run([folder / "gxr", "list", "transports"], capture_output=True, text=True).stdout
        if expected not in " ".join(said.split()):  # it breaks lines
            yield NOT_THERE.format(expected, f"interface {version}", said)
        if version != own and "the stub" in said:
            yield f"gxr called a library of MPI with the interface {version}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source-dir", type=pathlib.Path, required=True)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy_product(options.build_dir, folder)
        found = [*problems_of_cuda(options, folder), *problems_of_mpi(options, folder)]
    print("\n".join(found) if found else "libgxr_cuda.so and libgxr_mpi.so are used and refused as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
