#!/usr/bin/env python3
"""Applications with CUDA graphs that loop on the GPU, each made here. One test per name; see CMakeLists.txt."""
import glob
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from applications import (GREEN_CONTEXT, MEMORY, SCHEDULERS, SKIPPED, add, arrive, chain, check, connections, count_term, executor, expect,
                          feed, main, receiver, row, scheduler, sink, source, tally, tally_sms, transmitter, two_inputs)


def bridges(runner):
    """N1, N2, N11: every message comes, in order, with its time and number, whatever its size."""
    for loop, links in itertools.product(["head_tail", "control_at_end", "tail_launch", "auto"], [1, 3]):
        output = runner.run(chain(links, 10000, 512, loop=loop), "--stats")
        expect(output, "sink/check: 10000 right", r"completed after", "CUDA graph +iterations", r"loop +10000 ")
    for size, count in [(1, 300), (7001, 500), (20000, 500), (1 << 20, 200)]:
        for slots, pinned in itertools.product([1, 2, 5], [False, True]):
            output = runner.run(chain(2, count, size, slots=slots, fed={"pinned": pinned}))
            expect(output, f"sink/check: {count} right", "completed after")


def order(runner):
    """The same on other schedulers, with a queue behind the graph, and unrolled."""
    for schedule in SCHEDULERS:
        for size in [512, 1 << 16]:
            output = runner.run(chain(3, 5000, size, schedule, slots=4))
            expect(output, "sink/check: 5000 right", "completed after")
    for unroll in [2, 8]:
        output = runner.run(chain(2, 2003, 512, unroll=unroll, slots=8), "--stats")
        expect(output, "sink/check: 2003 right", "loop +2003 ")
    output = runner.run(chain(2, 3000, 512, sunk={"capacity": 5}))
    expect(output, "sink/check: 3000 right")
    for slots, size in itertools.product([6, 8], [512, 1 << 16]):  # by itself it takes two in a round
        expect(runner.run(chain(2, 2003, size, slots=slots), "--stats"), "sink/check: 2003 right", "loop +2003 ")


def branches(runner):
    """N5: branches that join, two inputs, and outputs that the CPU and operators read."""
    names = ["left", "right", "join"]
    app = [feed("source", 400, 512), add("left", 1, work_us=20), add("right", 2), add("join", 4, ["in", "other"]),
           sink("sink", 9, 2), sink("tap", 2),
           connections(("source", "left"), ("source", "right"), ("left", "join"), ("right", "join/other"),
                       ("join", "sink"), ("left", "tap")),
           executor(entities=names, inputs={"left/in": row(512), "right/in": row(512)}), MEMORY, scheduler()]
    expect(runner.run(app), "sink/check: 400 right", "tap/check: 400 right")
    for size in [512, 1 << 16]:
        app = [feed("one", 300, size), feed("two", 300, size), add("sum", 4, ["in", "other"]), sink("sink", 6, 2),
               connections(("one", "sum"), ("two", "sum/other"), ("sum", "sink")),
               executor(entities=["sum"], inputs={"sum/in": row(size), "sum/other": row(size)}), MEMORY, scheduler()]
        expect(runner.run(app), "sink/check: 300 right")


def regions(runner):
    """N14: two graphs on one GPU; one ends long before the other, and operators of both give memory back at their end, for which CUDA waits
    for all loops. And one behind the other, on GPU and CPU memory."""
    def beside(counts, schedule):
        app = []
        for name, count in counts.items():
            source = feed(name + "_source", count, 512)
            app += [source, add(name, 5), tally(name + "_tally", 6), sink(name + "_sink", 6),
                    connections((name + "_source", name), (name, name + "_sink"), (name, name + "_tally")),
                    executor(name + "_loop", entities=[name, name + "_tally"], inputs={name + "/in": row(512)})]
        return [*app, MEMORY, schedule]

    for schedule in SCHEDULERS:
        expect(runner.run(beside({"x": 50, "y": 4000}, schedule), "--stats"), "x_sink/check: 50 right", "y_sink/check: 4000 right",
               "x_loop +50 ", "y_loop +4000 ", "x_tally/tally: 50 iterations, 0 elements wrong",
               "y_tally/tally: 4000 iterations, 0 elements wrong", "completed after")
    expect(runner.run(beside({"x": None, "y": None}, scheduler(max_duration_ms=300))), r"x_tally/tally: \d+ iterations, 0 elements wrong",
           r"y_tally/tally: \d+ iterations, 0 elements wrong", "duration")
    for size, schedule in itertools.product([512, 1 << 18], SCHEDULERS):
        app = [feed("source", 300, size), add("x", 5), add("y", 5), sink("sink", 11, fed=True),
               connections(("source", "x"), ("x", "y"), ("y", "sink")),
               executor("first", entities=["x"], inputs={"x/in": row(size)}),
               executor("second", entities=["y"], inputs={"y/in": row(size)}), MEMORY, schedule]
        expect(runner.run(app), "sink/check: 300 right")
    # What comes from, and goes to, codelets with CUDA streams.
    for size in [512, 1 << 18]:
        app = [source("source", 300, size), add("x", 5), add("y", 5), sink("sink", 11),
               connections(("source", "x"), ("x", "y"), ("y", "sink")),
               executor(entities=["x"], inputs={"x/in": row(size)}), MEMORY, scheduler()]
        expect(runner.run(app), "sink/check: 300 right")


def late_inputs(runner):
    """F4, C15: of two inputs one has nothing more; or the only one."""
    def with_period(entity, period):
        term = {"type": "gxr::PeriodicSchedulingTerm", "parameters": {"recess_period": period}}
        return {**entity, "components": [*entity["components"], term]}

    def application(count, schedule, **parameters):
        return [with_period(feed("source", 50, 512), "2ms"), feed("once", count, 512), add("a", 5, inputs=("in", "other")),
                sink("sink", 7), connections(("source", "a"), ("once", "a/other"), ("a", "sink")),
                executor(entities=["a"], inputs={"a/in": row(512), "a/other": row(512)}, **parameters), MEMORY, schedule]

    for schedule in SCHEDULERS:
        held = application(1, schedule, input_timeout_ms=5, missing_data="hold")
        expect(runner.run(held, "--stats"), "sink/check: 50 right", "were late, by input_timeout_ms, 49 times", "completed")
        skipped = application(1, schedule, input_timeout_ms=5, missing_data="skip")
        expect(runner.run(skipped, "--stats"), "sink/check: 1 right", "were late, by input_timeout_ms, 49 times", "completed")
        # Long enough for the sink to have taken the first result.
        failed = application(1, schedule, input_timeout_ms=200, missing_data="fault")
        expect(runner.run(failed, status=1), "has had no message at 'a/other' for 200 ms", "sink/check: 1 right")
    counted = application(1, scheduler(), input_timeout_ms=5)
    expect(runner.run(counted, "--stats"), "sink/check: 1 right", "were late, by input_timeout_ms, 1 time\n", "deadlock")
    slow = [with_period(feed("source", 5, 512), "2s"), add("a", 5), sink("sink", 6), connections(("source", "a"), ("a", "sink")),
            executor(entities=["a"], inputs={"a/in": row(512)}, input_timeout_ms=50, missing_data="fault"), MEMORY, scheduler()]
    expect(runner.run(slow, status=1), "has had no message at 'a/in' for 50 ms", "sink/check: 1 right")


def two_gpus(runner):
    """N15: graphs on two GPUs, one behind the other and back again, and beside each other."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0,1").split(",")
    if len(glob.glob("/dev/nvidia[0-9]*")) < 2 or len(visible) < 2:
        print("skipped: one GPU only")
        sys.exit(SKIPPED)
    for modes, size, schedule in itertools.product(itertools.product(["resident", "graph"], repeat=3), [512, 1 << 18], SCHEDULERS[:2]):
        names = ["x", "y", "z"]
        app = [feed("source", 300, size), *[add(name, 5) for name in names], sink("sink", 16, fed=True),
               connections(("source", "x"), ("x", "y"), ("y", "z"), ("z", "sink")),
               *[executor(name + "_graph", entities=[name], inputs={name + "/in": row(size)}, mode=mode, device=device)
                 for name, mode, device in zip(names, modes, [0, 1, 0])], MEMORY, schedule]
        expect(runner.run(app), "sink/check: 300 right", "completed after")
    app = []
    for device, name in enumerate(["x", "y"]):
        app += [feed(name + "_source", 3000, 512), add(name, 5), sink(name + "_sink", 6),
                connections((name + "_source", name), (name, name + "_sink")),
                executor(name + "_loop", entities=[name], inputs={name + "/in": row(512)}, device=device)]
    expect(runner.run([*app, MEMORY, scheduler()], "--stats"), "x_sink/check: 3000 right", "y_sink/check: 3000 right",
           "x_loop +3000 ", "y_loop +3000 ")


def ranks(runner):
    """A loop in each of two processes, on a GPU of its own where there are two: by fork, and by MPI where it is installed."""
    app = [feed("source", 500, 512), add("x", 5), add("y", 5), sink("sink", 11, fed=True), connections(("source", "x"), ("x", "y"), ("y", "sink")),
           executor("first", entities=["x"], inputs={"x/in": row(512)}), executor("second", entities=["y"], inputs={"y/in": row(512)}),
           MEMORY, scheduler()]
    path = runner.write(app)
    place = path.replace(".yaml", ".ranks.yaml")
    with open(place, "w") as file:
        file.write("0: [source, x]\n1: [y, sink]\n")
    listed = subprocess.run([runner.gxr, "list", "devices", "--format", "json"], text=True, capture_output=True, check=True)
    devices = len(json.loads(listed.stdout)["devices"])
    if devices == 0:
        print("skipped: no GPU")
        sys.exit(SKIPPED)
    arguments = ["-x", runner.extensions + "/gpu.so", path, "--place", place, "--format", "json"]
    ways = [[runner.gxr, "run", "--ranks", "2", *arguments]]
    transports = subprocess.run([runner.gxr, "list", "transports"], text=True, capture_output=True, check=True).stdout
    if shutil.which("mpirun") and "Open MPI" in transports:
        launch = ["mpirun", "--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else []), "-n", "2"]
        ways.append([*launch, runner.gxr, "run", *arguments])
    for command in ways:
        done = subprocess.run(command, text=True, capture_output=True, timeout=120, check=False)
        check(done.returncode == 0, f"{command}: {done.returncode}: {done.stdout}{done.stderr}")
        report = json.loads(done.stdout)
        used = {graph["name"]: (graph["device"], graph["iterations"]) for graph in report["graphs"]}
        check(used == {"first": (0, 500), "second": (1 % devices, 500)}, f"{command}: {used}")
        check("sink/check: 500 right" in done.stderr, f"{command}: {done.stderr}")


def alone(runner):
    """N4, N10: loops without inputs run as often as they are to, or until the end, each iteration once."""
    for loop, links, unroll in [("control_at_end", 1, 1), ("control_at_end", 16, 1), ("control_at_end", 3, 8), ("tail_launch", 16, 1), ("auto", 102, 1)]:
        names = [f"a{i}" for i in range(links)]
        entities = ["source", *names, "tally"]
        app = [source("source", 20011, 512), *[add(name, 5) for name in names], tally("tally", 1 + 5 * links),
               connections(*zip(entities, entities[1:])), executor(entities=entities, loop=loop, unroll=unroll), MEMORY, scheduler()]
        expect(runner.run(app, "--stats"), "tally/tally: 20011 iterations, 0 elements wrong", "loop +20011 ")
    app = [source("source", 1000, 512), add("a", 5), sink("sink", 6), connections(("source", "a"), ("a", "sink")),
           executor(entities=["source", "a"]), MEMORY, scheduler()]
    expect(runner.run(app), "sink/check: 1000 right", "completed after")
    # The host sees what was written when it sees that an iteration is done, although nothing leaves the graph.
    app = [source("source", 1000, 512), tally("tally", 1), connections(("source", "tally")),
           executor(entities=["source", "tally"], sync_with_host=True), MEMORY, scheduler()]
    expect(runner.run(app), "tally/tally: 1000 iterations, 0 elements wrong", "completed after")
    app = [source("source", None, 512), tally("tally", 1, quiet=True), connections(("source", "tally")),
           executor(entities=["source", "tally"]), MEMORY, scheduler(max_duration_ms=300)]
    expect(runner.run(app), "some iterations, 0 elements wrong", "duration")
    app[3] = executor(entities=["source", "tally"], timeout_ms=100)
    app[-1] = scheduler()
    expect(runner.run(app), "some iterations, 0 elements wrong", "has run for its timeout", "completed")


def ends(runner):
    """N12, F5: stopped while it waits, sleeps, or works, by a signal, a limit and for lack of messages."""
    for size in [512, 1 << 18]:
        app = chain(2, None, size, scheduler(max_duration_ms=200))
        expect(runner.run(app), r"sink/check: \d+ right", "duration")
        app = chain(2, None, size, scheduler(max_duration_ms=200), on_stop="abort")
        expect(runner.run(app), r"sink/check: \d+ right", "duration")
    # Nobody feeds it any more, and nothing has finished: a deadlock, not an endless wait.
    app = [sink("sink", 6), add("a", 5), feed("source", 3, 512), connections(("source", "a"), ("a", "sink")),
           executor(entities=["a"], inputs={"a/in": row(512)}), MEMORY, scheduler()]
    expect(runner.run(app), "sink/check: 3 right", "completed")
    for seconds in [0.5, 1.5]:
        app = chain(2, None, 512, sunk={"wait_us": 2000})
        running = subprocess.Popen(runner.command(app), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        time.sleep(seconds)
        running.send_signal(signal.SIGINT)
        output, _ = running.communicate(timeout=30)
        check(running.returncode in [130, -2], f"exit code {running.returncode}\n{output}")
        expect(output, "interrupted by a signal")
    # F14: killed in the middle; the next one works.
    running = subprocess.Popen(runner.command(chain(2, None, 512)), text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    check(running.poll() is None, "it has ended by itself")
    running.kill()
    check(running.wait(timeout=30) == -9, "it was not killed")
    expect(runner.run(chain(2, 20, 512)), "sink/check: 20 right")


def back_pressure(runner):
    """N3, F12: a slow consumer holds the producer back; one that takes nothing ends in a deadlock that says so."""
    for slots, size in itertools.product([1, 4], [512, 1 << 16]):
        output = runner.run(chain(2, 150, size, slots=slots, sunk={"wait_us": 300}))
        expect(output, "sink/check: 150 right")
    app = chain(2, 20, 512)
    next(each for each in app if each.get("name") == "sink")["components"] += count_term(3)
    expect(runner.run(app), "deadlock", "sink/check: 3 right")


def mixed(runner):
    """Results wait behind a consumer that also waits for something slow; a term that waits for a time is elsewhere."""
    slow = {"name": "slow", "components": transmitter() + [
        {"type": "gxr::PeriodicSchedulingTerm", "parameters": {"recess_period": "3ms"}},
        {"type": "gxr::CountSchedulingTerm", "parameters": {"count": 100}},
        {"name": "feed", "type": "gpu::Feed", "parameters": {"out": "out", "pool": "memory/pool", "size": 512, "pinned": True}}]}
    both = {"name": "both", "components": receiver() + receiver("other") + transmitter() + [
        {"name": "add", "type": "gpu::Add", "parameters": {"in": "in", "other": "other", "out": "out", "pool": "memory/pool", "value": 0}}]}
    for schedule in SCHEDULERS:
        app = [feed("source", 100, 512), add("a", 5), slow, both, sink("sink", 7, 2),
               connections(("source", "a"), ("a", "both"), ("slow", "both/other"), ("both", "sink")),
               executor(entities=["a"], inputs={"a/in": row(512)}), MEMORY, schedule]
        expect(runner.run(app), "sink/check: 100 right")
    # A timeout while results wait: those that come are right.
    for schedule, size in itertools.product(SCHEDULERS, [512, 1 << 16]):
        app = chain(2, None, size, schedule, timeout_ms=150, slots=3, sunk={"wait_us": 2000})
        expect(runner.run(app), r"sink/check: \d+ right", "has run for its timeout")
    expect(runner.run(chain(2, 100, 1 << 16), "--check-streams"), "sink/check: 100 right")
    # Time stands still while the loop always has something: the limit counts in real time.
    for kind, more in [("Greedy", {}), ("MultiThread", {"worker_thread_number": 2}), ("EventBased", {})]:
        app = chain(2, None, 512, {"name": "scheduler", "components": [
            {"name": "clock", "type": "gxr::ManualClock"},
            {"type": f"gxr::{kind}Scheduler", "parameters": {"clock": "clock", "max_duration_ms": 200, **more}}]})
        expect(runner.run(app, seconds=30), "duration after", r"sink/check: [1-9]\d* right")


def handlers(runner):
    """N4: operators look for input on the GPU, at every look or now and then; each input is worked on once, and none else."""
    for every, links in itertools.product([1, 3, 100], [1, 4]):
        names = [f"a{i}" for i in range(links)]
        entities = ["watch", *names, "tally"]
        app = [arrive("watch", "a0/add", every=every), *[add(name, 5) for name in names], tally("tally", 1 + 5 * links),
               connections(*zip(entities, entities[1:])), executor(entities=entities, data_not_ready_sleep_interval_us=0), MEMORY, scheduler()]
        app[1]["components"] += count_term(5003)
        expect(runner.run(app, "--stats"), "tally/tally: 5003 iterations, 0 elements wrong", "loop +5003 ")
    # What looks may have operators in front of it, and results may go to the CPU.
    packets = {"name": "packets", "components": transmitter() + [
        {"name": "packets", "type": "gpu::Packets", "parameters": {"out": "out"}}]}
    for schedule in SCHEDULERS:
        app = [packets, arrive("watch", "a/add", fed=True, every=2), add("a", 5), sink("sink", 6),
               connections(("packets", "watch"), ("watch", "a"), ("a", "sink")),
               executor(entities=["packets", "watch", "a"]), MEMORY, schedule]
        app[2]["components"] += count_term(700)
        expect(runner.run(app), "sink/check: 700 right", "completed after")
    # Both are needed: what a handler has found, and a message, small or large.
    for size, every in itertools.product([512, 1 << 16], [1, 20]):
        app = [arrive("watch", "sum/add", size=size, every=every), feed("two", 300, size), add("sum", 4, ["in", "other"]),
               sink("sink", 6, 2, fed=True), connections(("watch", "sum"), ("two", "sum/other"), ("sum", "sink")),
               executor(entities=["watch", "sum"], inputs={"sum/other": row(size)}), MEMORY, scheduler()]
        app[2]["components"] += count_term(300)
        expect(runner.run(app), "sink/check: 300 right", "completed after")
    # Two handlers: both, or any.
    for ready, count in [("all", 400), ("any", None)]:
        app = [arrive("one", "sum/news", most=400, every=3), arrive("two", "sum/news", most=400, every=5),
               {"name": "sum", "components": receiver("first") + receiver("second") + count_term(count) + [
                   {"name": "news", "type": "gpu::TallyNews", "parameters": {"first": "first", "second": "second"}}]},
               connections(("one", "sum/first"), ("two", "sum/second")),
               executor(entities=["one", "two", "sum"], ready=ready), MEMORY, scheduler(max_duration_ms=3000)]
        output = runner.run(app)
        expect(output, r"400 and 400 in (\d+) iterations, 0 wrong")
        iterations = int(re.search(r"400 and 400 in (\d+) iterations", output)[1])
        check(iterations == 400 if ready == "all" else 400 < iterations <= 800, f"{ready}: {iterations} iterations")
    # Nothing ever comes: the loop is ended all the same.
    for stop in ["drain", "abort"]:
        app = [arrive("watch", "a/add", most=0), add("a", 5), tally("tally", 6), connections(("watch", "a"), ("a", "tally")),
               executor(entities=["watch", "a", "tally"], on_stop=stop), MEMORY, scheduler(max_duration_ms=300)]
        expect(runner.run(app), "tally/tally: 0 iterations", "duration")


def many_inputs(runner):
    """More inputs than a warp has lanes: large ones, and a small one that comes late."""
    sizes = {f"t{i}": 1 << 14 for i in range(32)} | {"last": 512}
    app = [part for name, size in sizes.items() for part in (
        feed("feed_" + name, 60, size, wait_us=300 if name == "last" else 0), tally(name, 1), connections(("feed_" + name, name)))]
    for loop in ["auto", "control_at_end", "tail_launch"]:
        whole = [*app, executor(entities=list(sizes), loop=loop, inputs={name + "/in": row(size) for name, size in sizes.items()}), MEMORY,
                 scheduler()]
        expect(runner.run(whole), *[f"{name}/tally: 60 iterations, 0 elements wrong" for name in sizes], "completed after")


def any_input(runner):
    """N6: an iteration begins when any input is there; the others show their last, and nothing is lost or doubled."""
    for size, slots, loop in itertools.product([512, 1 << 16], [1, 3], ["auto", "control_at_end", "tail_launch"]):
        app = two_inputs(300, 170, size, ready="any", loop=loop, slots=slots)
        output = runner.run(app)
        expect(output, r"300 and 170 in (\d+) iterations, 0 wrong", "completed after")
        iterations = int(re.search(r"in (\d+) iterations", output)[1])
        check(300 <= iterations <= 470, f"{iterations} iterations")
    for size, schedule in itertools.product([512, 1 << 16], SCHEDULERS):
        app = [feed("one", 300, size), feed("two", 170, size), add("sum", 4, ["in", "other"]), sink("sink", 5, grows=2),
               connections(("one", "sum"), ("two", "sum/other"), ("sum", "sink")),
               executor(entities=["sum"], ready="any", inputs={"sum/in": row(size), "sum/other": row(size)}), MEMORY, schedule]
        expect(runner.run(app), r"sink/check: \d+ right, the last 474", "completed after")


def late_shapes(runner):
    """Without a shape in the file the first message tells it, and a later one may tell another; what the file says is fixed."""
    app = chain(2, 200, 777)
    del app[5]["components"][0]["parameters"]["inputs"]
    check(app[5]["components"][0]["name"] == "loop", "the executor is elsewhere")
    expect(runner.run(app, "--stats"), "sink/check: 200 right", "loop +200 ")
    app = chain(2, 200, 777, fed={"wrong_at": 30})
    del app[5]["components"][0]["parameters"]["inputs"]
    expect(runner.run(app, "--stats"), "sink/check: 200 right", "loop +200 ")
    app = chain(2, 200, 777, fed={"wrong_at": 30})
    expect(runner.run(app, status=1), r"region 'loop' is built for int32 \[777\] at 'a0/in', which received int32 \[778\]")


def faults(runner):
    """A kernel that fails ends the run within seconds, with the region's name."""
    app = chain(2, None, 512)
    app[1] = {"name": "a0", "components": receiver() + transmitter() + [
        {"name": "astray", "type": "gpu::Astray", "parameters": {"in": "in", "out": "out", "at": 50}}]}
    next(each for each in app if each.get("name") == "sink")["components"][-1]["parameters"]["first"] = 6
    begin = time.monotonic()
    output = runner.run(app, status=1)
    check(time.monotonic() - begin < 20, "it took too long")
    expect(output, "loop", "cudaErrorIllegalAddress")
    # One that hangs: the run gives up, says so, and the process ends.
    app[1]["components"][-1]["parameters"]["hangs_s"] = 60
    app[-1] = scheduler(max_duration_ms=3000)
    output = runner.run(app, status=1, seconds=45)
    expect(output, "region 'loop' does not end", "failed after")
    expect(runner.run(chain(2, 20, 512)), "sink/check: 20 right")


def footprint(runner):
    """The report has the device memory of graphs: arena, inputs, outputs and what controls them."""
    for mode, size in itertools.product(["graph", "resident"], [64, 777, 1 << 16]):
        app = chain(3, 20, size, mode=mode, slots=3)
        region = next(each for each in runner.plan(app)["regions"] if each["name"] == "loop")["graph"]
        blocks = [region["arena_bytes"]] + [each["bytes"] for each in region["buffers"] if each["place"] == "own"]
        together = sum((block + 255) // 256 * 256 for block in blocks)
        # Small ones lie together, with room to choose the place from.
        planned = together + 32768 if together <= 8192 else sum(blocks)
        (graph,) = runner.report(app)["graphs"]
        check(graph["mode"] == mode and graph["iterations"] == 20, f"{mode}: {graph}")
        more = graph["memory_bytes"] - planned
        if mode == "graph":
            check(region["staging_bytes"] == (3 * 4 * size if size > 8192 else 0), f"{region['staging_bytes']} bytes are staged")
            more -= region["staging_bytes"]
            check(more == 8, f"{more} bytes, not those of a counter")
        else:  # slots in device memory are those of large tensors
            slots = 6 * 4 * size if size > 8192 else 0
            check(slots < more < slots + 64 * 1024, f"{more} bytes, not {slots} and some tables")
        expect(runner.run(app, "--stats"), r"loop +20 .*[KM]iB")


def launched_inputs(runner):
    """Graphs that the host launches get every message as it was sent, once, in order: sizes around the one from which on
    copies run ahead, all kinds of memory, slow and fast sources, on all schedulers."""
    sizes = [512, 8192, 8193, 1 << 16]  # 8192 elements are 32 KiB
    for schedule, size in itertools.product(SCHEDULERS, sizes):
        for fed in [{}, {"pinned": True}, *([{"pinned": True, "wait_us": 300}] if size > 8192 else [])]:
            app = chain(2, 1000, size, schedule, mode="graph", fed=fed)
            expect(runner.run(app), "sink/check: 1000 right", "completed after")
        app = [source("source", 1000, size), add("a", 5), sink("sink", 6), connections(("source", "a"), ("a", "sink")),
               executor(entities=["a"], mode="graph", inputs={"a/in": row(size)}), MEMORY, schedule]
        expect(runner.run(app), "sink/check: 1000 right", "completed after")
    # More and fewer slots, long iterations, and a consumer that looks late at what it gets.
    for slots, work_us, wait_us in [(1, 0, 0), (1, 200, 0), (5, 200, 0), (2, 0, 500), (64, 20, 0)]:
        app = chain(2, 400, 1 << 16, SCHEDULERS[1], mode="graph", slots=slots, fed={"pinned": True}, sunk={"wait_us": wait_us})
        app[1]["components"][-1]["parameters"]["work_us"] = work_us
        expect(runner.run(app, "--stats"), "sink/check: 400 right", "loop +400 ")
    expect(runner.run(chain(2, 100, 1 << 16, mode="graph", fed={"pinned": True}), "--check-streams"), "sink/check: 100 right")


def launched_together(runner):
    """Inputs from the host that depend on work of a GPU, that others read, too, and several of different kinds."""
    size = 1 << 16
    # The message is in page-locked memory, and a slow kernel and a copy on another stream still write it.
    for schedule in SCHEDULERS:
        copier = {"name": "down", "components": receiver() + transmitter() + [
            {"name": "down", "type": "gxr::TensorCopier",
             "parameters": {"receiver": "in", "transmitter": "out", "allocator": "memory/pool", "mode": 1}}]}
        app = [source("source", 300, size), copier, add("a", 5), sink("sink", 6),
               connections(("source", "down"), ("down", "a"), ("a", "sink")),
               executor(entities=["a"], mode="graph", inputs={"a/in": row(size)}), MEMORY, schedule]
        app[0]["components"][-1]["parameters"]["work_us"] = 100
        expect(runner.run(app), "sink/check: 300 right")
        # A codelet of the CPU, and a second graph, read the same messages.
        app = [feed("source", 300, size, pinned=True), add("a", 5), add("b", 7), sink("sink", 6), sink("other", 8), sink("tap", 1),
               connections(("source", "a"), ("source", "b"), ("source", "tap"), ("a", "sink"), ("b", "other")),
               executor("first", entities=["a"], mode="graph", inputs={"a/in": row(size)}),
               executor("second", entities=["b"], mode="graph", inputs={"b/in": row(size)}), MEMORY, schedule]
        expect(runner.run(app), "sink/check: 300 right", "other/check: 300 right", "tap/check: 300 right")
        # One input of the host and one of the device, and a graph behind, whose input is not copied ahead.
        app = [feed("one", 300, size, pinned=True), source("two", 300, size), add("sum", 4, ["in", "other"]), add("more", 10),
               sink("sink", 16, 2), connections(("one", "sum"), ("two", "sum/other"), ("sum", "more"), ("more", "sink")),
               executor("first", entities=["sum"], mode="graph", inputs={"sum/in": row(size), "sum/other": row(size)}),
               executor("second", entities=["more"], mode="graph", inputs={"more/in": row(size)}), MEMORY, schedule]
        expect(runner.run(app), "sink/check: 300 right")
        staged = {each["name"]: each["graph"]["staging_bytes"] for each in runner.plan(app)["regions"] if "graph" in each}
        check(staged == {"first": 2 * 2 * 4 * size, "second": 0}, f"staged: {staged}")
    # The first message tells the shape; the same on the SMs of a green context.
    app = chain(2, 200, size, mode="graph", fed={"pinned": True})
    del app[5]["components"][0]["parameters"]["inputs"]
    expect(runner.run(app, "--stats"), "sink/check: 200 right", "loop +200 ")
    app = [GREEN_CONTEXT, *chain(2, 200, size, mode="graph", green_context="sms/part", priority=-1)]
    expect(runner.run(app), "sink/check: 200 right")


def launched_ahead(runner):
    """While an iteration runs, the next inputs are copied: iterations do not end before later messages were given back,
    which page-locked ones are when they were copied, and others when the call that copies has returned."""
    for slots, pinned in itertools.product([1, 2, 5], [True, False]):
        lend = {"name": "source", "components": transmitter() + count_term(40) + [
            {"name": "lend", "type": "gpu::Lend",
             "parameters": {"out": "out", "gate": "gate/gate", "size": 1 << 16, "all": 40, "pinned": pinned}}]}
        gate = {"name": "gate", "components": receiver() + transmitter() + [
            {"name": "gate", "type": "gpu::Gate", "parameters": {"in": "in", "out": "out", "ahead": slots, "all": 40}}]}
        app = [lend, gate, tally("tally", 1), connections(("source", "gate"), ("gate", "tally")),
               executor(entities=["gate", "tally"], mode="graph", slots=slots, inputs={"gate/in": row(1 << 16)}), MEMORY, scheduler()]
        expect(runner.run(app), "gate/gate: never waited in vain", "tally/tally: 40 iterations, 0 elements wrong", "completed after")


def launched_without_memory(runner):
    """Buffers that do not fit into the GPU's memory end the run before its first iteration, and it says whose they are."""
    app = chain(1, 1, 512, mode="graph", slots=64)
    app[4]["components"][0]["parameters"]["inputs"] = {"a0/in": row(1 << 30)}
    expect(runner.run(app, status=1), r"'loop.*': GPU 0 .* has no 4294967296 bytes", "failed after")
    expect(runner.run(chain(1, 20, 1 << 16, mode="graph")), "sink/check: 20 right")


def places(runner):
    """A graph runs on the SMs of its green context, in the memory-sync domain that it asks for."""
    for mode in ["graph", "resident"]:
        used = {}
        for where in [{}, {"green_context": "sms/part", "memory_sync_domain": "remote"}]:
            app = [feed("source", 200, 512), add("a", 5), add("b", 5), sink("sink", 11), tally_sms("sms_of_graph"),
                   connections(("source", "a"), ("a", "b"), ("a", "sms_of_graph"), ("b", "sink")), GREEN_CONTEXT,
                   executor(entities=["a", "b", "sms_of_graph"], mode=mode, inputs={"a/in": row(512)}, **where), MEMORY, scheduler()]
            output = runner.run(app)
            expect(output, "sink/check: 200 right", "completed after")
            used[bool(where)] = int(re.search(r"ran on (\d+) SMs", output)[1])
        check(used[True] <= 16 < used[False], f"{mode}: {used} SMs, with and without a green context of 16")


def kept_in_l2(runner):
    """Operators may ask the L2 cache to keep their output or scratch; without such memory that is an error."""
    for mode in ["graph", "resident"]:
        app = chain(2, 200, 1 << 16, mode=mode)
        app[1]["components"][-1]["parameters"]["kept_in_l2"] = 2
        expect(runner.run(app), "sink/check: 200 right", "completed after")
        app[1]["components"][-1]["parameters"]["kept_in_l2"] = 1
        expect(runner.run(app, status=1), "'a0', component 'add'.*asks for the L2 cache to keep its scratch, but has none")


if __name__ == "__main__":
    main([bridges, order, late_inputs, branches, regions, two_gpus, ranks, alone, ends, back_pressure, mixed, handlers, many_inputs, any_input, late_shapes, faults, footprint, launched_inputs, launched_together,
          launched_ahead, launched_without_memory, places, kept_in_l2])
