#!/usr/bin/env python3
"""A hop through a codelet that was written for GXF, beside gxr's own, in turns; prints a Markdown table.

    cmake --build --preset release
    bench/gxf/hop.py --build build/release

Chains of ten forwarding entities on the greedy and on the event-based scheduler. The time of a hop is that of a long run
less that of a short one, by the number of messages more and of connections; the smallest of several rounds and, in
parentheses, the greatest.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

FORWARDERS = 10
SHORT, LONG = 200_000, 1_200_000
KINDS = {"native": "gxr::Forward", "GXF's": "acme::ping::Forward"}
SCHEDULERS = {"greedy": "gxr::GreedyScheduler", "events, one worker": "gxr::EventBasedScheduler"}


def queue_pair(entity, codelet):
    return f"""name: {entity}
components:
- {{name: in, type: gxr::DoubleBufferReceiver}}
- {{name: out, type: gxr::DoubleBufferTransmitter}}
- {{type: gxr::MessageAvailableSchedulingTerm, parameters: {{receiver: in, min_size: 1}}}}
- {{type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {{transmitter: out, min_size: 1}}}}
- {{type: {codelet}, parameters: {{in: in, out: out}}}}
"""


def application(codelet, scheduler, count):
    names = [f"f{i}" for i in range(FORWARDERS)]
    ends = zip(["tx/out", *[f"{name}/out" for name in names]], [*[f"{name}/in" for name in names], "rx/in"])
    workers = ", worker_thread_number: 1" if "Event" in scheduler else ""
    return "---\n".join([
        f"""name: tx
components:
- {{name: out, type: gxr::DoubleBufferTransmitter}}
- {{type: gxr::sample::PingTx, parameters: {{signal: out}}}}
- {{type: gxr::CountSchedulingTerm, parameters: {{count: {count}}}}}
- {{type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {{transmitter: out, min_size: 1}}}}
""",
        *[queue_pair(name, codelet) for name in names],
        """name: rx
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in, min_size: 1}}
- {type: gxr::sample::PingRx, parameters: {signal: in}}
""",
        "components:\n" + "".join(f"- {{type: gxr::Connection, parameters: {{source: {a}, target: {b}}}}}\n" for a, b in ends),
        f"""name: scheduler
components:
- {{name: clock, type: gxr::RealtimeClock}}
- {{type: {scheduler}, parameters: {{clock: clock{workers}}}}}
"""])


def duration(build, text):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        extension = build / "tests/gxf_extensions/libgxf_ping.so"
        run = subprocess.run([build / "gxr", "run", "--format", "json", "-x", extension, file.name], check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(run.stdout)["duration_ns"]


def hop(build, codelet, scheduler):
    more = [duration(build, application(codelet, scheduler, count)) for count in (LONG, SHORT)]
    return (more[0] - more[1]) / ((LONG - SHORT) * (FORWARDERS + 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default="build/release", help="folder of gxr")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    print("| ns a hop | native | GXF's | ratio |\n|---|---|---|---|")
    for name, scheduler in SCHEDULERS.items():
        times = {kind: [] for kind in KINDS}
        for _ in range(arguments.rounds):
            for kind, codelet in KINDS.items():
                times[kind].append(hop(arguments.build.resolve(), codelet, scheduler))
        cells = [f"{min(each):.1f} (to {max(each):.1f})" for each in times.values()]
        print(f"| {name} | {' | '.join(cells)} | {min(times[list(KINDS)[1]]) / min(times['native']):.2f} |")


if __name__ == "__main__":
    main()
