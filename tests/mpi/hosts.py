#!/usr/bin/env python3
"""An application on two hosts, which are network namespaces with names of their own, joined by a virtual cable: mpirun starts
ranks on the other host by a script in the place of ssh. One test per name; see CMakeLists.txt."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import mpi
from applications import check

RANKS = 4  # 0 and 1 are on the first host, 2 and 3 on the second
LOST_HOST = 3  # seconds without a word, as docs/ranks.md says
PATIENCE = 20  # seconds for the rest of an end on a machine with other things to do


class NotPermitted(Exception):
    pass


def call(*words):
    done = subprocess.run(words, text=True, capture_output=True)
    if done.returncode != 0:
        raise NotPermitted(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Host:
    """A network with a loopback, and a name, which last as long as a process of this test."""

    def __init__(self, name):
        self.name = name
        script = 'hostname "$0" && ip link set lo up && echo ready && exec sleep 1000'
        self.process = subprocess.Popen(["unshare", "--net", "--uts", "sh", "-c", script, name], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if self.process.stdout.readline() != "ready\n":
            self.process.kill()
            raise NotPermitted(self.process.communicate()[1].strip() or "there is no network of its own")
        self.network = os.readlink(f"/proc/{self.process.pid}/ns/net")

    def enter(self):
        """Words before a command that is to run here."""
        return ["nsenter", "-t", str(self.process.pid), "--net", "--uts"]

    def call(self, *words):
        return call(*self.enter(), *words)

    def processes(self):
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(folder / "ns/net") == self.network and int(folder.name) != self.process.pid:
                    found.append(int(folder.name))
        return found

    def kill(self):
        """All that runs on it; how many were there."""
        found = self.processes()
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        return len(found)

    def end(self):
        while self.kill():
            time.sleep(0.02)
        self.process.kill()
        self.process.communicate()


class Hosts:
    """Two of them, with addresses of one family."""

    def __init__(self, world, family):
        self.world = world
        self.all = []
        try:
            for name in ["gxr-first", "gxr-second"]:
                self.all.append(Host(name))
            first, second = self.all
            call("ip", "link", "add", "gxr0", "netns", str(first.process.pid), "type", "veth", "peer", "name", "gxr0", "netns",
                 str(second.process.pid))
            for number, host in enumerate(self.all, 1):
                address = [f"10.231.77.{number}/24"] if family == 4 else [f"fd77:4758::{number}/64", "nodad"]
                host.call("ip", "address", "add", *address, "dev", "gxr0")
                host.call("ip", "link", "set", "gxr0", "up")
        except (NotPermitted, OSError) as error:
            self.end()
            raise NotPermitted(str(error)) from error
        self.agent = os.path.join(world.folder, "agent.sh")
        cases = " ".join(f"{host.name}) pid={host.process.pid};;" for host in self.all)
        with open(self.agent, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\ncase $1 in {cases} esac\nshift\nexec nsenter -t "$pid" --net --uts sh -c "$*"\n')
        os.chmod(self.agent, 0o755)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for host in self.all:
            host.end()

    def job(self, *arguments):
        words = ["--mca", "plm_rsh_agent", self.agent, "--host", ",".join(f"{host.name}:{RANKS // 2}" for host in self.all)]
        return mpi.Job(self.world, RANKS, *(f"--mpi={word}" for word in words), *arguments, enter=self.all[0].enter())

    def ranks(self, job):
        """Their processes by rank, once all are there and in the run."""
        end = time.monotonic() + mpi.PATIENCE
        while time.monotonic() < end and job.process.poll() is None:
            found = mpi.ranks_among(pid for host in self.all for pid in host.processes())
            if len(found) == RANKS:
                return found
            time.sleep(0.02)
        check(False, f"there are no {RANKS} ranks: {job.end(None)}")


def same(world):
    """The result is that of one process, over IPv4 as over IPv6."""
    file = world.write(mpi.application(50, RANKS))
    alone = json.loads(world.gxr_run(file, "--format", "json"))
    for family in [4, 6]:
        if family == 6 and not os.path.exists("/proc/net/if_inet6"):
            print("skipped: there is no IPv6 here")
            continue
        with Hosts(world, family) as hosts:
            output, errors = hosts.job(file, "--format", "json").end()
            joined = json.loads(output)
            check((joined["reason"], mpi.ticks(joined)) == (alone["reason"], mpi.ticks(alone)),
                  f"IPv{family}: {joined['reason']} {mpi.ticks(joined)}, not {mpi.ticks(alone)}:\n{errors}")
            print(f"IPv{family}: {mpi.ticks(joined)}")


def trace(world):
    """One trace has all ranks on one time line, and each other host says how exact its clock is known."""
    file = world.write(mpi.application(50, RANKS))
    with Hosts(world, 4) as hosts:
        _, errors = hosts.job(file, "--trace", "trace.json").end()
    exact = {int(rank): int(us) for rank, us in
             re.findall(r"rank (\d): times of this host in a trace are exact to (\d+) us when the run begins", errors)}
    check(sorted(exact) == [2, 3], f"which hosts say how exact their clocks are: {exact}\n{errors}")
    print(f"exact to {exact} us")
    left = sorted(path.name for path in pathlib.Path(world.folder).glob("trace*"))
    check(left == ["trace.json"], f"traces: {left}")
    with open(os.path.join(world.folder, "trace.json"), encoding="utf-8") as written:
        events = json.load(written)["traceEvents"]
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    check(names == {rank + 1: f"app, rank {rank}" for rank in range(RANKS)}, f"processes: {names}")
    first = {}  # ticks, by entity
    for event in events:
        if event["ph"] == "X" and event["cat"] == "tick":
            first[event["name"]] = min(event["ts"], first.get(event["name"], event["ts"]))
    way = ["generator", "relay1", "relay2", "sink"]
    for before, after in zip(way, way[1:]):  # a message cannot arrive before it is sent
        check(first[before] <= first[after] + 2 * max(exact.values()) + 2, f"'{after}' ticks before '{before}': {first}, {exact}")


def end_without(world, lose, survivors):
    """The hosts, the job's output, and how long it went on after `lose`."""
    file = world.write(mpi.application(100_000_000, RANKS))
    with Hosts(world, 4) as hosts:
        job = hosts.job(file, "--format", "json", "--log-file", "run.log")
        pids = hosts.ranks(job)
        mpi.wait_for_run(world, job, "run.log", RANKS)
        lose(hosts)
        begin = time.monotonic()
        output, errors = job.end(None)
        seconds = time.monotonic() - begin
        print(f"mpirun ended after {seconds:.2f} s")
        check("{" in output, f"there is no report:\n{output}{errors}")
        report = json.loads(output[output.index("{"):output.rindex("}") + 1])
        check(report["reason"] == "failed", output)
        lost = set(re.findall(r"rank (\d) is lost", output))
        check(lost and lost <= {"2", "3"}, f"the report does not name the ranks of the second host, but {lost}:\n{output}{errors}")
        for rank, pid in pids.items():
            if rank in survivors:
                check(mpi.has_gone(pid), f"the process of rank {rank} is left")
    return seconds


def killed(world):
    """A host whose processes all die at once: the others report at once, and mpirun ends."""
    seconds = end_without(world, lambda hosts: hosts.all[1].kill(), range(RANKS))
    check(seconds < PATIENCE, f"mpirun took {seconds} s to end")


def cut(world):
    """A host that says nothing any more: the others count it as lost after 3 s, and so does it with them."""
    seconds = end_without(world, lambda hosts: hosts.all[1].call("ip", "link", "set", "gxr0", "down"), range(RANKS))
    check(seconds < LOST_HOST + PATIENCE, f"mpirun took {seconds} s to end")


TESTS = [same, trace, killed, cut]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=[test.__name__ for test in TESTS])
    parser.add_argument("--gxr", required=True)
    options = parser.parse_args()
    options.gxr = os.path.abspath(options.gxr)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left behind
    mpi.skip_without_mpi()
    with tempfile.TemporaryDirectory(prefix="gxr_hosts_") as folder:
        try:
            next(test for test in TESTS if test.__name__ == options.name)(mpi.World(options, folder))
        except NotPermitted as error:
            print(f"skipped: this host makes no networks for tests: {error}")
            sys.exit(mpi.SKIPPED)


if __name__ == "__main__":
    main()
