#!/usr/bin/env python3
"""An application in several processes of one host: what passes between them, and what becomes of it when one is lost. One
test per name; see CMakeLists.txt."""
import argparse
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from applications import application, check, component

PATIENCE = 600  # seconds, for slow machines
SKIPPED = 77


class Run:
    """A gxr with its ranks."""

    def __init__(self, world, entities, ranks):
        self.path = os.path.join(world.folder, "app.yaml")
        self.log = os.path.join(world.folder, "log")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n---\n".join(json.dumps(entity) for entity in entities))
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([*world.command(ranks), self.path, "--format", "json", "--no-control", *world.options],
                                            stdout=subprocess.PIPE, stderr=log, cwd=world.folder, text=True,
                                            **world.popen)

    def ranks(self, number):
        """Their processes, once all are there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as children:
                found = [int(pid) for pid in children.read().split()]
            if len(found) == number:
                return found
            time.sleep(0.01)
        check(False, f"there are no {number} processes:\n{self.text()}{self.process.stdout.read()}")

    def text(self):
        with open(self.log, encoding="utf-8") as log:
            return log.read()

    def end(self, status=0):
        output, _ = self.process.communicate(timeout=PATIENCE)
        check(self.process.returncode == status, f"it ended with {self.process.returncode}, not {status}:\n{self.text()}{output}")
        return json.loads(output)


class World:
    def __init__(self, options, folder):
        self.gxr, self.options, self.times, self.folder = options.gxr, [], options.times, folder
        self.messages = options.messages
        self.popen = {}

    def command(self, ranks):
        return [self.gxr, "run", "--ranks", str(ranks)]


def ticks(report):
    return {each["entity"]: each["ticks"] for each in report["entities"]}


def exists(pid):
    return os.path.exists(f"/proc/{pid}")


def same(world):
    """All bytes of all messages, over two and four ranks, with each scheduler; small and larger than a socket's memory."""
    for kind in ["Greedy", "MultiThread", "EventBased"]:
        for relays in [0, 2]:
            for count, shape in [(100, (10,)), (4, (1024, 1024))]:
                report = Run(world, application(count, relays, kind, shape=shape), relays + 2).end()
                check(report["reason"] == "completed" and ticks(report)["sink"] == count, f"{kind}: {report}")
                check(not report["unread"] and not report["dropped"], f"{kind}: {report}")


def killed(world):
    """A rank of three is killed at a random moment: the report names it, the others are gone, and nothing hangs."""
    seed = random.randrange(2**32)
    print("seed", seed)
    choice = random.Random(seed)
    for _ in range(world.times):
        run = Run(world, application(10**9, relays=1), 3)
        pids = run.ranks(3)
        time.sleep(choice.uniform(0, 0.5))
        victim = choice.randrange(3)
        begin = time.monotonic()
        os.kill(pids[victim], signal.SIGKILL)
        report = run.end(1)
        took = time.monotonic() - begin
        texts = [failure["text"] for failure in report["failures"]]
        check(any(re.search(f"rank {victim} is lost", text) for text in texts), f"rank {victim} is not named: {texts}")
        check(took < 5, f"it took {took} s to end")
        check(not any(exists(pid) for pid in pids), "a process is left")


def stalls(world):
    """Messages between two ranks that are stopped at random moments: none is lost, doubled or out of order, and no memory
    grows."""
    seed = random.randrange(2**32)
    print("seed", seed)
    choice = random.Random(seed)
    run = Run(world, application(world.messages, shape=(1,)), 2)
    pids = run.ranks(2)
    sizes = {pid: [] for pid in pids}
    while run.process.poll() is None:
        pid = choice.choice(pids)
        for number in (signal.SIGSTOP, signal.SIGCONT):
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                break
            time.sleep(choice.uniform(0.001, 0.05))
        for each in pids:
            try:
                with open(f"/proc/{each}/statm", encoding="ascii") as memory:
                    sizes[each].append(int(memory.read().split()[1]))
            except (FileNotFoundError, ProcessLookupError):
                pass
    report = run.end()
    check(report["reason"] == "completed" and ticks(report)["sink"] == world.messages, f"{report}")
    for pages in sizes.values():
        pages = [number for number in pages if number > 0]
        middle = len(pages) // 2
        if middle > 20:
            early, late = max(pages[middle // 2:middle]), max(pages[middle:])
            check(late <= early + 1024, f"memory grew from {early} to {late} pages")


def launcher(world):
    """The ranks do not outlive the process that has started them."""
    run = Run(world, application(10**9), 2)
    pids = run.ranks(2)
    time.sleep(0.2)
    run.process.kill()
    run.process.wait()
    end = time.monotonic() + 30
    while any(exists(pid) for pid in pids):
        check(time.monotonic() < end, "ranks are left")
        time.sleep(0.01)


def interrupted(world):
    """Ctrl-C at any moment, also before the run: it ends in order, and one report says so."""
    seed = random.randrange(2**32)
    print("seed", seed)
    choice = random.Random(seed)
    for _ in range(world.times):
        run = Run(world, application(10**9, relays=6), 8)
        run.ranks(8)
        time.sleep(choice.uniform(0, 0.05))
        run.process.send_signal(signal.SIGINT)
        report = run.end(130)
        check(report["reason"] == "interrupted" and not report["failures"], f"{report}")


def asked_twice(world):
    """One wish that comes by several ways is one: of timeout(1), of a service manager, of a terminal that closes."""
    for wish in (signal.SIGTERM, signal.SIGHUP):
        run = Run(world, application(10**9, relays=1), 3)
        processes = [run.process.pid, *run.ranks(3)]
        time.sleep(0.2)
        for pid in [*processes, run.process.pid]:
            os.kill(pid, wish)
        report = run.end(130)
        check(report["reason"] == "interrupted" and not report["failures"], f"{report}")


def hangup(world):
    """Started with SIGHUP ignored, as by nohup(1), it goes on."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    run = Run(world, application(10**9), 2)
    signal.signal(signal.SIGHUP, before)
    processes = [run.process.pid, *run.ranks(2)]
    time.sleep(0.2)
    for _ in range(2):
        for pid in processes:
            os.kill(pid, signal.SIGHUP)
        time.sleep(0.5)
    check(run.process.poll() is None, "it has ended")
    run.process.send_signal(signal.SIGINT)
    check(run.end(130)["reason"] == "interrupted", "it was not interrupted")


def hangs(world):
    """A rank that does not react is named after a while, and does not outlive the others, nor the process that has started it."""
    entities = [
        {"name": "stuck", "rank": 0, "components": [component("code", "test::Hanging", where="tick")]},
        {"name": "other", "rank": 1, "components": [
            component("period", "gxr::PeriodicSchedulingTerm", recess_period="100ms"),
            component("code", "gxr::sample::HelloWorld")]},
        {"name": "scheduler", "components": [component("clock", "gxr::RealtimeClock"),
                                             component("run", "gxr::GreedyScheduler", clock="clock")]}]
    world.options = ["-x", os.path.join(os.path.dirname(world.gxr), "tests/extensions/waiting.so"), "--end-patience", "1"]
    for kill_launcher in (False, True):
        run = Run(world, entities, 2)
        pids = run.ranks(2)
        time.sleep(0.5)
        if kill_launcher:
            run.process.kill()
        else:
            run.process.send_signal(signal.SIGTERM)
            report = run.end(1)
            texts = [failure["text"] for failure in report["failures"]]
            check(any("rank 0 is lost: it does not react" in text for text in texts), f"{texts}")
        end = time.monotonic() + 60
        while any(exists(pid) for pid in pids):
            check(time.monotonic() < end, "ranks are left")
            time.sleep(0.01)
        run.process.wait()


def suspended(world):
    """Ctrl-Z stops all ranks, and then they go on; without a shell that could continue them, it does nothing."""
    for group, stops in (({"process_group": 0}, True), ({"start_new_session": True}, False)):
        world.popen = group
        run = Run(world, application(10**9), 2)
        processes = [run.process.pid, *run.ranks(2)]
        time.sleep(0.2)
        run.process.send_signal(signal.SIGTSTP)
        if stops:
            wait_for(lambda: all(state(pid) == "T" for pid in processes))
        else:
            time.sleep(0.3)
            check(not any(state(pid) == "T" for pid in processes), "a process is stopped")
        run.process.send_signal(signal.SIGCONT)
        wait_for(lambda: not any(state(pid) == "T" for pid in processes))
        run.process.send_signal(signal.SIGINT)
        check(run.end(130)["reason"] == "interrupted", "it was not interrupted")


def wait_for(is_true):
    end = time.monotonic() + PATIENCE
    while not is_true():
        check(time.monotonic() < end, "it did not come in time")
        time.sleep(0.01)


def state(pid):
    """A letter, as ps(1) has it."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0]


def many(world):
    """More ranks than the soft limit of file descriptors allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    ranks = 24  # 552 sockets
    if hard < 1024:
        print(f"skipped: no more than {hard} file descriptors are allowed here")
        sys.exit(SKIPPED)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    report = Run(world, application(100, relays=ranks - 2), ranks).end()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    check(report["reason"] == "completed" and ticks(report)["sink"] == 100, f"{report}")


TESTS = [same, killed, stalls, launcher, interrupted, asked_twice, hangup, hangs, suspended, many]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("test", choices=[test.__name__ for test in TESTS])
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--messages", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        globals()[options.test](World(options, folder))


if __name__ == "__main__":
    main()
