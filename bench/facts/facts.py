#!/usr/bin/env python3
"""What a run pays for being measured: a chain of ten operators on one thread, as it is, with --stats, and with a page that
a client reads ten times a second. Prints a Markdown table.

    cmake --build --preset release
    bench/facts/facts.py --build build/release [--without OTHER/BUILD]

`--without`: a build of gxr that counts and measures nothing, for the cost of what is always on.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import threading
import urllib.request

STAGES = 10


def application(messages):
    stages = [f"name: stage{i}\noperator: gxr::Forward\ninputs: {{in: {f'stage{i - 1}' if i else 'source'}}}\n" for i in range(STAGES)]
    return "---\n".join([
        f"name: source\noperator: gxr::sample::PingTx\ncount: {messages}\n", *stages,
        f"name: sink\noperator: gxr::sample::PingRx\ninputs: {{signal: stage{STAGES - 1}}}\n",
        "name: scheduler\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n- {type: gxr::GreedyScheduler, parameters: {clock: clock}}\n"])


def read_page(address, updates):
    with urllib.request.urlopen(address + "api/events", timeout=30) as events:
        for line in events:
            updates.append(line.startswith(b"event: status"))


def hop(build, file, messages, environment, *options):
    """ns a hop, and how many updates the page's client got a second."""
    command = [build / "gxr", "run", "--quiet", "--format", "json", *options, file]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    updates = []
    if "--monitor" in options:
        line = process.stderr.readline()
        reader = threading.Thread(target=read_page, args=(re.search(r"http://\S+/", line)[0], updates), daemon=True)
        reader.start()
    output, errors = process.communicate()
    if process.returncode != 0:
        raise SystemExit(errors)
    report = json.JSONDecoder().raw_decode(output, output.index("{"))[0]
    return report["duration_ns"] / messages / (STAGES + 1), sum(updates) / (report["duration_ns"] * 1e-9)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--without", type=pathlib.Path)
    parser.add_argument("--messages", type=int, default=3_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    ways = {"as it is": (options.build, []), "`--stats`": (options.build, ["--stats"]),
            "the page, read ten times a second": (options.build, ["--monitor", "0"])}
    if options.without:
        ways = {"without any measurement": (options.without, []), **ways}
    found = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {**os.environ, "GXR_RUNTIME_DIR": str(folder / "run")}
        file = folder / "chain.yaml"
        file.write_text(application(options.messages))
        for _ in range(options.rounds):
            for way, (build, flags) in ways.items():
                found[way].append(hop(build.resolve(), file, options.messages, environment, *flags))
    print("| | ns a hop, median (least to most) | to the row `as it is`, median of the rounds |\n|---|---|---|")
    plain = [each for each, _ in found["as it is"]]
    for way, rounds in found.items():
        times = [each for each, _ in rounds]
        differences = [time - base for time, base in zip(times, plain)]
        ratio = statistics.median(time / base for time, base in zip(times, plain))
        print(f"| {way} | {statistics.median(times):.1f} ({min(times):.1f} to {max(times):.1f}) | "
              f"{statistics.median(differences):+.1f} ns, {ratio:.3f} |")
    print(f"\nThe client got {statistics.median(each for _, each in found['the page, read ten times a second']):.1f} updates a second.")


if __name__ == "__main__":
    main()
