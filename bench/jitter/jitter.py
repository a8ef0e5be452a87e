#!/usr/bin/env python3
"""How late a source with a period of 1 ms ticks, beside cyclictest, each alone on the same core with SCHED_FIFO, in turns.
Needs cyclictest (package rt-tests) and the right to such threads. Prints a Markdown table.

    bench/jitter/jitter.py --build build/release --core 1
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

PRIORITY = 80


def application(seconds, core, spin):
    return f"""name: source
operator: gxr::sample::PingTx
period: 1ms
count: {seconds * 1000}
---
name: sink
operator: gxr::sample::PingRx
inputs: {{signal: source}}
---
name: scheduler
components:
- {{name: clock, type: gxr::RealtimeClock}}
- {{name: scheduler, type: gxr::GreedyScheduler, parameters: {{clock: clock, pin_cores: [{core}], sched_policy: SCHED_FIFO,
   sched_priority: {PRIORITY}, lock_memory: true{f', spin: {spin}' if spin else ''}}}}}
"""


def by_gxr(build, folder, seconds, core, spin=None):
    file = folder / "app.yaml"
    file.write_text(application(seconds, core, spin))
    output = subprocess.run([build / "gxr", "run", "--quiet", "--no-control", "--format", "json", file], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    report = json.JSONDecoder().raw_decode(output, output.index("{"))[0]
    lateness = next(each for each in report["entities"] if each["entity"] == "source")["lateness"]
    return [lateness[key] / 1e3 for key in ("p50_ns", "p99_ns", "p999_ns", "longest_ns")]


def by_cyclictest(seconds, core):
    output = subprocess.run(["cyclictest", "-q", "-m", "-t1", f"-a{core}", f"-p{PRIORITY}", "-i1000", f"-l{seconds * 1000}", "-h", "20000"],
                            check=True, text=True, stdout=subprocess.PIPE).stdout
    counts = [(int(us), int(count)) for us, count in re.findall(r"^(\d{6}) (\d{6,})$", output, re.MULTILINE)]
    longest = int(re.search(r"Max Latencies: (\d+)", output)[1])
    total = sum(count for _, count in counts)

    def percentile(part):
        left = part * total
        for us, count in counts:
            left -= count
            if left <= 0:
                return us
        return longest
    return [percentile(0.5), percentile(0.99), percentile(0.999), longest]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--core", type=int, default=os.cpu_count() - 1)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    build = options.build.resolve()
    found = {"cyclictest": [], "gxr": [], "gxr, spin: 50us": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for _ in range(options.rounds):
            found["cyclictest"].append(by_cyclictest(options.seconds, options.core))
            found["gxr"].append(by_gxr(build, folder, options.seconds, options.core))
            found["gxr, spin: 50us"].append(by_gxr(build, folder, options.seconds, options.core, "50us"))
    print("| late by, us, medians of the rounds | median | 99 % | 99.9 % | longest |\n|---|---|---|---|---|")
    for way, rounds in found.items():
        print(f"| {way} | " + " | ".join(f"{statistics.median(each):.1f}" for each in zip(*rounds)) + " |")


if __name__ == "__main__":
    main()
