#!/usr/bin/env python3
"""V4: which nodes besides kernels the CUDA graphs have that are built, by kind, as CUDA draws them, against shapes.txt. `--accept` writes that anew."""
import argparse
import collections
import os
import re
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
for neighbour in ("resident", "branches"):
    sys.path.insert(0, os.path.join(FOLDER, "..", neighbour))
from branches import branch, decide, delayed
from resident import MEMORY, Runner, add, check, connections, executor, expect, feed, row, scheduler, sink

EXPECTED = os.path.join(FOLDER, "shapes.txt")
SIZE = 512
WAYS = {"launched by the host": {"mode": "graph"}, "head_tail": {"loop": "head_tail"}, "control_at_end": {"loop": "control_at_end"},
        "unroll 4": {"unroll": 4}, "tail_launch": {"loop": "tail_launch"}, "measured": {"loop": "control_at_end", "instrument_every": 10}}
# What only runs a graph again from inside it cannot have conditional nodes.
WITHOUT_BRANCHES, WITH_BRANCHES = list(WAYS), [name for name in WAYS if name != "tail_launch"]


def fed(middle, links, inputs, output):
    app = [feed("source", 20, SIZE), *middle, sink("sink", 0, fed=True, wanted=output), connections(*links)]
    return app, [each["name"] for each in middle if "name" in each], inputs


def chain(length):
    names = [f"a{i}" for i in range(length)]
    return fed([add(name, 5) for name in names], list(zip(["source", *names], [*names, "sink"])), ["a0/in"],
               [i + 5 * length for i in range(1, 21)])


def fan_out():
    names = ["top", "left", "right"]
    app = [feed("source", 20, SIZE), *[add(name, 1) for name in names], sink("one", 3), sink("other", 3),
           connections(("source", "top"), ("top", "left"), ("top", "right"), ("left", "one"), ("right", "other"))]
    return app, names, ["top/in"]


def join():
    app = [feed("one", 20, SIZE), feed("two", 20, SIZE), add("sum", 4, ["in", "other"]), sink("sink", 6, 2),
           connections(("one", "sum"), ("two", "sum/other"), ("sum", "sink"))]
    return app, ["sum"], ["sum/in", "sum/other"]


def diamond():
    return fed([add("top", 1), add("left", 1), add("right", 2), add("join", 4, ["in", "other"])],
               [("source", "top"), ("top", "left"), ("top", "right"), ("left", "join"), ("right", "join/other"), ("join", "sink")],
               ["top/in"], [2 * i + 9 for i in range(1, 21)])


def short_switch():
    values = [100, 200, 300, 400]
    names = [f"case{i}" for i in range(4)]
    return fed([decide("kind", "Remainder", 4), *[add(*each) for each in zip(names, values)],
                branch("kinds", "Switch", selector="kind/out", cases=[[name] for name in names])],
               [("source", "kind"), *[("source", name) for name in names], *[(name, "sink") for name in names]], ["kind/in"],
               [i + values[i % 4] for i in range(1, 21)])


def repeats():
    wanted, held = [], 0
    for i in range(1, 21):
        for _ in range(6):
            held += i + 1
            if held % 7 == 0:
                break
        wanted.append(held)
    return fed([add("one", 1, ("in", "last")), decide("rest", "Remainder", 7), delayed("one/out", "one/last"),
                branch("again", "While", condition="rest/out", body=["one", "rest"], limit=6)],
               [("source", "one"), ("one", "rest"), ("one", "sink")], ["one/in"], wanted)


SHAPES = {"chain of 1": (lambda: chain(1), WITHOUT_BRANCHES), "chain of 4": (lambda: chain(4), WITHOUT_BRANCHES),
          "fan-out": (fan_out, WITHOUT_BRANCHES), "two inputs that join": (join, WITHOUT_BRANCHES), "diamond": (diamond, WITHOUT_BRANCHES),
          "Switch of four": (short_switch, WITH_BRANCHES), "While of two": (repeats, WITH_BRANCHES)}


def kinds(file):
    """How many nodes of each kind a drawing has; kernels are drawn otherwise."""
    with open(file, encoding="utf-8") as drawing:
        found = re.findall(r'"graph_\d+_node_\d+"\s*\[[^\]]*?label="\s*\{?\s*(?:\\n|\s)*([A-Za-z_ ]+)', drawing.read())
    counted = collections.Counter(each.strip().lower() for each in found)
    return ", ".join(f"{counted[kind]} {kind}" for kind in sorted(counted)) or "kernels only"


def lines(runner):
    for shape, (make, ways) in SHAPES.items():
        for way in ways:
            app, members, inputs = make()
            app += [executor("gpu", entities=members, inputs={each: row(SIZE) for each in inputs}, **WAYS[way]), MEMORY, scheduler()]
            for name in os.listdir(runner.folder):
                if name.endswith(".dot"):
                    os.remove(os.path.join(runner.folder, name))
            expect(runner.run(app, "--cuda-dot", "graph.dot"), "completed after", r": 20 right")
            drawn = sorted(name for name in os.listdir(runner.folder) if name.endswith(".dot"))
            yield f"{shape}, {way}: " + "; ".join(kinds(os.path.join(runner.folder, name)) for name in drawn)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--extensions", required=True)
    parser.add_argument("--accept", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(lines(Runner(arguments, folder)))
    if arguments.accept:
        with open(EXPECTED, "w", encoding="utf-8") as file:
            file.write("\n".join(found) + "\n")
        return
    with open(EXPECTED, encoding="utf-8") as file:
        wanted = file.read().splitlines()
    different = [f"- {one}\n+ {other}" for one, other in zip(wanted, found) if one != other]
    check(wanted == found, f"{len(wanted)} lines wanted, {len(found)} found\n" + "\n".join(different))


if __name__ == "__main__":
    main()
