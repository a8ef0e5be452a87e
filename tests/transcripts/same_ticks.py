#!/usr/bin/env python3
"""Runs the applications of transcripts many times on a GreedyScheduler with a ManualClock.

Every run must log the same lines in the same order, among them one for each execution of an entity with its
time, and count the same. An application that has another clock gets a ManualClock.

Exit status: 0 all the same, 1 something differed, 2 wrong usage, 77 nothing was run.
"""

import difflib
import sys

import applications

# Applications that cannot be the same every time, by transcript.
EXCLUDED = {
    "conformance/sample/async": "threads decide when an event comes",
    "conformance/sample/interrupt": "real time ends it",
    "conformance/schedulers/ends": "an entity that is always ready lets no time pass on a ManualClock",
    "conformance/std/asynchronous": "threads decide when an event comes",
    "conformance/std/vault": "a thread of its own takes the messages out",
    "conformance/testing/async_pings": "threads decide when an event comes",
    "conformance/testing/tensor_timestamps": "prints times of the wall clock",
    "transcripts/sample/interrupt": "real time ends it",
}


def main(arguments):
    return applications.main(arguments, check, add_options)


def add_options(parser):
    parser.add_argument("--rounds", type=int, default=20, help="runs of each application")


def check(workshop, application, name):
    if name in EXCLUDED:
        return []
    text = applications.standing(application.on("Greedy")) + applications.WATCH
    first = trace(workshop.run(application, text))
    for number in range(2, workshop.options.rounds + 1):
        again = trace(workshop.run(application, text))
        if again != first:
            difference = difflib.unified_diff(first, again, "run 1", f"run {number}", lineterm="", n=2)
            return list(difference)[:40]
    return []


def trace(run):
    """All of a run that may not change."""
    if run.report is None:
        return [f"exit status {run.status}", *run.log]
    counts = [f"{what}: {count}" for what, count in run.counts().items()]
    return [f"exit status {run.status}", run.report["reason"], str(run.cause()), *counts, *run.log]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
