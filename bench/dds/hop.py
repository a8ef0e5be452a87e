#!/usr/bin/env python3
"""A message to another process and back by topics, by gxr and by the C API of Cyclone DDS by hand, in turns: half of the
median is a hop. And 1080p pictures at 30 Hz to three subscribers. Prints Markdown tables.

    cmake --preset bench && cmake --build --preset bench --target run_bench_dds
"""

import argparse
import os
import re
import signal
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROUNDS = 5
SIZES = ((64, 3000), (4 << 20, 60))

NETWORK = """
name: network
components:
- {{name: dds, type: gxr::dds::Participant, parameters: {{domain: {domain}, interfaces: [lo]{memory}}}}}
"""
ENDS = "participant: network/dds, durability: {durability}"
PONG = f"""
name: from
operator: gxr::dds::Subscriber
parameters: {{{{topic: /ping, {ENDS}}}}}
---
name: to
operator: gxr::dds::Publisher
inputs: {{{{in: from}}}}
parameters: {{{{topic: /pong, {ENDS}}}}}
---
{NETWORK}"""
PING = f"""
name: first
operator: gxr::image::Source
parameters: {{{{pattern: ColorBars, width: 8, height: 8, count: 0}}}}
period: 200ms
---
name: back
operator: gxr::dds::Subscriber
parameters: {{{{topic: /pong, {ENDS}}}}}
---
name: ping
operator: bench::Ping
inputs: {{{{in: [first, back]}}}}
parameters: {{{{bytes: {{bytes}}, count: {{count}}}}}}
---
name: to
operator: gxr::dds::Publisher
inputs: {{{{in: ping}}}}
parameters: {{{{topic: /ping, {ENDS}}}}}
---
{NETWORK}"""
CAMERA = f"""
name: source
operator: gxr::image::Source
parameters: {{{{pattern: ColorBars, width: 1920, height: 1080, count: 300}}}}
period: 30Hz
---
name: publisher
operator: gxr::dds::Publisher
inputs: {{{{in: source}}}}
parameters: {{{{topic: /camera, participant: network/dds, durability: transient_local, depth: 60}}}}
---
{NETWORK}"""
VIEWER = f"""
name: subscriber
operator: gxr::dds::Subscriber
parameters: {{{{topic: /camera, participant: network/dds, depth: 8, {{qualities}}}}}}
---
name: rx
operator: gxr::sample::PingRx
inputs: {{{{signal: subscriber}}}}
{{pace}}
---
{NETWORK}"""


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = Path(folder)
        self.domain = 10 + os.getpid() % 100

    def run(self, name, text, *more):
        (self.folder / name).write_text(text, encoding="utf-8")
        return [self.options.gxr, "run", "--quiet", "--no-control", *more, self.folder / name]

    def measure(self, pong, ping):
        """Half of the time there and back, us."""
        with subprocess.Popen(pong, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as other:
            try:
                text = subprocess.run(ping, check=False, capture_output=True, text=True, timeout=300)
            finally:
                other.kill()
        found = re.search(r"^[0-9.]+$", text.stdout, re.MULTILINE)
        if not found:
            raise SystemExit(f"no time was printed: {text.stdout}{text.stderr}")
        return float(found.group()) / 2

    def gxr_hop(self, domain, size, count, more=(), **settings):
        values = {"domain": domain, "memory": "", "durability": "transient_local", **settings}
        options = ("--log-level", "error", *more)
        return self.measure(
            self.run("pong.yaml", PONG.format(**values), *options),
            self.run("ping.yaml", PING.format(bytes=size, count=count, **values), *options, "-x", self.options.ping))

    def shared(self, size, count):
        """A hop of a volatile topic without and with shared memory."""
        without, shared = [], []
        for number in range(self.options.rounds):
            domain = str(self.domain + 2 * number)
            without.append(self.gxr_hop(domain, size, count, durability="volatile"))
            with subprocess.Popen([self.options.roudi, str(2 * max(size, 1024))], stdout=subprocess.PIPE) as daemon:
                while b"ready" not in daemon.stdout.readline():
                    pass
                shared.append(self.gxr_hop(domain, size, count, durability="volatile", memory=", shared_memory: auto"))
                daemon.terminate()
        return statistics.median(without), statistics.median(shared)

    def hops(self, size, count):
        by_hand, by_gxr = [], []
        for number in range(self.options.rounds):
            domain = str(self.domain + 2 * number)
            by_hand.append(self.measure([self.options.by_hand, "pong", domain],
                                        [self.options.by_hand, "ping", domain, str(size), str(count)]))
            domain = str(self.domain + 2 * number + 1)
            by_gxr.append(self.gxr_hop(domain, size, count))
        return statistics.median(by_hand), statistics.median(by_gxr)

    def three(self):
        domain = self.domain
        logs = {}

        def start(name, text):
            with (self.folder / (name + ".log")).open("wb") as log:
                logs[name] = self.folder / (name + ".log")
                return subprocess.Popen(self.run(name + ".yaml", text), stdout=log, stderr=subprocess.STDOUT)

        def viewer(name, qualities, pace=""):
            return start(name, VIEWER.format(domain=domain, memory="", qualities=qualities, pace=pace))

        viewers = [viewer("reliable", "reliability: reliable"),
                   viewer("slow", "reliability: best_effort", "period: 100ms")]
        time.sleep(1)
        camera = start("camera", CAMERA.format(domain=domain, memory=""))
        time.sleep(3)
        viewers.append(viewer("late", "reliability: reliable, durability: transient_local"))
        camera.wait()
        time.sleep(1)
        for each in viewers:
            each.send_signal(signal.SIGINT)
        for each in viewers:
            each.wait()
        lines = []
        for name, log in logs.items():
            text = log.read_text(encoding="utf-8")
            said = re.findall(r"(?:published|received) .*|completed after .*|warning .*", text)
            lines.append(f"| {name} | {'; '.join(said)} |")
        return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", type=Path, required=True)
    parser.add_argument("--by-hand", type=Path, required=True)
    parser.add_argument("--ping", type=Path, required=True)
    parser.add_argument("--roudi", type=Path, help="tests/dds/roudi/test_roudi: compares shared memory, too")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--hops-only", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        print("| bytes | by hand | gxr | difference | bandwidth, gxr / by hand |\n|---|---|---|---|---|")
        for size, count in SIZES:
            by_hand, by_gxr = bench.hops(size, count)
            print(f"| {size} | {by_hand:.1f} us | {by_gxr:.1f} us | {by_gxr - by_hand:+.1f} us | {by_hand / by_gxr:.2f} |",
                  flush=True)
        if options.roudi:
            print("\n| bytes, volatile | over the network | through shared memory |\n|---|---|---|")
            for size, count in SIZES:
                without, shared = bench.shared(size, count)
                print(f"| {size} | {without:.1f} us | {shared:.1f} us |", flush=True)
        if options.hops_only:
            return
        print("\n| 1080p at 30 Hz | |\n|---|---|")
        print("\n".join(bench.three()))


if __name__ == "__main__":
    main()
