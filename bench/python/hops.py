#!/usr/bin/env python3
"""Measures what operators and programs in Python cost, against C++ in the same run. Needs the package gxr and NumPy.

    python3 bench/python/hops.py [ROUNDS]

- hop: a message through eight forwarding entities more, a message and an entity: `gxr::Forward`, then a class of Python.
- push, tap: a picture of 1920x1080 pixels of three bytes, given and taken; its address shows that nothing is copied.
- threads: 1,000,000 messages through twelve operators in Python on four threads: the time of a tick, and the memory.
"""

import gc
import resource
import statistics
import sys
import time

import numpy as np

import gxr

MESSAGES = 100_000
FRAMES = 32


class Forward(gxr.Operator):
    before: gxr.Input[gxr.Message]
    after: gxr.Output[gxr.Message]

    def tick(self):
        self.after.publish(self.before.receive())


class Numbers(gxr.Operator):
    number: gxr.Output[int]

    def tick(self):
        self.number.publish(self.count)


class Check(gxr.Operator):
    """Every number comes, in order"""

    number: gxr.Input[int]

    def tick(self):
        number = self.number.receive()
        if number != self.count:
            raise ValueError(f"{number} came as number {self.count}")


def chain(operator, port, length):
    app = gxr.Application().add("source", "gxr::sample::PingTx", count=MESSAGES)
    last = "source"
    for i in range(length):
        app.add(f"forward{i}", operator, inputs={port: last})
        last = f"forward{i}"
    app.add("sink", "gxr::sample::PingRx", inputs={"signal": last})
    return app.run().duration_ns


def hop(operator, port):
    return (chain(operator, port, 9) - chain(operator, port, 1)) / 8 / MESSAGES


def push_and_tap():
    app = gxr.Application().add("forward", "gxr::Forward")
    app.input("forward/in", capacity=2 * FRAMES)
    tap = app.tap("forward/out", capacity=2 * FRAMES)
    frame = np.zeros((1080, 1920, 3), np.uint8)
    with app:
        begin = time.perf_counter_ns()
        for _ in range(FRAMES):
            app.push("forward/in", frame)
        pushed = time.perf_counter_ns()
        while tap.waiting < FRAMES:
            time.sleep(0.001)
        waited = time.perf_counter_ns()
        taken = [np.asarray(tap.take()) for _ in range(FRAMES)]
        end = time.perf_counter_ns()
        assert all(each.ctypes.data == frame.ctypes.data for each in taken)
        app.end_input("forward/in")
    return (pushed - begin) / FRAMES, (end - waited) / FRAMES


def threads():
    app = gxr.Application(
        text="name: scheduler\ncomponents:\n- {name: clock, type: gxr::RealtimeClock}\n"
        "- {type: gxr::MultiThreadScheduler, parameters: {clock: clock, worker_thread_number: 4}}\n"
    )
    count = 1_000_000 // 4
    for k in range(4):
        app.add(f"numbers{k}", Numbers, count=count)
        app.add(f"forward{k}", Forward, inputs={"before": f"numbers{k}"})
        app.add(f"check{k}", Check, inputs={"number": f"forward{k}"})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = app.run()
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert report.reason == "completed" and report.ticks == 12 * count
    return report.duration_ns / report.ticks, growth


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    rows = {"C++": [], "Python": [], "push": [], "tap": []}
    for _ in range(rounds):
        rows["C++"].append(hop("gxr::Forward", "in"))
        rows["Python"].append(hop(Forward, "before"))
        for name, value in zip(("push", "tap"), push_and_tap()):
            rows[name].append(value)
        gc.collect()
    medians = {name: statistics.median(values) for name, values in rows.items()}
    for name, values in rows.items():
        what = f"hop in {name}" if name in ("C++", "Python") else f"{name} of a picture"
        print(f"{what:20} {medians[name]:8.0f} ns   (from {min(values):.0f} to {max(values):.0f})")
    print(f"Python / C++         {medians['Python'] / medians['C++']:8.1f}")
    tick, growth = threads()
    print(f"a tick on 4 threads  {tick:8.0f} ns   (memory grew by {growth} KiB)")


if __name__ == "__main__":
    main()
