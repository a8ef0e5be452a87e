#!/usr/bin/env python3
"""GPU work that does not end when a run is to end early. One test per name; see CMakeLists.txt."""
import os
import signal
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from applications import MEMORY, add, chain, check, connections, executor, expect, feed, main, receiver, row, scheduler, sink, source

PATIENCE = "2"
DROP = {"name": "sink", "components": receiver() + [{"name": "drop", "type": "gpu::Drop", "parameters": {"in": "in"}}]}
NEVER = {"work_us": 100_000_000}
LINKS = connections(("source", "a0"), ("a0", "a1"), ("a1", "sink"))
SOON = scheduler(max_duration_ms=1500)
THREADS = scheduler("MultiThreadScheduler", worker_thread_number=3, max_duration_ms=1500)


def paced(entity, period="50ms"):
    """Few ticks, since CUDA's own queues are full at some time."""
    entity["components"] = [*entity["components"], {"type": "gxr::PeriodicSchedulingTerm", "parameters": {"recess_period": period}}]
    return entity


def hangs(users):
    return (rf"the run is to end, but work on a GPU does not end: none has made progress for {PATIENCE} s; "
            rf"most likely that of .*'{users}/add'")


def ends_soon(runner, app, *texts, flags=()):
    begin = time.monotonic()
    expect(runner.run(app, "--end-patience", PATIENCE, *flags, status=1, seconds=60), *texts)
    check(time.monotonic() - begin < 25, "it took too long")


def interrupted(runner, app, after, *texts):
    begin = time.monotonic()
    with subprocess.Popen([*runner.command(app), "--end-patience", PATIENCE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          cwd=runner.folder) as running:
        time.sleep(after)
        running.send_signal(signal.SIGINT)
        (output, _) = running.communicate(timeout=60)
    expect(output, *texts)
    check(running.returncode == 1, f"ended with {running.returncode}\n{output}")
    check(time.monotonic() - begin < 30, "it took too long")


def loop_of(inputs, size, **options):
    return executor(entities=[inputs[0].split("/")[0]], inputs={each: row(size) for each in inputs}, **options)


def streams(runner):
    """Work of codelets on streams of gxr's, in front of loops and graphs and behind them."""
    size = 1 << 16
    first = lambda: paced(source("source", None, size))
    uses = lambda *rest: [first(), add("a0", 5), add("a1", 5, **NEVER), DROP, LINKS, MEMORY, *rest]
    makes = lambda end, *rest: [first(), add("a0", 5, **NEVER), add("a1", 5), end, LINKS, MEMORY, *rest]
    check_all = sink("sink", 11)  # on the CPU: its tick waits for the GPU
    two = [first(), add("a0", 5, **NEVER), feed("other", 20, size), add("sum", 5, ("in", "other")), DROP, MEMORY,
           connections(("source", "a0"), ("a0", "sum"), ("other", "sum/other"), ("sum", "sink")),
           loop_of(["sum/in", "sum/other"], size, ready="any"), SOON]
    for app, name in [(uses(SOON), "a1"), (uses(loop_of(["a0/in"], size), SOON), "a1"),
                      (uses(loop_of(["a0/in"], size, on_stop="abort"), THREADS), "a1"), (makes(DROP, SOON), "a0"),
                      (makes(DROP, loop_of(["a1/in"], size), SOON), "a0"), (makes(DROP, loop_of(["a1/in"], size, on_stop="abort"), SOON), "a0"),
                      (makes(DROP, loop_of(["a1/in"], size, mode="graph"), SOON), "a0"), (two, "a0"), (makes(check_all, THREADS), "a0")]:
        ends_soon(runner, app, hangs(name), "failed after")
    # So with an interrupt, also while a tick waits for such work.
    interrupted(runner, makes(check_all, loop_of(["a1/in"], size, mode="graph"), scheduler()), 4, hangs("a0"), "failed after")
    expect(runner.run(chain(2, 20, 512)), "sink/check: 20 right")


def hang(how):
    return [paced({"name": "hang", "components": [{"name": "hang", "type": "gpu::Hang", "parameters": {"how": how}}]}), SOON]


def own_streams(runner):
    """Work on a stream that gxr does not know is seen when all components have stopped; whoever gives memory back to gxr does not wait for it."""
    for how, *flags in (("nobody",), ("free_by_gxr",), ("nobody", "--check-streams")):
        ends_soon(runner, hang(how), rf"work on a GPU does not end: none has made progress for {PATIENCE} s", "failed after", flags=flags)


def inside_cuda(runner):
    """A call of CUDA waits, and no other call returns: the process ends, and says in which call of a component it was."""
    expect(runner.run(chain(2, 20, 512)), "sink/check: 20 right")  # or there is no GPU
    app = hang("fill")
    app[-1] = scheduler()
    interrupted(runner, app, 3, "work on a GPU does not end: ", "tick of entity 'hang', component 'hang' .* did not return for")


def captured(runner):
    """An interrupt while operators are captured ends the run in order."""
    expect(runner.run(chain(2, 20, 512)), "sink/check: 20 right")  # or there is no GPU
    app = chain(3, None, 512, mode="graph", fed={"wait_us": 100})
    for after in (0.3, 0.6, 0.9, 1.2):
        with subprocess.Popen(runner.command(app), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=runner.folder) as running:
            time.sleep(after)
            running.send_signal(signal.SIGINT)
            (output, _) = running.communicate(timeout=60)
        check(running.returncode == 130, f"ended with {running.returncode}\n{output}")


def slow(runner):
    """What only takes long is waited for: with other progress or a longer patience, and when the run ends by itself."""
    size = 1 << 16
    uses = lambda work, *rest: [source("source", 1, size), add("a0", 5), add("a1", 5, work_us=work), DROP, LINKS, MEMORY, *rest]
    expect(runner.run(uses(6_000_000, loop_of(["a0/in"], size), scheduler()), "--end-patience", "1"), "completed after")
    long = [paced(source("source", None, size)), add("a0", 5), add("a1", 5, work_us=6_000_000), DROP, LINKS, MEMORY, scheduler(max_duration_ms=200)]
    expect(runner.run(long, "--end-patience", "20"), "duration after")
    expect(runner.run(long, "--end-patience", "0"), "duration after")


if __name__ == "__main__":
    main([streams, own_streams, inside_cuda, captured, slow])
