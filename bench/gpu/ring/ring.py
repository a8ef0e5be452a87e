#!/usr/bin/env python3
"""From a frame in a ring in device memory to its result there, by the GPU's clock: through a loop of gxr, and with one
kernel written by hand that polls without end, in turns. Prints a Markdown table; needs a GPU.

    cmake --preset bench && ninja -C build/bench ring_bench ring_by_hand gxr_cli packets packets_cuda std cuda gxr_cuda
    bench/gpu/ring/ring.py --build build/bench
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
HEADER = 8


def by_hand(build, words, frames, gap):
    done = subprocess.run([build / "bench/gpu/ring/ring_by_hand", str(words), str(frames), str(gap)], text=True, capture_output=True,
                          timeout=120)
    if done.returncode != 0:
        sys.exit(f"by hand: {done.stderr}")
    return json.loads(done.stdout)


def by_gxr(build, words, frames, gap):
    done = subprocess.run(
        [build / "gxr", "run", "-x", build / "bench/extensions/ring_bench.so", FOLDER / "ring.yaml", "-p",
         f"card/ring/frame_bytes={HEADER + 8 * words}", "-p", f"card/board/frames={frames}", "-p", f"card/card/words={words}", "-p",
         f"card/card/gap_ns={gap}", "-p", f"receive/receive/tensor=uint64 [{words}]"], text=True, capture_output=True,
        env={**os.environ, "CUDA_MODULE_LOADING": "EAGER"}, timeout=120)
    output = done.stdout + done.stderr
    found = re.search(r'\{"frames".*\}', output)
    if done.returncode != 0 or not found:
        sys.exit(f"gxr: exit code {done.returncode}\n{output}")
    return json.loads(found[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--gap-ns", type=int, default=2000, help="from a result to the next frame")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print("| bytes | | frames | median | 99.9 % | longest |\n|---|---|---|---|---|---|")
    for size in [64, 8192]:
        words = (size - HEADER) // 8
        for _ in range(arguments.rounds):
            for name, measure in [("handler alone", by_hand), ("gxr", by_gxr)]:
                found = measure(arguments.build.resolve(), words, arguments.frames, arguments.gap_ns)
                us = [f"{found[key] / 1000:.2f} us" for key in ("median_ns", "p999_ns", "max_ns")]
                print(f"| {size} | {name} | {found['frames']} | {' | '.join(us)} |", flush=True)


if __name__ == "__main__":
    main()
