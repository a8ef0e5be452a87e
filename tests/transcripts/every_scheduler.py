#!/usr/bin/env python3
"""Runs the applications of transcripts on every scheduler and compares with the GreedyScheduler.

With each number of workers an application must end in the same way, with the same exit status, ticks of each
entity, and messages left and dropped in each queue. One worker on a ManualClock must log the same lines, too.
On an EpochScheduler the counts must be the same, as long as nothing waits for a time.

Exit status: 0 all the same, 1 something differed, 2 wrong usage, 77 nothing was run.
"""

import collections
import pathlib
import re
import sys

import applications
import run as transcripts

# Applications that differ for a reason of their own, by transcript. Everything else that differs is a bug.
EXCLUDED = {
    "conformance/sample/async": "threads and a real clock decide when a number comes",
    "conformance/schedulers/failing_stop": "with --compat gxf GXF's schedulers differ, and so do those here",
    "conformance/testing/tensor_timestamps": "prints times of the wall clock",
    "conformance/schedulers/thread_policy_refused": "needs a permission on schedulers with threads alone",
    "transcripts/extensions/python_process": "a stand-in for Python runs nothing",
    "transcripts/ranks/ends": "ends by a time, a signal or a failure of other ranks",
    "transcripts/ranks/queues": "nobody waits for the sink, so its pace decides what is dropped",
    "transcripts/run/on_failure": "how much passes while an operator is made anew, time decides",
    "transcripts/schedulers/drop_during_long_tick": "waits in a tick for another entity, which one thread cannot",
    "transcripts/schedulers/interrupt": "ends by a signal alone",
    "transcripts/schedulers/negative_timeout": "an EventBasedScheduler takes it for 0, as in GXF",
    "transcripts/schedulers/duration_in_real_time": "ends on an EventBasedScheduler alone",
}
EXCLUDED_WITH_SEVERAL_WORKERS = {
    # No DownstreamReceptiveSchedulingTerm makes the sender wait, so that its pace decides what is in a queue.
    "conformance/schedulers/no_room_term": "two that fill each other's queues: the faster one loses",
    "conformance/testing/mock_codelet": "of two entities that fail, any may be the first",
    "transcripts/extensions/make_writable": "of two entities that find the pool empty, any may be the first",
    "transcripts/extensions/null_message": "of two entities that fail, any may be the first",
    "conformance/sample/several_receivers": "as many messages as came are taken in one tick",
    "conformance/std/gather_sources": "as many messages as came are taken in one tick",
    "conformance/std/multi_message": "the term counts what is there when it is asked",
    "conformance/std/synchronization": "the pace of the senders decides what meets",
    "conformance/std/vault": "as many messages as came are taken in one tick",
    "conformance/std/vault_no_room": "as many messages as came are taken in one tick",
    "conformance/testing/mock_allocator": "the memory of a fast sender is not back yet",
    "conformance/yaml/subgraph": "of two senders that one entity waits for the faster one finds its queue full",
    "conformance/yaml/subgraph_split": "of two senders that one entity waits for the faster one finds its queue full",
    "transcripts/cookbook/fan-out-drop": "nobody waits for the preview, so its pace decides what it drops",
    "transcripts/cookbook/merge": "as many messages as came are taken in one tick",
    "transcripts/cookbook/rate-limit": "the source of one run does not wait: it fails, or the tick that finds its messages",
    "transcripts/cookbook/sample-newest": "the sensor does not wait for the consumer, whose pace decides what it drops",
    "transcripts/sample/batch": "as many messages as came are taken in one tick",
    "transcripts/std/policy": "the receiver may take in between two messages of one tick",
    "transcripts/std/gather": "as many messages as came are taken in one tick",
    # Something else that the entities share without waiting for each other.
    "conformance/behavior_tree/parallel": "the root may have finished its child before that is looked at",
    "conformance/std/behavior_term": "the root may have finished its child before that is looked at",
    "conformance/std/synthetic_clock": "an entity may miss the time that another one has moved the clock past",
}
# Applications for which a clock that nobody moves is not enough.
EXCLUDED_IN_EPOCHS = {
    "conformance/schedulers/ends": "an entity that is always ready goes on for ever",
    "conformance/std/asynchronous": "events come from threads, between two epochs",
    "conformance/std/synthetic_clock": "moves its clock itself",
    "conformance/testing/async_pings": "events come from threads, between two epochs",
    "transcripts/std/author_guide_waiting": "events come from threads, between two epochs",
}


def main(arguments):
    return applications.main(arguments, check, add_options)


def add_options(parser):
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4], help="numbers of worker threads")
    parser.add_argument("--epochs", type=pathlib.Path, help="program that runs epochs")


def check(workshop, application, name):
    if name in EXCLUDED:
        return []
    greedy = workshop.run(application, application.on("Greedy"))
    if greedy.report is None:
        return []  # it crashes, or cannot be loaded
    problems = []
    for workers in workshop.options.workers:
        if workers > 1 and name in EXCLUDED_WITH_SEVERAL_WORKERS:
            continue
        for kind in ("MultiThread", "EventBased"):
            other = workshop.run(application, application.on(kind, workers))
            differences = compare(application, greedy, other, logs=workers == 1)
            problems += [f"{kind}Scheduler, {workers} workers: {line}" for line in differences]
    if workshop.options.epochs and name not in EXCLUDED_IN_EPOCHS:
        problems += [f"EpochScheduler: {line}" for line in check_epochs(workshop, application)]
    return problems


def compare(application, greedy, other, logs):
    if other.report is None:
        return [f"ended with {other.status}: {other.output}"]
    jumps = "ManualClock" in application.text
    pairs = [
        ("exit status", greedy.status, other.status),
        ("end", greedy.report["reason"], other.report["reason"]),
        ("failure", greedy.cause(), other.cause()),
    ]
    reason = greedy.report["reason"]
    if reason in ("completed", "deadlock") or (reason == "duration" and jumps):
        pairs += [(what, count, other.counts()[what]) for what, count in greedy.counts().items()]
        pairs.append(("waiting", waiting(greedy, jumps), waiting(other, jumps)))
        if logs and jumps:
            pairs.append(("log lines", *differing(greedy.log, other.log)))
    return [f"{what}: {theirs}, not {ours}" for what, ours, theirs in pairs if ours != theirs]


def waiting(run, jumps):
    """What each entity waits for at the end. A real clock decides whether a period is over by then."""
    return [
        {**entity, "reasons": [reason for reason in entity["reasons"] if jumps or "next period" not in reason]}
        for entity in run.report["waiting"]
    ]


def differing(ours, theirs):
    """The lines that only one of the two logs has, whatever their order."""
    a, b = collections.Counter(ours), collections.Counter(theirs)
    return sorted((a - b).elements()), sorted((b - a).elements())


def check_epochs(workshop, application):
    """Compares epochs with a greedy run, both on a clock that stands."""
    greedy = workshop.run(application, applications.standing(application.on("Greedy")) + applications.WATCH)
    if greedy.report is None or any(re.search(r"executed at [1-9]\d* ns", line) for line in greedy.log):
        return []
    if greedy.report["reason"] not in ("completed", "deadlock", "failed"):
        return []
    command = [workshop.options.epochs, "application.yaml"]
    epochs = workshop.execute(application, applications.standing(application.on("Epoch")), command)
    if epochs.report is None:
        return [f"ended with {epochs.status}: {epochs.output}"]
    if greedy.report["reason"] == "failed":
        return [] if epochs.status == 1 else [f"exit status: {epochs.status}, not 1"]
    return [
        f"{what}: {epochs.counts()[what]}, not {count}"
        for what, count in greedy.counts().items()
        if epochs.counts()[what] != count
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
