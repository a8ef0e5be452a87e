#!/usr/bin/env python3
"""What graphs that loop tell of their operators, and of what goes wrong. One test per name; see CMakeLists.txt."""
import json
import os
import signal
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(FOLDER, ".."), os.path.join(FOLDER, "..", "branches")]
from branches import application, branch, decide, delayed
from applications import (GREEN_CONTEXT, MEMORY, SCHEDULERS, add, arrive, chain, check, connections, count_term, executor, expect, feed, main,
                          receiver, row, scheduler, sink, source, tally, transmitter)

CHECK_TRACE = os.path.join(FOLDER, "..", "..", "transcripts", "trace", "check_trace.py")
WORK_US = [10, 80, 30]


def worked(count, schedule=None, **options):
    """A chain of operators that take some time each."""
    names = [f"a{i}" for i in range(len(WORK_US))]
    return [feed("source", count, 512), *[add(name, 5, work_us=work) for name, work in zip(names, WORK_US)],
            sink("sink", 1 + 5 * len(names), fed=True), connections(*zip(["source", *names], [*names, "sink"])),
            executor("gpu", entities=names, inputs={"a0/in": row(512)}, **options), MEMORY, schedule or SCHEDULERS[0]]


def graph_of(runner, app):
    (graph,) = runner.report(app)["graphs"]
    return graph


def operators(runner):
    """Every n-th iteration is measured, and its operators' times add up to it."""
    for schedule in SCHEDULERS:
        for every, options in [(1, {}), (10, {}), (7, {"unroll": 4}), (2, {"unroll": 2}), (10, {"ready": "any"}), (1000, {}),
                               (1, {"mode": "graph"}), (10, {"mode": "graph"})]:
            graph = graph_of(runner, worked(500, schedule, instrument_every=every, **options))
            check(graph["iterations"] == 500, f"{graph}")
            check(graph["measured"] == -(-500 // every), f"every {every}, {options}: {graph}")  # the first, and every n-th behind it
            check([each["entity"] for each in graph["operators"]] == ["a0", "a1", "a2"], f"{graph}")
            for each, work in zip(graph["operators"], WORK_US):
                check(each["runs"] == graph["measured"] and each["longest_ns"] <= each["total_ns"], f"{each}")
                check(each["total_ns"] >= 1000 * work * each["runs"], f"{each} took less than {work} us")
            together = sum(each["total_ns"] for each in graph["operators"])
            check(abs(together / graph["measured_ns"] - 1) < 0.05, f"{together} ns of operators in {graph['measured_ns']} ns")
    # Told to the user.
    app = worked(500, instrument_every=100)
    expect(runner.run(app, "--stats"), "gpu, 5 iterations measured, .* us each", r"operator +runs +total +mean +longest", r"a1 +5 ")
    expect(runner.run(worked(5, instrument_every=10, loop="head_tail"), status=3), "'instrument_every' and 'loop: head_tail', which cannot choose")
    # With data-ready handlers it is each iteration, or none; what looks is in none.
    app = [arrive("watch", "a0/add", every=3), add("a0", 5, work_us=20), tally("tally", 6), connections(("watch", "a0"), ("a0", "tally")),
           executor("gpu", entities=["watch", "a0", "tally"], instrument_every=1), MEMORY, scheduler()]
    app[1]["components"] += count_term(100)
    graph = graph_of(runner, app)
    check(graph["measured"] == 100 and [each["entity"] for each in graph["operators"]] == ["a0", "tally"], f"{graph}")
    check(all(each["runs"] == 100 for each in graph["operators"]) and graph["operators"][0]["total_ns"] >= 2_000_000, f"{graph}")
    app[4] = executor("gpu", entities=["watch", "a0", "tally"], instrument_every=2)
    expect(runner.run(app, status=3), "'instrument_every: 2', but with data-ready handlers each iteration is measured")
    # Memory nodes are in the graph that is measured, too.
    own = {"name": "own", "components": receiver() + transmitter() + [
        {"name": "work", "type": "gpu::OwnMemory", "parameters": {"in": "in", "out": "out", "value": 3}}]}
    app = [feed("source", 20, 512), own, sink("sink", 4, fed=True), connections(("source", "own"), ("own", "sink")),
           executor("gpu", entities=["own"], inputs={"own/in": row(512)}, mode="graph", instrument_every=3), MEMORY, SCHEDULERS[0]]
    check(graph_of(runner, app)["measured"] == 7, "memory nodes")


def live(runner):
    """A running application tells the times of its operators, and the age of what comes out of its graph."""
    runner.run(worked(1))  # skipped without a GPU
    environment = {**os.environ, "XDG_RUNTIME_DIR": runner.folder}
    for options in [{}, {"slots": 4}, {"mode": "graph"}]:
        app = worked(10**9, instrument_every=3, **options)
        running = subprocess.Popen(runner.command(app), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        try:
            ask = [os.path.abspath(runner.gxr), "status", "--app", str(running.pid)]
            end, graph, paths = time.monotonic() + 30, None, []
            while time.monotonic() < end and not (graph and graph["measured"] == 64 and paths):
                time.sleep(0.1)
                asked = subprocess.run([*ask, "--format", "json"], capture_output=True, text=True, env=environment)
                status = json.loads(asked.stdout) if asked.returncode == 0 else {"graphs": [], "paths": []}
                (graph,), paths = status["graphs"] or [None], status["paths"]
            check(graph and graph["measured"] == 64 and paths, f"{options}: graph {graph}, paths {paths}")
            check(graph["loops"] == ("mode" not in options) and (graph["iterations"] or 1) > 0, f"{graph}")
            check([each["entity"] for each in graph["operators"]] == ["a0", "a1", "a2"], f"{graph}")
            for each, work in zip(graph["operators"], WORK_US):
                check(each["runs"] == 64 and each["total_ns"] >= 1000 * work * 64, f"{each} took less than {work} us")
            (path,) = paths
            check((path["source"], path["sink"]) == ("source", "sink") and path["age"]["p50_ns"] >= 1000 * sum(WORK_US), f"{path}")
            shown = subprocess.run(ask, capture_output=True, text=True, env=environment).stdout
            expect(shown, r"CUDA graph +iterations +measured +mean +longest", r"  a1 +64 +[0-9.]+ us", r"source -> sink")
        finally:
            running.send_signal(signal.SIGINT)
            output = running.communicate(timeout=60)[0]
        check(running.returncode == 130, f"exit code {running.returncode}: {output}")


def in_branches(runner):
    """Operators count the measured iterations in which they ran; in a While the last run is measured."""
    middle = [decide("kind", "Remainder", 4), *[add(f"case{i}", 0) for i in range(4)],
              branch("kinds", "Switch", selector="kind/out", cases=[[f"case{i}"] for i in range(4)])]
    links = [("source", "kind"), *[("source", f"case{i}") for i in range(4)], *[(f"case{i}", "sink") for i in range(4)]]
    for way in ({}, {"mode": "graph"}):
        app = application(400, 100, SCHEDULERS[0], {"instrument_every": 1, **way}, middle, links, ["kind/in"], list(range(1, 401)))
        runs = {each["entity"]: each["runs"] for each in graph_of(runner, app)["operators"]}
        check(runs == {"kind": 400, "case0": 100, "case1": 100, "case2": 100, "case3": 100}, f"{way}: {runs}")
    middle = [add("one", 0, ("in", "last")), decide("rest", "Remainder", 7), delayed("one/out", "one/last"),
              branch("again", "While", condition="rest/out", body=["one", "rest"], limit=6)]
    wanted, held = [], 0
    for i in range(1, 101):
        for _ in range(6):
            held += i
            if held % 7 == 0:
                break
        wanted.append(held)
    for way in ({}, {"mode": "graph"}):
        app = application(100, 100, SCHEDULERS[0], {"instrument_every": 1, **way}, middle, [("source", "one"), ("one", "rest"), ("one", "sink")],
                          ["one/in"], wanted)
        graph = graph_of(runner, app)
        check({each["entity"]: each["runs"] for each in graph["operators"]} == {"one": 100, "rest": 100}, f"{way}: {graph}")


def numbers(runner):
    """The first iteration is measured, and every n-th behind it, and no other."""
    for every, options in [(7, {}), (7, {"unroll": 4}), (2, {"unroll": 2}), (3, {"ready": "any"}), (7, {"mode": "graph"})]:
        path = os.path.join(runner.folder, "numbers.json")
        expect(runner.run(worked(100, instrument_every=every, **options), "--trace", path), "sink/check: 100 right")
        with open(path, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        found = sorted(event["args"]["iteration"] for event in events if event["ph"] == "X" and event["name"] == "iteration")
        check(found == list(range(0, 100, every)), f"every {every}, {options}: {found}")


def trace(runner):
    """Operators are on one time line with the ticks of the CPU."""
    path = os.path.join(runner.folder, "trace.json")
    expect(runner.run(worked(100, instrument_every=1), "--trace", path), "sink/check: 100 right")
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    tracks = {event["tid"]: event["args"]["name"] for event in events if event.get("name") == "thread_name"}
    spans = [event for event in events if event["ph"] == "X"]
    on = lambda name: [event for event in spans if tracks[event["tid"]] == name]
    check(len(on("GPU 0, gpu")) == 100, f"tracks {sorted(tracks.values())}")
    steps = on("GPU 0, gpu, operators")
    check(len(steps) == 300 and {event["name"] for event in steps} == {"a0", "a1", "a2"}, f"{len(steps)} operators")
    # Between the source's tick that made the input and the sink's that got the result.
    ticks = {name: [event for event in spans if event["name"] == name and event["cat"] == "tick"] for name in ("source", "sink")}
    for number in range(100):
        mine = [event for event in steps if event["args"]["iteration"] == number]
        begin, end = min(event["ts"] for event in mine), max(event["ts"] + event["dur"] for event in mine)
        slack = 200  # us: the clocks are not the same
        check(ticks["source"][number]["ts"] - slack < begin and end < ticks["sink"][number]["ts"] + ticks["sink"][number]["dur"] + slack,
              f"iteration {number} ran from {begin} to {end} us, source {ticks['source'][number]}, sink {ticks['sink'][number]}")


def trace_alone(runner):
    """With --trace, operators are measured that nobody asked about, unless the author does not want it, or the loop would be another."""
    for options, runs in [({}, 3), ({"mode": "graph"}, 3), ({"instrument_every": 0}, 0), ({"loop": "head_tail"}, 0), ({"loop": "tail_launch"}, 0)]:
        path = os.path.join(runner.folder, "alone.json")
        expect(runner.run(worked(250, **options), "--trace", path), "sink/check: 250 right")
        done = subprocess.run([sys.executable, CHECK_TRACE, path], text=True, capture_output=True, check=False)
        check(done.returncode == 0, f"{options}: {done.stdout}{done.stderr}")
        with open(path, encoding="utf-8") as file:
            found = [event for event in json.load(file)["traceEvents"] if event["ph"] == "X" and event["name"] == "iteration"]
        check(len(found) == runs, f"{options}: {len(found)} measured iterations")


def astray(**parameters):
    return {"name": "a1", "components": receiver() + transmitter() + [
        {"name": "astray", "type": "gpu::Astray", "parameters": {"in": "in", "out": "out", "at": 50, **parameters}}]}


def broken(how, **options):
    app = chain(3, None, 512, **options)
    app[2] = astray(**how)
    next(each for each in app if each.get("name") == "sink")["components"][-1]["parameters"]["first"] = 11
    return app


def failures(runner):
    """A kernel that fails ends the run within seconds, with the iteration and the operator when that was measured; the next run works."""
    for how, what in [({}, "cudaErrorIllegalAddress"), ({"traps": True}, "cudaErrorLaunchFailure|cudaErrorIllegalInstruction|trap")]:
        begin = time.monotonic()
        # The codelets of the CPU are stopped, and the report is complete.
        expect(runner.run(broken(how, instrument_every=1), "--stats", status=1), "region 'loop': ", what, "in iteration 51, in operator 'a1'",
               r"sink/check: \d+ right", "failed after", r"source +\d+ ")
        (report, _) = json.JSONDecoder().raw_decode(found := runner.run(broken(how), "--format", "json", status=1), found.index("{"))
        check(report["reason"] == "failed" and "in iteration 51" in report["failures"][0]["text"] and len(report["entities"]) == 3, f"{report}")
        check([each["iterations"] for each in report["graphs"]] == [50], f"{report}")
        expect(runner.run(broken(how), status=1), "region 'loop': ", what, "in iteration 51; with 'instrument_every: 1' it is known")
        expect(runner.run(broken(how, instrument_every=1, mode="graph"), status=1), what, "was in iteration 51, in operator 'a1'")
        check(time.monotonic() - begin < 30, "it took too long")
    expect(runner.run(chain(2, 20, 512)), "sink/check: 20 right")


def watchdog(runner):
    """A kernel that hangs is noticed soon, with its operator, and the process ends."""
    begin = time.monotonic()
    output = runner.run(broken({"hangs_s": 60}, instrument_every=1, watchdog_ms=500), status=1, seconds=45)
    expect(output, r"region 'loop' hangs: no iteration has ended for 500 ms \('watchdog_ms'\); in iteration 51, in operator 'a1'", "failed after")
    check(time.monotonic() - begin < 30, "it took too long")
    expect(runner.run(chain(2, 20, 512)), "sink/check: 20 right")
    # Of a graph that the host launches, too, whether somebody waits for its results, or nobody does, or all has been launched.
    for schedule, every, where in [(SCHEDULERS[0], 1, "; in iteration 51, in operator 'a1'"), (SCHEDULERS[1], 0, "")]:
        for count in (None, 51):
            begin = time.monotonic()
            app = broken({"hangs_s": 60}, instrument_every=every, watchdog_ms=500, mode="graph")
            app[-1] = schedule
            if count:
                app[0]["components"] += count_term(count)
            output = runner.run(app, status=1, seconds=45)
            expect(output, rf"region 'loop' hangs: no iteration has ended for 500 ms \('watchdog_ms'\){where}", "failed after")
            check(time.monotonic() - begin < 30, "it took too long")
    # What works on its input may take longer.
    for size in (512, 1 << 16):
        app = [source("source", 2, size), add("a0", 5, work_us=1_500_000), add("a1", 5), sink("sink", 11),
               connections(("source", "a0"), ("a0", "a1"), ("a1", "sink")),
               executor(entities=["a1"], inputs={"a1/in": row(size)}, watchdog_ms=300), MEMORY, SCHEDULERS[0]]
        expect(runner.run(app), "sink/check: 2 right", "completed after")
        # What uses its results may, too.
        app = [source("source", 5, size), add("a0", 5), add("a1", 5, work_us=700_000), sink("sink", 11),
               connections(("source", "a0"), ("a0", "a1"), ("a1", "sink")),
               executor(entities=["a0"], inputs={"a0/in": row(size)}, watchdog_ms=300), MEMORY, SCHEDULERS[1]]
        expect(runner.run(app), "sink/check: 5 right", "completed after")
    # Nobody outside waits for it, or it is on SMs of its own.
    packets = {"name": "packets", "components": transmitter() + [{"name": "packets", "type": "gpu::Packets", "parameters": {"out": "out"}}]}
    alone = lambda middle, count, **options: [
        {**packets, "components": packets["components"] + count_term(count)}, middle, tally("tally", 1 if middle["name"] == "a1" else 6),
        connections(("packets", middle["name"]), (middle["name"], "tally")),
        executor(entities=["packets", middle["name"], "tally"], mode="graph", **options), MEMORY, scheduler()]
    pinned = broken({"hangs_s": 60}, watchdog_ms=500, mode="graph", green_context="sms/part")
    for app in (alone(astray(hangs_s=60), None, watchdog_ms=500), [GREEN_CONTEXT, *pinned]):
        begin = time.monotonic()
        expect(runner.run(app, status=1, seconds=45), r"region 'loop' hangs: no iteration has ended for 500 ms", "failed after")
        check(time.monotonic() - begin < 30, "it took too long")
    # Launches that are far ahead of the GPU are no hang.
    expect(runner.run(alone(add("a", 5, work_us=5000), 400, watchdog_ms=500), seconds=60), "tally/tally: 400 iterations, 0 elements wrong")
    ahead = chain(1, 150, 1 << 16, SCHEDULERS[1], fed={"pinned": True}, sunk={"capacity": 100}, watchdog_ms=400, mode="graph")
    ahead[1]["components"][-1]["parameters"]["work_us"] = 20_000
    expect(runner.run(ahead, seconds=60), "sink/check: 150 right")
    expect(runner.run(chain(2, 20, 512, mode="graph")), "sink/check: 20 right")
    for fed, work, watch in [({"wait_us": 700_000}, 0, 300), ({}, 400_000, 0)]:
        slow = chain(2, 3, 512, fed=fed, watchdog_ms=watch, mode="graph")
        slow[1]["components"][-1]["parameters"]["work_us"] = work
        expect(runner.run(slow), "sink/check: 3 right")
    # And with data-ready handlers, while there is nothing to do as well as when an operator hangs.
    waits = lambda how, most, longest, **options: [arrive("watch", "a/add", most=most, every=3), add("a", 5), astray(**how), tally("tally", 6),
                                        connections(("watch", "a"), ("a", "a1"), ("a1", "tally")),
                                        executor(entities=["watch", "a", "a1", "tally"], watchdog_ms=300,
                                                 data_not_ready_sleep_interval_us=200_000, **options), MEMORY, scheduler(max_duration_ms=longest)]
    begin = time.monotonic()
    expect(runner.run(waits({"hangs_s": 60}, 1000, 20_000), status=1, seconds=45), "hangs: no iteration has ended for 300 ms",
           "in iteration 51; with 'instrument_every: 1' it is known")
    expect(runner.run(waits({"hangs_s": 60}, 1000, 20_000, instrument_every=1), status=1, seconds=45),
           "hangs: no iteration has ended for 300 ms", "in iteration 51, in operator 'a1'")
    check(time.monotonic() - begin < 30, "it took too long")
    expect(runner.run(waits({"at": 10_000}, 20, 2_000)), "tally/tally: 20 iterations, 0 elements wrong", "duration")
    # A source that takes its time is no reason, nor an iteration that is allowed to take longer.
    expect(runner.run(chain(2, 3, 512, fed={"wait_us": 700_000}, watchdog_ms=300)), "sink/check: 3 right")
    slow = chain(2, 3, 512, watchdog_ms=0)
    slow[1]["components"][-1]["parameters"]["work_us"] = 400_000
    expect(runner.run(slow), "sink/check: 3 right")
    # A sink that takes its time is none, either.
    expect(runner.run(chain(2, 8, 512, sunk={"wait_us": 500_000}, watchdog_ms=300), seconds=90), "sink/check: 8 right")


def late(runner):
    """Iterations that take longer than they may are counted."""
    for options in [{}, {"loop": "control_at_end"}, {"unroll": 4}, {"instrument_every": 3}]:
        check(graph_of(runner, worked(200, iteration_timeout_us=60, **options))["late"] == 200, f"{options}: not all are late")
        check("late" not in graph_of(runner, worked(200, iteration_timeout_us=60_000_000, **options)), f"{options}: some are late")
    expect(runner.run(worked(50, iteration_timeout_us=60), "--stats"), "50 iterations of gpu took longer than iteration_timeout_us")


if __name__ == "__main__":
    main([operators, live, in_branches, numbers, trace, trace_alone, failures, watchdog, late])
