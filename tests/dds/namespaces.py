#!/usr/bin/env python3
"""Discovery between two machines, which are network namespaces that a cable joins: by multicast, and by peers where it
is switched off; and by peers on the loopback interface of a machine that has no other. Exit code 77 where namespaces may
not be made."""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from programs import Programs, check, skip

COUNT = 5
PUBLISHER = """
name: source
operator: gxr::image::Source
parameters: {pattern: ColorBars, width: 16, height: 8, count: 0}
period: 50Hz
---
name: publisher
operator: gxr::dds::Publisher
inputs: {in: source}
parameters: {topic: /topic, participant: network/dds}
"""
SUBSCRIBER = """
name: subscriber
operator: gxr::dds::Subscriber
parameters: {{topic: /topic, participant: network/dds, depth: 1000, count: {count}}}
---
name: echo
operator: gxr::dds::Echo
inputs: {{in: subscriber}}
parameters: {{values: 1}}
"""
NETWORK = """
---
name: network
components:
- {{name: dds, type: gxr::dds::Participant, parameters: {{domain: {domain}, {network}}}}}
"""
QUIET = 4  # seconds, in which those that cannot find each other do not


def ip(*arguments):
    return subprocess.run(["ip", *arguments], check=False, capture_output=True, text=True)


class Machines:
    """Two, with the addresses 10.77.0.1 and 10.77.0.2."""

    def __init__(self):
        self.names = [f"gxr{os.getpid()}{letter}" for letter in "ab"]

    def __enter__(self):
        ends = ("va", "vb")
        calls = [["netns", "add", name] for name in self.names]
        calls.append(["link", "add", ends[0], "netns", self.names[0], "type", "veth", "peer", "name", ends[1], "netns",
                      self.names[1]])
        for number, (name, end) in enumerate(zip(self.names, ends), 1):
            calls += [["-n", name, "link", "set", "lo", "up"], ["-n", name, "link", "set", end, "up"],
                      ["-n", name, "address", "add", f"10.77.0.{number}/24", "dev", end]]
        for call in calls:
            done = ip(*call)
            if done.returncode != 0:
                self.__exit__()
                skip(f"network namespaces may not be made: {done.stderr.strip()}")
        return self

    def __exit__(self, *_):
        for name in self.names:
            ip("netns", "delete", name)

    def on(self, number):
        """What a command on that machine begins with."""
        return ["ip", "netns", "exec", self.names[number]]


def start(test, name, text, network, prefix):
    return test.run_alone(name, text + NETWORK.format(domain=test.domain, network=network), prefix=prefix)


def meet(test, what, networks, prefixes):
    """The end of each application is on a machine of its own."""
    begin = time.monotonic()
    subscriber = start(test, f"{what}_subscriber", SUBSCRIBER.format(count=COUNT), networks[0], prefixes[0])
    publisher = start(test, f"{what}_publisher", PUBLISHER, networks[1], prefixes[1])
    log = subscriber.finish()
    check(f"received {COUNT} messages" in log and "warning" not in log, log)
    log = publisher.interrupt()
    check("warning" not in log, log)
    print(f"{what}: met, and {COUNT} pictures came within {time.monotonic() - begin:.1f} s")


def miss(test, what, networks, prefixes):
    subscriber = start(test, f"{what}_subscriber", SUBSCRIBER.format(count=0), networks[0], prefixes[0])
    publisher = start(test, f"{what}_publisher", PUBLISHER, networks[1], prefixes[1])
    time.sleep(QUIET)
    check("received 0 messages" in (log := subscriber.interrupt()), log)
    publisher.interrupt()
    print(f"{what}: did not meet")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", type=Path, required=True)
    options = parser.parse_args()
    if shutil.which("ip") is None:
        skip("there is no 'ip' (iproute2)")
    with Machines() as machines, Programs(options.gxr) as test:
        both = [machines.on(0), machines.on(1)]
        meet(test, "multicast", ["lease: 10s"] * 2, both)
        # One that knows the other's address is enough.
        meet(test, "peers", ["multicast: false", "multicast: false, peers: [10.77.0.1]"], both)
        miss(test, "strangers", ["multicast: false"] * 2, both)
        meet(test, "loopback", ["multicast: false, peers: [127.0.0.1], interfaces: [lo]"] * 2, [machines.on(0)] * 2)
        check(ip("-n", machines.names[0], "link", "set", "va", "down").returncode == 0, "the cable is pulled")
        meet(test, "unplugged", ["multicast: false, peers: [127.0.0.1]"] * 2, [machines.on(0)] * 2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
