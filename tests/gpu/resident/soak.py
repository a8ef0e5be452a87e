#!/usr/bin/env python3
"""Random applications with graphs that loop on the GPU, or that the host launches, one after the other, for some time: sizes, slots, loop shapes,
schedulers, slow consumers, ends of all kinds. Beside them one application runs all the time, whose memory must not grow, and a program that tears its
loop down and launches it again."""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(FOLDER, ".."), os.path.join(FOLDER, "..", "branches")]
from branches import application, branch, decide, delayed, watch
from applications import (MEMORY, Runner, SCHEDULERS, add, arrive, chain, check, connections, count_term, executor, expect, feed, row, scheduler,
                          sink, tally, two_inputs)


def any_size(rng):
    return rng.choice([1, 512, 7001, 8192, 8193, 1 << 16])


def random_chain(rng):
    """A chain between CPU codelets; every message comes, in order, with its time."""
    count, links, slots = rng.randint(1, 3000), rng.randint(1, 6), rng.randint(1, 8)
    sunk = {"wait_us": rng.choice([0, 0, 50, 500])}
    count = min(count, 400) if sunk["wait_us"] else count
    loop, unroll = rng.choice([("auto", 1), ("head_tail", 1), ("control_at_end", 1), ("tail_launch", 1), ("auto", rng.randint(2, 8))])
    app = chain(links, count, any_size(rng), rng.choice(SCHEDULERS), fed={"pinned": rng.random() < 0.5},
                sunk={**sunk, "capacity": rng.randint(1, 4)}, slots=slots, loop=loop, unroll=unroll)
    return app, [f"sink/check: {count} right", "completed after"]


def random_launched(rng):
    """A chain that the host launches: large messages are copied ahead, whatever waits on either side."""
    count = rng.randint(1, 1500)
    fed = {"pinned": rng.random() < 0.7, "wait_us": rng.choice([0, 0, 100])}
    app = chain(rng.randint(1, 4), count, any_size(rng), rng.choice(SCHEDULERS), fed=fed, mode="graph", slots=rng.randint(1, 8),
                sunk={"wait_us": rng.choice([0, 0, 200]), "capacity": rng.randint(1, 4)})
    app[1]["components"][-1]["parameters"]["work_us"] = rng.choice([0, 0, 50, 200])
    return app, [f"sink/check: {count} right", "completed after"]


def random_pair(rng):
    """Two graphs, one behind the other."""
    count, size = rng.randint(1, 1000), any_size(rng)
    app = [feed("source", count, size), add("x", 5), add("y", 5), sink("sink", 11, fed=True),
           connections(("source", "x"), ("x", "y"), ("y", "sink")),
           executor("first", entities=["x"], inputs={"x/in": row(size)}, slots=rng.randint(1, 4)),
           executor("second", entities=["y"], inputs={"y/in": row(size)}, slots=rng.randint(1, 4)), MEMORY, rng.choice(SCHEDULERS)]
    return app, [f"sink/check: {count} right", "completed after"]


def random_any(rng):
    """Two inputs of which any is enough; none of their messages is lost."""
    one, two, size = rng.randint(1, 800), rng.randint(1, 800), any_size(rng)
    app = [feed("one", one, size), feed("two", two, size),
           add("sum", 4, ["in", "other"]), sink("sink", 5, grows=2),
           connections(("one", "sum"), ("two", "sum/other"), ("sum", "sink")),
           executor(entities=["sum"], ready="any", slots=rng.randint(1, 6), inputs={"sum/in": row(size), "sum/other": row(size)}),
           MEMORY, rng.choice(SCHEDULERS)]
    return app, [rf"sink/check: \d+ right, the last {one + two + 4}\b", "completed after"]


def random_inputs(rng):
    """Two inputs that each iteration has, and no output."""
    count = rng.randint(1, 1500)
    app = two_inputs(count, count, any_size(rng), rng.choice(SCHEDULERS), slots=rng.randint(1, 8),
                     **rng.choice([{"loop": "auto"}, {"loop": "control_at_end"}, {"loop": "tail_launch"}, {"unroll": rng.randint(2, 8)}]))
    return app, [f"{count} and {count} in {count} iterations, 0 wrong", "completed after"]


def random_handler(rng):
    """Input that the GPU finds."""
    count = rng.randint(1, 3000)
    app = [arrive("watch", "a/add", every=rng.randint(1, 9), size=any_size(rng)), add("a", 5), sink("sink", 6), tally("tally", 6),
           connections(("watch", "a"), ("a", "sink"), ("a", "tally")),
           executor(entities=["watch", "a", "tally"], slots=rng.randint(1, 4)), MEMORY, rng.choice(SCHEDULERS)]
    app[1]["components"] += count_term(count)
    return app, [f"sink/check: {count} right", f"{count} iterations, 0 elements wrong"]


def random_choice(rng):
    """Lists of any length, between which a number of the message decides."""
    count, lists, length = rng.randint(1, 1000), rng.randint(2, 4), rng.choice([1, 3, 12, 20])
    names = [[f"case{i}_{j}" for j in range(length)] for i in range(lists)]
    middle = [decide("kind", "Remainder", lists), *[add(name, i + 1) for i, chain in enumerate(names) for name in chain],
              branch("kinds", "Switch", selector="kind/out", cases=names)]
    links = [("source", "kind"), *[("source", chain[0]) for chain in names], *[each for chain in names for each in zip(chain, chain[1:])],
             *[(chain[-1], "sink") for chain in names]]
    way = rng.choice([{"mode": "graph"}, {"loop": "auto"}, {"loop": "auto"}, {"loop": "control_at_end"}, {"unroll": 3}])
    app = application(count, any_size(rng), rng.choice(SCHEDULERS), {**way, "slots": rng.randint(1, 8)}, middle, links, ["kind/in"],
                      [i + length * (i % lists + 1) for i in range(1, count + 1)])
    return app, [f"sink/check: {count} right", "completed after"]


def random_side(rng):
    """A body in the iteration, behind it, or beside it and later ones, whose results come in order."""
    count, launch = rng.randint(1, 3000), rng.choice(["in_iteration", "fire_and_forget", "sibling"])
    front = [("front", "slow")] if launch != "sibling" else []
    middle = [add("front", 1), add("slow", 5, work_us=rng.choice([0, 0, 20, 300])), watch("watch", 6), delayed("slow/out", "watch/in"),
              *([] if front else [delayed("front/out", "slow/in")]),
              branch("often", "Every", count=rng.randint(1, 20), first=rng.randint(0, 5), body=["slow"], launch=launch)]
    app = application(count, any_size(rng), rng.choice(SCHEDULERS), {"slots": rng.randint(1, 8)}, middle,
                      [("source", "front"), *front, ("front", "sink")], ["front/in"], [n + 2 for n in range(count)])
    return app, [f"sink/check: {count} right", "watch/watch: [0-9]+ new numbers, 0 wrong", "completed after"]


def random_end(rng):
    """An endless chain that ends at some time, by a limit: what was passed on is right."""
    limit = {"max_duration_ms": rng.randint(1, 300)}
    kind = rng.choice([scheduler(**limit), scheduler("MultiThreadScheduler", worker_thread_number=3, **limit),
                       scheduler("EventBasedScheduler", worker_thread_number=2, **limit)])
    app = chain(rng.randint(1, 4), None, any_size(rng), kind, slots=rng.randint(1, 4), on_stop=rng.choice(["drain", "abort"]),
                mode=rng.choice(["resident", "resident", "graph"]), fed={"pinned": rng.random() < 0.5},
                sunk={"wait_us": rng.choice([0, 300])})
    return app, [r"sink/check: \d+ right", "duration"]


def cut_off(kind):
    """Another one that a limit ends at some time."""

    def make(rng):
        app, _ = kind(rng)
        app[-1] = scheduler(max_duration_ms=rng.randint(1, 60))
        find_executor(app)["on_stop"] = rng.choice(["drain", "abort"])
        return app, [r"sink/check: \d+ right"]

    return make


def find_executor(app):
    return next(each["components"][0]["parameters"] for each in app
                if each["components"][0]["type"] == "gxr::cuda::GraphExecutor")


KINDS = [random_chain, random_chain, random_launched, random_pair, random_any, random_inputs, random_handler, random_choice, random_side, random_end,
         cut_off(random_any), cut_off(random_handler), cut_off(random_choice), cut_off(random_side)]


def interrupted(runner, rng):
    """Stopped by Ctrl-C at some time."""
    app = chain(rng.randint(1, 3), None, any_size(rng), rng.choice(SCHEDULERS), sunk={"wait_us": rng.choice([0, 200])})
    running = subprocess.Popen(runner.command(app), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        time.sleep(rng.uniform(0.6, 1.5))
        running.send_signal(signal.SIGINT)
        output, _ = running.communicate(timeout=60)
    finally:
        running.kill()
    check(running.returncode in [130, -2], f"exit code {running.returncode} of {runner.number}\n{output}")


def memory_of_gpu():
    """In MiB; None where nvidia-smi does not tell."""
    if shutil.which("nvidia-smi") is None:
        return None
    done = subprocess.run(["nvidia-smi", "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], text=True,
                          capture_output=True)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip().isdigit() else None


class Steady:
    """The application that runs all the time: pages of memory, as they grow. It ends by itself if nobody ends it."""

    def __init__(self, runner, seconds):
        app = chain(3, None, 7001, scheduler(max_duration_ms=int(seconds + 600) * 1000), slots=3, fed={"pinned": True})
        self.process = subprocess.Popen(runner.command(app), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.sizes = []

    def look(self):
        try:
            with open(f"/proc/{self.process.pid}/status") as status:
                self.sizes.append(int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]))
        except (OSError, TypeError):
            check(False, f"the steady application ended early:\n{self.process.communicate()[0]}")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate(timeout=60)
        expect(output, r"sink/check: \d+ right", "interrupted by a signal")
        settled = self.sizes[len(self.sizes) // 4:]
        check(len(settled) < 2 or settled[-1] < settled[0] + 8 * 1024, f"its memory grows: {settled} KiB")
        return int(re.search(r"sink/check: (\d+) right", output)[1])


def begin_restarts(program, seconds):
    """Test cases of gpu_device that launch and destroy loops again and again, half of the time each."""
    return subprocess.Popen([program, "[soak]"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            env={**os.environ, "GXR_SOAK_SECONDS": str(int(seconds / 2))})


def end_restarts(running):
    output, _ = running.communicate(timeout=120)
    check(running.returncode == 0, f"launched again and again, it ended with {running.returncode}:\n{output}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--extensions", required=True)
    parser.add_argument("--gpu-device", required=True, help="the tests of that name")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    print(f"seed {arguments.seed}", flush=True)
    end = time.monotonic() + arguments.seconds
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(arguments, folder)
        runner.run(chain(1, 10, 512))  # skips without a GPU
        steady = Steady(runner, arguments.seconds)
        restarts = None
        try:
            time.sleep(3)
            before = memory_of_gpu()
            restarts = begin_restarts(arguments.gpu_device, arguments.seconds)
            runs = 0
            while time.monotonic() < end:
                steady.look()
                if runs % 5 == 4:
                    interrupted(runner, rng)
                else:
                    app, texts = rng.choice(KINDS)(rng)
                    expect(runner.run(app, seconds=120), *texts)
                runs += 1
            end_restarts(restarts)
            steady.look()
            after = memory_of_gpu()
            # Others may use the GPU, too: what is lost run by run is much more.
            check(before is None or after < before + 1024, f"MiB of the GPU that are used: {before} before, {after} after")
            print(f"{runs} applications, and one of {steady.end()} messages, right")
        finally:
            steady.process.kill()
            if restarts is not None:
                restarts.kill()


if __name__ == "__main__":
    main()
