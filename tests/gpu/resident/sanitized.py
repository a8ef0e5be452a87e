#!/usr/bin/env python3
"""Small applications under compute-sanitizer, which sees into the bodies of loops. No tests of CTest: see `make gpu-sanitize`."""
import os
import shutil
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(FOLDER, ".."), os.path.join(FOLDER, "..", "branches")]
from branches import application, branch, decide, delayed, switch_of_four, watch, while_of_two
from applications import (MEMORY, SCHEDULERS, SKIPPED, add, arrive, chain, connections, count_term, executor, expect, feed, main, row, scheduler,
                          sink, tally, two_inputs)


MEMCHECK = ["memcheck", "--report-api-errors", "no"], "ERROR SUMMARY: 0 errors"
RACECHECK = ["racecheck"], "RACECHECK SUMMARY: 0 hazards"


def look(runner, applications, tool=MEMCHECK):
    if shutil.which("compute-sanitizer") is None:
        print("skipped: no compute-sanitizer")
        sys.exit(SKIPPED)
    expect(runner.run(chain(1, 1, 512)), "sink/check: 1 right")
    arguments, summary = tool
    runner.tool = ["compute-sanitizer", "--error-exitcode", "9", "--tool", *arguments]
    for app, text in applications:
        expect(runner.run(app, seconds=120), text, "completed after", summary)
    runner.tool = []


def chains(runner):
    """N1 to N6."""
    looked = [arrive("watch", "a0/add", every=3), add("a0", 5), tally("tally", 6), connections(("watch", "a0"), ("a0", "tally")),
              executor(entities=["watch", "a0", "tally"]), MEMORY, scheduler()]
    looked[1]["components"] += count_term(200)
    diamond = [feed("source", 100, 512), add("left", 1), add("right", 2), add("join", 4, ["in", "other"]), sink("sink", 9, 2),
               connections(("source", "left"), ("source", "right"), ("left", "join"), ("right", "join/other"), ("join", "sink")),
               executor(entities=["left", "right", "join"], inputs={"left/in": row(512), "right/in": row(512)}), MEMORY, scheduler()]
    look(runner, [
        (chain(3, 10, 512), "sink/check: 10 right"), (chain(3, 500, 512, unroll=4, slots=8), "sink/check: 500 right"),
        (chain(3, 200, 512, slots=4, sunk={"wait_us": 500}), "sink/check: 200 right"), (chain(2, 100, 1 << 18), "sink/check: 100 right"),
        (chain(2, 200, 512, loop="tail_launch"), "sink/check: 200 right"), (chain(2, 200, 1 << 16, mode="graph"), "sink/check: 200 right"),
        (chain(2, 200, 512, instrument_every=3), "sink/check: 200 right"),
        (chain(2, 200, 512, unroll=4, slots=8, instrument_every=7), "sink/check: 200 right"),
        (looked, "tally/tally: 200 iterations, 0 elements wrong"), (diamond, "sink/check: 100 right"),
        (two_inputs(100, 100, 512), "100 and 100 in 100 iterations, 0 wrong"),
        (two_inputs(100, 100, 512, loop="tail_launch"), "100 and 100 in 100 iterations, 0 wrong"),
        (two_inputs(100, 100, 512, unroll=4, slots=8), "100 and 100 in 100 iterations, 0 wrong"),
        (two_inputs(100, 100, 512, instrument_every=3), "100 and 100 in 100 iterations, 0 wrong"),
        (two_inputs(100, 100, 512, ready="any"), r"100 and 100 in \d+ iterations, 0 wrong")])
    # The kernels that control a loop use shared memory. With the other applications the racecheck of CUDA 13.0 crashes, in a thread of its own.
    look(runner, [(chain(3, 10, 512), "sink/check: 10 right"), (chain(3, 500, 512, unroll=4, slots=8), "sink/check: 500 right"),
                  (chain(3, 200, 512, slots=4, sunk={"wait_us": 500}), "sink/check: 200 right")], RACECHECK)


def branches(runner):
    """Lists that are chosen, that repeat, and that run now and then."""
    applications = []

    def add_ways(ways, middle, links, inputs, wanted):
        for way in ways:
            app = application(len(wanted), 100, SCHEDULERS[0], way, middle, links, inputs, wanted)
            applications.append((app, f"sink/check: {len(wanted)} right"))

    add_ways([{"mode": "graph"}, {"loop": "auto"}, {"unroll": 3}, {"instrument_every": 3}], *switch_of_four(60))
    names = [[f"case{i}_{j}" for j in range(12)] for i in range(4)]  # each becomes a graph that the loop launches
    middle = [decide("kind", "Remainder", 4), *[add(name, i + 1) for i, chained in enumerate(names) for name in chained],
              branch("kinds", "Switch", selector="kind/out", cases=names)]
    links = [("source", "kind"), *[("source", chained[0]) for chained in names],
             *[each for chained in names for each in zip(chained, chained[1:])], *[(chained[-1], "sink") for chained in names]]
    add_ways([{"loop": "auto"}], middle, links, ["kind/in"], [i + 12 * (i % 4 + 1) for i in range(1, 61)])
    add_ways([{"mode": "graph"}, {"loop": "control_at_end"}], *while_of_two(60))
    for launch in ["in_iteration", "fire_and_forget", "sibling"]:
        new = [("front", "slow")] if launch != "sibling" else []  # a sibling reads what was written the time before
        middle = [add("front", 1), add("slow", 5), watch("watch", 6), delayed("slow/out", "watch/in"),
                  *([] if new else [delayed("front/out", "slow/in")]), branch("often", "Every", count=2, first=1, body=["slow"], launch=launch)]
        add_ways([{}], middle, [("source", "front"), *new, ("front", "sink")], ["front/in"], [n + 2 for n in range(100)])
    look(runner, applications)


if __name__ == "__main__":
    main([chains, branches])
