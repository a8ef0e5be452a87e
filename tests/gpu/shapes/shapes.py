#!/usr/bin/env python3
"""V4: which nodes the CUDA graphs have that are built, by kind, as CUDA draws them, against shapes.txt. `--accept` writes that anew."""
import argparse
import collections
import os
import re
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(FOLDER, ".."), os.path.join(FOLDER, "..", "branches")]
from branches import application, switch_of_four, while_of_two
from applications import MEMORY, Runner, add, chain, check, connections, executor, expect, feed, row, scheduler, sink

EXPECTED = os.path.join(FOLDER, "shapes.txt")
SIZE, COUNT = 512, 20
WAYS = {"launched by the host": {"mode": "graph"}, "head_tail": {"loop": "head_tail"}, "control_at_end": {"loop": "control_at_end"},
        "unroll 4": {"unroll": 4}, "tail_launch": {"loop": "tail_launch"}, "measured": {"loop": "control_at_end", "instrument_every": 10}}
# What only runs a graph again from inside it cannot have conditional nodes.
WITHOUT_BRANCHES, WITH_BRANCHES = list(WAYS), [name for name in WAYS if name != "tail_launch"]


def fan_out(way):
    names = ["top", "left", "right"]
    return [feed("source", COUNT, SIZE), *[add(name, 1) for name in names], sink("one", 3), sink("other", 3),
            connections(("source", "top"), ("top", "left"), ("top", "right"), ("left", "one"), ("right", "other")),
            executor("gpu", entities=names, inputs={"top/in": row(SIZE)}, **way), MEMORY, scheduler()]


def join(way):
    return [feed("one", COUNT, SIZE), feed("two", COUNT, SIZE), add("sum", 4, ["in", "other"]), sink("sink", 6, 2),
            connections(("one", "sum"), ("two", "sum/other"), ("sum", "sink")),
            executor("gpu", entities=["sum"], inputs={"sum/in": row(SIZE), "sum/other": row(SIZE)}, **way), MEMORY, scheduler()]


def fed(way, middle, links, inputs, wanted):
    return application(COUNT, SIZE, scheduler(), way, middle, links, inputs, wanted)


def diamond(way):
    return fed(way, [add("top", 1), add("left", 1), add("right", 2), add("join", 4, ["in", "other"])],
               [("source", "top"), ("top", "left"), ("top", "right"), ("left", "join"), ("right", "join/other"), ("join", "sink")],
               ["top/in"], [2 * i + 9 for i in range(1, COUNT + 1)])


SHAPES = {"chain of 1": (lambda way: chain(1, COUNT, SIZE, **way), WITHOUT_BRANCHES),
          "chain of 4": (lambda way: chain(4, COUNT, SIZE, **way), WITHOUT_BRANCHES),
          "fan-out": (fan_out, WITHOUT_BRANCHES), "two inputs that join": (join, WITHOUT_BRANCHES), "diamond": (diamond, WITHOUT_BRANCHES),
          "Switch of four": (lambda way: fed(way, *switch_of_four(COUNT)), WITH_BRANCHES),
          "While of two": (lambda way: fed(way, *while_of_two(COUNT)), WITH_BRANCHES)}


def kinds(file):
    """How many nodes of each kind a drawing has. Kernels are labelled with a number and their name, others with their kind."""
    with open(file, encoding="utf-8") as drawing:
        text = drawing.read()
    found = re.findall(r'"graph_\d+_node_\d+"\s*\[[^\]]*?label="\s*\{?\s*([A-Za-z_ ]+|\d+\s)', text)
    check(len(found) == len(re.findall(r'"graph_\d+_node_\d+"\s*\[', text)), f"not all nodes of {file} are understood:\n{text}")
    counted = collections.Counter("kernel" if each[0].isdigit() else each.strip().lower() for each in found)
    return ", ".join(f"{counted[kind]} {kind}" for kind in sorted(counted))


def lines(runner):
    for shape, (make, ways) in SHAPES.items():
        for way in ways:
            for name in os.listdir(runner.folder):
                if name.endswith(".dot"):
                    os.remove(os.path.join(runner.folder, name))
            expect(runner.run(make(WAYS[way]), "--cuda-dot", "graph.dot"), "completed after", f": {COUNT} right")
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
