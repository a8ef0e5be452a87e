#!/usr/bin/env python3
"""Kills publishers and subscribers of a topic and starts them again, many times: the others go on, meet the new ones
within the discovery time, and their memory stays as it is."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from programs import environment, own_domain

DISCOVERY = 20  # seconds, on a machine with other work; a second otherwise
GROWTH = 4 << 20  # bytes that a process may grow in all

PUBLISHER = """
name: source
operator: gxr::image::Source
parameters: {{pattern: ColorBars, width: 64, height: 48, count: 0}}
period: 100Hz
---
name: publisher
operator: gxr::dds::Publisher
inputs: {{in: source}}
parameters: {{topic: /restarted, participant: network/dds}}
---
name: network
components:
- {{name: dds, type: gxr::dds::Participant, parameters: {{domain: {domain}, interfaces: [lo], lease: 2s}}}}
"""

SUBSCRIBER = """
name: subscriber
operator: gxr::dds::Subscriber
parameters: {{topic: /restarted, participant: network/dds}}
---
name: echo
operator: gxr::dds::Echo
inputs: {{in: subscriber}}
parameters: {{values: 1}}
---
name: network
components:
- {{name: dds, type: gxr::dds::Participant, parameters: {{domain: {domain}, interfaces: [lo], lease: 2s}}}}
"""


class Process:
    def __init__(self, gxr, folder, application, name):
        self.output = folder / name
        with self.output.open("wb") as out, (folder / (name + ".log")).open("wb") as log:
            self.process = subprocess.Popen([gxr, "run", "--log-level", "warn", "--quiet", "--no-control", application],
                                            cwd=folder, env=environment(), stdout=out, stderr=log)

    def size(self):
        return self.output.stat().st_size

    def goes_on(self, what):
        """Until it has printed more than now."""
        begin, size = time.monotonic(), self.size()
        while self.size() <= size:
            if self.process.poll() is not None:
                raise SystemExit(f"{what}: the subscriber has ended with {self.process.returncode}")
            if time.monotonic() - begin > DISCOVERY:
                raise SystemExit(f"{what}: the subscriber got nothing within {DISCOVERY} s")
            time.sleep(0.01)
        return time.monotonic() - begin

    def forget(self):
        os.truncate(self.output, 0)

    def memory(self):
        text = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii")
        return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


def check_memory(what, process, before):
    growth = process.memory() - before
    print(f"{what}: grew by {growth / 1e6:.1f} MB")
    if growth > GROWTH:
        raise SystemExit(f"{what}: grew by {growth / 1e6:.1f} MB")


def restart(options, folder, start, what, stays):
    """Kills and starts a process again and again, beside a subscriber and perhaps a publisher that stay."""
    process = start()
    slowest = 0
    before = {}
    for number in range(options.times):
        process.kill()
        process = start()
        heard = process if what == "subscriber" else stays["subscriber"]
        if what == "publisher":
            heard.forget()
        slowest = max(slowest, heard.goes_on(f"{what} {number}"))
        stays["subscriber"].goes_on(f"beside {what} {number}")
        if number == options.times // 5:
            before = {name: each.memory() for name, each in stays.items()}
    print(f"{what}: killed {options.times} times, met again within {slowest:.2f} s at most")
    for name, each in stays.items():
        if options.memory:
            check_memory(f"{name} beside a {what}", each, before[name])
    return process


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", type=Path, required=True)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--no-memory", dest="memory", action="store_false", help="with sanitizers")
    options = parser.parse_args()
    gxr = options.gxr.resolve()
    domain, _keeper = own_domain()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "publisher.yaml").write_text(PUBLISHER.format(domain=domain), encoding="utf-8")
        (folder / "subscriber.yaml").write_text(SUBSCRIBER.format(domain=domain), encoding="utf-8")
        running = []

        def start(kind, output):
            process = Process(gxr, folder, f"{kind}.yaml", output)
            running.append(process)
            return process

        try:
            subscriber = start("subscriber", "stays")
            publisher = start("publisher", "publisher")
            subscriber.goes_on("the first publisher")
            last = restart(options, folder, lambda: start("subscriber", "killed"), "subscriber",
                           {"subscriber": subscriber, "publisher": publisher})
            last.kill()
            publisher.kill()
            restart(options, folder, lambda: start("publisher", "publisher"), "publisher", {"subscriber": subscriber})
            code = subscriber.stop()
            if code not in (0, 130):
                raise SystemExit(f"the subscriber ended with {code}: {(folder / 'stays.log').read_text()}")
        finally:
            for each in running:
                if each.process.poll() is None:
                    each.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
