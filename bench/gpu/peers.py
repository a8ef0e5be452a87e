#!/usr/bin/env python3
"""Two loops on two GPUs, one behind the other, against the same by hand; prints a Markdown table.

    cmake --preset bench
    cmake --build --preset bench --target gxr_cli gxr_cuda std cuda tiny bridge peer_bench
    bench/gpu/peers.py --build build/bench

Both sides move messages from the CPU to GPU 0, by a copy between the GPUs to GPU 1, and back. Rows are medians of rounds in turns.
Ends with 1 when a program fails or counts wrong, with 77 on a machine with one GPU; a missed bar is only said.
"""
import argparse
import json
import pathlib
import subprocess
import sys

from resident import (BRIDGE_BYTES, MEMORY, MILLION, SCHEDULER, SLOTS, THREADS, WARM_UP, Failed, Programs, Row, component, connections,
                      count, document, entity, in_folder, middle, named, table)

SKIPPED = 77
BAR = 1.15
LARGE = 64 << 10  # bytes: more are copied out of the loop, and the Taker waits for the copy


def peers(size, messages, in_flight, result):
    """An application with a loop on each of two GPUs between a Feeder and a Taker of the CPU. Loops look for input without pauses, as by
    hand. With rings kept full, the Taker of large messages has a thread of its own, and receivers hold as many as the rings: who waits for
    one copy must not keep the next one from beginning."""
    waits = size > LARGE and in_flight > 1
    capacity = SLOTS if waits else 1
    loop = "head_tail" if in_flight == 1 else "control_at_end"
    names = ["first", "second"]
    feeder = entity("feeder", component("bridge::Feeder", out="out", pool="memory/pool", bytes=size), writes=True,
                    more=[count(messages), named("window", "bridge::Window", in_flight=in_flight)])
    steps = [entity(name, component("tiny::Increment", **{"in": "in", "out": "out"}), reads=True, writes=True, capacity=capacity)
             for name in names]
    taker = entity("taker", component("bridge::Taker", **{"in": "in"}, window="feeder/window", added=len(names),
                                      messages=messages, result=json.dumps(result)), reads=True, capacity=capacity)
    loops = [document(f"gpu{device}", [named("region", "gxr::cuda::GraphExecutor", mode="resident", entities=f"[{name}]", device=device,
                                             inputs=f'{{{name}/in: "int32 [{size // 4}]"}}', slots=SLOTS, loop=loop,
                                             data_not_ready_sleep_interval_us=0)])
             for device, name in enumerate(names)]
    return "---\n".join([feeder, *steps, taker, MEMORY, connections(["feeder", *names, "taker"]), *loops, THREADS if waits else SCHEDULER])


def rows_of(programs, arguments, size):
    text = f"{size // 1024} KiB" if size < 1 << 20 else f"{size >> 20} MiB"
    messages = WARM_UP + arguments.messages
    lines, full, single = [], [], []
    for number in range(arguments.rounds):
        lines += programs.by_hand(arguments.peers, f"peer_bench-{size}-{number}", "--bytes", str(size), "--slots", str(SLOTS),
                                  "--messages", str(arguments.messages))
        for name, in_flight, found in (("full", MILLION, full), ("single", 1, single)):
            try:
                found.append(programs.figures(f"{name}-{size}-{number}", messages,
                                              lambda result, flight=in_flight: peers(size, messages, flight, result)))
            except Failed as failed:
                programs.failures.append(str(failed))

    def row(label, measure, gxr, figure, bar):
        shapes = {}  # by hand in the better shape of the loops
        for line in lines:
            if line.get("measure") == measure:
                shapes.setdefault(line["loop"], []).append(figure(line))
        found = min(shapes.values(), key=middle, default=[])
        return Row(f"{text}, {label}", middle(found), middle([figure(each) for each in gxr]), bar,
                   rounds=(min(found), max(found)) if found else ())

    return [row("rings kept full", "rate", full, lambda line: 1e6 / line["messages_per_s"], BAR),
            row("one in flight, median", "latency", single, lambda line: line["p50_us"], BAR),
            row("one in flight, 99 %", "latency", single, lambda line: line["p99_us"], None)]


def compare(arguments, folder):
    programs = Programs(arguments, folder)
    if subprocess.run([arguments.peers, "--messages", "1", "--bytes", "4096"], capture_output=True, check=False).returncode == SKIPPED:
        print("skipped: one GPU only")
        return SKIPPED
    print(table([row for size in BRIDGE_BYTES for row in rows_of(programs, arguments, size)]))
    for failure in programs.failures:
        print("error:", failure, file=sys.stderr)
    return 1 if programs.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default="build/bench", help="where the programs are")
    parser.add_argument("--rounds", type=int, default=5, help="of both sides, in turns")
    parser.add_argument("--messages", type=int, default=2000, help="that are measured in each run")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the applications and what the programs printed")
    arguments = parser.parse_args()
    arguments.gxr = str(arguments.build / "gxr")
    arguments.extensions = str(arguments.build / "bench/extensions")
    arguments.peers = str(arguments.build / "bench/gpu/bridge/peer_bench")
    return in_folder(arguments, compare)


if __name__ == "__main__":
    sys.exit(main())
