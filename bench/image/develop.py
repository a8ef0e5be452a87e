#!/usr/bin/env python3
"""Pictures a second of apps/develop at 1920 x 1080 on the CPU, by an older and a newer gxr in turn; prints a Markdown table.

    bench/image/develop.py --before OLD/gxr --gxr build/release/gxr

Files are PNG, as in the application, in memory where the system has a folder for that. The median of ROUNDS runs, in brackets the worst and the
best; and the processor time of a picture, the least of all runs. Runs on CORES processors. With --keep-memory, the C library keeps the memory of
pictures, so that the encoders alone make the difference: otherwise an older gxr may give memory back and take it again in each tick. Ends with 1
when a run fails, or the files of both versions differ.
"""
import argparse
import hashlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

APPLICATION = pathlib.Path(__file__).parents[2] / "apps/develop/develop.yaml"
CORES = 2
PICTURES = 100
ROUNDS = 5
USUAL, FAST = 6, 1    # of 'compression'
FOLDER_IN_MEMORY = "/dev/shm"
KEEP_MEMORY = {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=536870912"}


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(gxr, executor, compression, pictures, environment):
    """Pictures a second, processor time of a picture in milliseconds, and what was written."""
    memory = FOLDER_IN_MEMORY if os.path.isdir(FOLDER_IN_MEMORY) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        command = [os.path.abspath(gxr), "run", "--format", "json", "--executor", executor, "-p", "source/width=1920",
                   "-p", "source/height=1080", "-p", f"source/count={pictures}", "-p", f"writer/compression={compression}",
                   "-p", f"chart/compression={compression}", str(APPLICATION)]
        before = processor_seconds()
        done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False, timeout=600,
                              env=os.environ | environment)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr[-1000:]}")
        used = (processor_seconds() - before) * 1e3 / pictures
        files = sorted(pathlib.Path(folder).rglob("*.png"))
        if len(files) != 2 * pictures:
            sys.exit(f"{len(files)} files, not {2 * pictures}")
        made = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
        return pictures / (json.loads(done.stdout)["duration_ns"] * 1e-9), used, made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True, help="the executable of the older gxr")
    parser.add_argument("--gxr", default="build/release/gxr")
    parser.add_argument("--executor", default="greedy")
    parser.add_argument("--keep-memory", action="store_true", help="the C library keeps what was freed")
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    ways = {"before": (arguments.before, USUAL), "after": (arguments.gxr, USUAL), "after, `compression: 1`": (arguments.gxr, FAST)}
    environment = KEEP_MEMORY if arguments.keep_memory else {}
    results = {way: [] for way in ways}
    for _ in range(arguments.rounds):
        for way, (gxr, compression) in ways.items():
            results[way].append(run(gxr, arguments.executor, compression, arguments.pictures, environment))
    print(f"| {CORES} processors, {arguments.executor} | pictures a second | ratio | processor time |")
    print("|---|---|---|---|")
    first = None
    for way, rounds in results.items():
        rates = sorted(rate for rate, _, _ in rounds)
        middle = statistics.median(rates)
        first = first or middle
        print(f"| {way} | {middle:.1f} ({rates[0]:.1f} to {rates[-1]:.1f}) | {middle / first:.2f} | {min(used for _, used, _ in rounds):.1f} ms |")
    made = {made for way in ("before", "after") for _, _, made in results[way]}
    if len(made) > 1:
        sys.exit("error: the files of both versions differ")


if __name__ == "__main__":
    main()
