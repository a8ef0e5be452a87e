#!/usr/bin/env python3
"""A hop between two ranks by gxr and by hand, with the same mpirun, in turn: the best of several runs, as ratios."""
import argparse
import json
import os
import re
import subprocess
import tempfile

SIZES = [(64, 50_000, 200_000), (4096, 50_000, 200_000), (4 << 20, 300, 600)]  # bytes, rounds, messages


def component(name, type, **parameters):
    return {"name": name, "type": type, "parameters": parameters}


def receiver(capacity):
    return component("in", "gxr::DoubleBufferReceiver", capacity=capacity)


def shared(*ways):
    return [{"name": "memory", "components": [component("any", "gxr::UnboundedAllocator")]},
            {"name": "connections", "components": [component(f"c{i}", "gxr::Connection", source=source, target=target)
                                                   for i, (source, target) in enumerate(ways)]},
            {"name": "scheduler", "components": [component("clock", "gxr::RealtimeClock"),
                                                 component("run", "gxr::GreedyScheduler", clock="clock")]}]


OUT = component("out", "gxr::DoubleBufferTransmitter")
ARRIVED = component("arrived", "gxr::MessageAvailableSchedulingTerm", receiver="in")
FREE = component("free", "gxr::DownstreamReceptiveSchedulingTerm", transmitter="out")


def ping(size, rounds):
    return [{"name": "ping", "rank": 0, "components": [
        receiver(2), OUT, component("first", "bench::FirstFree", receiver="in", rounds=rounds),
        component("code", "bench::Ping", **{"in": "in"}, out="out", allocator="memory/any", bytes=size, rounds=rounds)]},
            {"name": "pong", "rank": 1, "components": [
                receiver(2), OUT, ARRIVED, FREE, component("code", "gxr::Forward", **{"in": "in"}, out="out")]},
            *shared(("ping/out", "pong/in"), ("pong/out", "ping/in"))]


def stream(size, messages):
    return [{"name": "source", "rank": 0, "components": [
        OUT, FREE, component("ticks", "gxr::CountSchedulingTerm", count=messages),
        component("code", "bench::Source", out="out", allocator="memory/any", bytes=size)]},
            {"name": "sink", "rank": 1, "components": [
                receiver(16), ARRIVED, component("code", "bench::Sink", **{"in": "in"}, messages=messages)]},
            *shared(("source/out", "sink/in"))]


def numbers(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return {name: float(value) for name, value in re.findall(r"(\w+_ns) ([\d.]+)", done.stdout)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--by-hand", required=True)
    parser.add_argument("--extension", required=True)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gxr_mpi_bench_") as folder:
        for size, rounds, messages in SIZES:
            files = []
            for name, entities in (("ping", ping(size, rounds)), ("stream", stream(size, messages))):
                files.append(os.path.join(folder, f"{name}.yaml"))
                with open(files[-1], "w", encoding="utf-8") as file:
                    file.write("\n---\n".join(json.dumps(entity) for entity in entities))
            by_gxr = [options.gxr, "mpirun", "-n", "2", "-x", options.extension, "--quiet", "--no-control"]
            line = subprocess.run([*by_gxr, "--dry-run", "x"], capture_output=True, text=True, check=True).stdout.split()
            by_hand = [*line[:line.index("run") - 1], options.by_hand, str(size), str(rounds), str(messages)]
            hand, own = [], []
            for _ in range(options.times):
                hand.append(numbers(by_hand))
                own.append(numbers([*by_gxr, files[0]]) | numbers([*by_gxr, files[1]]))
            best = [{name: min(each[name] for each in runs) for name in ("one_way_ns", "each_ns")}
                       for runs in (hand, own)]
            print(f"{size:>8} bytes: one way {best[0]['one_way_ns'] / 1000:.2f} us by hand, "
                  f"{best[1]['one_way_ns'] / 1000:.2f} us by gxr, which is "
                  f"{(best[1]['one_way_ns'] - best[0]['one_way_ns']) / 1000:.2f} us more; "
                  f"each of many {best[0]['each_ns'] / 1000:.2f} us by hand, {best[1]['each_ns'] / 1000:.2f} us by gxr, "
                  f"rate / rate by hand {best[0]['each_ns'] / best[1]['each_ns']:.2f}", flush=True)


if __name__ == "__main__":
    main()
