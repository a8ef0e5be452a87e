#!/usr/bin/env python3
"""The camera application with its graph on CPU threads, on streams, and as a CUDA graph, in one run; prints a Markdown table.

    bench/gpu/develop.py --gxr build/release/gxr

Milliseconds a picture, from the source to both writers: a long run less a short one, the best of ROUNDS each, so that the start drops out, which stands
in brackets. On the GPU the source makes its pictures there, but in the last rows, where they come from the CPU, as in the file. The writers write PPM, since the encoder of PNG takes longer than all the rest, and into
memory where the system has a folder for that: making files on a disk takes longer than the pictures.
`--executor threads` has a worker for each processor. Ends with 1 when a run fails or pictures differ between the runs.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

APPLICATION = pathlib.Path(__file__).parents[2] / "apps/develop/develop.yaml"
SIZES = ((1920, 1080), (3840, 2160))
PICTURES = 400
ROUNDS = 3
SHORT_RUN = 20
FOLDER_IN_MEMORY = "/dev/shm"
BYTES_OF_A_PICTURE = 1 << 20    # two files
EXECUTORS = (("streams", "greedy"), ("graph, launched by the host", "graph"), ("graph, looping on the GPU", "resident"))
WAYS = (("CPU threads", ["--device", "cpu", "--executor", "threads"]),
        *((name + more, ["--device", "gpu", "-p", f"source/device={source}", "--executor", executor])
          for source, more in (("gpu", ""), ("cpu", ", source on the CPU")) for name, executor in EXECUTORS))


def run(gxr, size, way, pictures, folder):
    """Milliseconds of a run that made all pictures."""
    command = [gxr, "run", "--format", "json", *way, "-p", f"source/width={size[0]}", "-p", f"source/height={size[1]}",
               "-p", f"source/count={pictures}", "-p", f"writer/path={folder}/picture-%04d.ppm",
               "-p", f"chart/path={folder}/histogram-%04d.ppm", str(APPLICATION)]
    done = subprocess.run(command, text=True, capture_output=True, check=False, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr[-1000:]}")
    return json.loads(done.stdout)["duration_ns"] * 1e-6


def folder_for(pictures):
    """The folder in memory when it has room, else None: the system's own for temporary files."""
    if os.path.isdir(FOLDER_IN_MEMORY) and shutil.disk_usage(FOLDER_IN_MEMORY).free > pictures * BYTES_OF_A_PICTURE:
        return FOLDER_IN_MEMORY
    return None


def digest(folder, pictures):
    files = sorted(pathlib.Path(folder).glob("*.ppm"))
    if len(files) != 2 * pictures:
        raise RuntimeError(f"{len(files)} files, not {2 * pictures}")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def measure(arguments, size, way):
    """Milliseconds a picture, milliseconds before the first, and what was made."""
    times = []
    for pictures in (SHORT_RUN, SHORT_RUN + arguments.pictures):
        rounds = []
        for _ in range(arguments.rounds):
            with tempfile.TemporaryDirectory(dir=folder_for(pictures)) as folder:
                rounds.append(run(arguments.gxr, size, way, pictures, folder))
                made = digest(folder, pictures)
        times.append(min(rounds))
    period = (times[1] - times[0]) / arguments.pictures
    return period, times[0] - SHORT_RUN * period, made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gxr", default="build/release/gxr")
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--without-cpu", action="store_true", help="leave the CPU out, which takes most of the time")
    arguments = parser.parse_args()
    folder = folder_for(SHORT_RUN + arguments.pictures) or tempfile.gettempdir()
    print(f"| {os.cpu_count()} processors, files in {folder} | " + " | ".join(f"{w} x {h}" for w, h in SIZES) + " |")
    print("|---|" + "---|" * len(SIZES))
    made = {size: set() for size in SIZES}
    failed = False
    for name, way in WAYS[1 if arguments.without_cpu else 0:]:
        cells = []
        for size in SIZES:
            try:
                period, start, pictures = measure(arguments, size, way)
                made[size].add(pictures)
                cells.append(f"{period:.2f} ms ({start:.0f} ms)")
            except RuntimeError as error:
                print("error:", error, file=sys.stderr)
                cells.append("failed")
                failed = True
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    for size, pictures in made.items():
        if len(pictures) > 1:
            print(f"error: the pictures of {size[0]} x {size[1]} differ", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
