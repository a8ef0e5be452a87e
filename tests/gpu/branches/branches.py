#!/usr/bin/env python3
"""Applications whose CUDA graphs decide on the GPU what runs. One test per name; see CMakeLists.txt."""
import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from applications import MEMORY, SCHEDULERS, add, check, connections, executor, expect, feed, main, receiver, row, sink, tally, transmitter

# Small tensors pass through page-locked memory, large ones through copies on streams.
SIZES = [100, 1 << 16]
WAYS = [{"mode": "graph"}, {"loop": "head_tail"}, {"loop": "control_at_end"}, {"unroll": 3}]


def decide(name, kind, value):
    return {"name": name, "components": receiver() + transmitter() + [
        {"name": "number", "type": f"gpu::{kind}", "parameters": {"in": "in", "out": "out", "value": value}}]}


def watch(name, ahead):
    return {"name": name, "components": receiver() + [{"name": "watch", "type": "gpu::Watch", "parameters": {"in": "in", "ahead": ahead}}]}


def branch(name, kind, **parameters):
    return {"components": [{"name": name, "type": f"gxr::cuda::{kind}", "parameters": parameters}]}


def application(runs, size, schedule, way, middle, links, inputs, wanted):
    """feed -> `middle` in a graph -> sink, which checks every number."""
    return [feed("source", runs, size), *middle, sink("sink", 0, wanted=wanted, fed=True), connections(*links),
            executor("gpu", entities=[each["name"] for each in middle if "name" in each],
                     inputs={receiver: row(size) for receiver in inputs}, **way), MEMORY, schedule]


def switch_of_four(count):
    """Operators, connections, inputs, and results of so many messages: each takes the way of its remainder."""
    values = [100, 200, 300, 400]
    names = [f"case{i}" for i in range(4)]
    middle = [decide("kind", "Remainder", 4), *[add(*each) for each in zip(names, values)],
              branch("kinds", "Switch", selector="kind/out", cases=[[name] for name in names])]
    links = [("source", "kind"), *[("source", name) for name in names], *[(name, "sink") for name in names]]
    return middle, links, ["kind/in"], [i + values[i % 4] for i in range(1, count + 1)]


def while_of_two(count):
    """The same: a sum goes round until it is a multiple of 7, six times at most."""
    middle = [add("one", 1, ("in", "last")), decide("rest", "Remainder", 7), delayed("one/out", "one/last"),
              branch("again", "While", condition="rest/out", body=["one", "rest"], limit=6)]
    wanted, held = [], 0
    for i in range(1, count + 1):
        for _ in range(6):
            held += i + 1
            if held % 7 == 0:
                break
        wanted.append(held)
    return middle, [("source", "one"), ("one", "rest"), ("one", "sink")], ["one/in"], wanted


def everywhere(runner, middle, links, inputs, wanted, ways=None):
    """In every mode and shape of loop, with small and large tensors."""
    for size, way, schedule in itertools.product(SIZES, ways or WAYS, SCHEDULERS[:2]):
        app = application(len(wanted), size, schedule, way, middle, links, inputs, wanted)
        expect(runner.run(app), f"sink/check: {len(wanted)} right", "completed after")


def switches(runner):
    """Each message takes the way of its remainder; the lists write one tensor in turn."""
    everywhere(runner, *switch_of_four(200))


def long_lists(runner):
    """So long that a loop that may choose its shape launches them; with tensors that are read before the choice, in lists and behind it."""
    names = [[f"case{i}_{j}" for j in range(12)] for i in range(4)]
    middle = [decide("kind", "Remainder", 5), *[add(name, 10 ** (i + 1)) for i, chain in enumerate(names) for name in chain],
              add("all", 100_000, ("in", "other")), branch("kinds", "Switch", selector="kind/out", cases=names)]
    links = [("source", "kind"), *[("source", chain[0]) for chain in names], *[each for chain in names for each in zip(chain, chain[1:])],
             *[(chain[-1], "all/other") for chain in names], ("source", "all"), ("all", "sink")]
    wanted, held = [], 0
    for i in range(1, 201):
        held = i + 12 * 10 ** (i % 5 + 1) if i % 5 < 4 else held
        wanted.append(i + held + 100_000)
    everywhere(runner, middle, links, ["kind/in"], wanted, [{"loop": "auto"}, {"loop": "auto", "slots": 8}, {"mode": "graph"}])
    for loop, launches in [("auto", True), ("control_at_end", False)]:
        app = application(200, 100, SCHEDULERS[0], {"loop": loop, "slots": 8}, middle, links, ["kind/in"], wanted)
        expect(runner.run(app, "--cuda-dot", f"{loop}.dot"), "sink/check: 200 right")
        check(os.path.exists(os.path.join(runner.folder, f"{loop}.2.dot")) == launches, f"with {loop}, lists are graphs of their own")


def keeps(runner):
    """What nobody writes in an iteration keeps its value: zero before the first that does."""
    middle = [decide("third", "Remainder", 3), add("one", 10), add("two", 20), add("all", 1000),
              branch("choice", "If", selector="third/out", then=["one", "two"])]
    links = [("source", "third"), ("source", "one"), ("one", "two"), ("two", "all"), ("all", "sink")]
    wanted, held = [], 0
    for i in range(1, 151):
        held = i + 30 if i % 3 else held
        wanted.append(held + 1000)
    everywhere(runner, middle, links, ["third/in"], wanted)
    # The other way round, the first message finds zeros.
    middle[-1] = branch("choice", "Switch", selector="third/out", cases=[["one", "two"]])
    wanted, held = [], 0
    for i in range(1, 151):
        held = held if i % 3 else i + 30
        wanted.append(held + 1000)
    everywhere(runner, middle, links, ["third/in"], wanted)


def nested(runner):
    """An If in a list of another one, and one behind it that is decided by what they wrote."""
    middle = [decide("odd", "Remainder", 2), decide("third", "Remainder", 3), add("a", 100), add("b", 200), add("c", 300),
              decide("fifth", "Remainder", 5), add("d", 1000), add("e", 2000),
              branch("outer", "If", selector="odd/out", then=["a", "b"], **{"else": ["c"]}),
              branch("inner", "If", selector="third/out", then=["a"], **{"else": ["b"]}),
              branch("behind", "If", selector="fifth/out", then=["d"], **{"else": ["e"]})]
    links = [*[("source", name) for name in ["odd", "third", "a", "b", "c"]],
             *[(name, to) for name in ["a", "b", "c"] for to in ["fifth", "d", "e"]], ("d", "sink"), ("e", "sink")]
    wanted = []
    for i in range(1, 181):
        number = i + (300 if i % 2 == 0 else 100 if i % 3 else 200)
        wanted.append(number + (1000 if number % 5 else 2000))
    everywhere(runner, middle, links, ["odd/in"], wanted)


def delayed(source, target):
    """A connection that brings what was written the time before."""
    return {"components": [{"type": "gxr::Connection", "parameters": {"source": source, "target": target, "delayed": True}}]}


def goes_round(runner):
    """Sums of all messages, where what goes round needs memory of its own, and where it does not."""
    sums = [i * (i + 1) // 2 for i in range(1, 101)]
    alone = [add("sum", 0, ("in", "last")), delayed("sum/out", "sum/last")]
    everywhere(runner, alone, [("source", "sum"), ("sum", "sink")], ["sum/in"], sums)
    two = [add("sum", 1, ("in", "last")), add("less", -1), delayed("less/out", "sum/last")]
    everywhere(runner, two, [("source", "sum"), ("sum", "less"), ("less", "sink")], ["sum/in"], sums)
    # Both at once, and what was written before an If that did not run.
    both = [add("sum", 0, ("in", "last")), decide("odd", "Remainder", 2), add("held", 0, ("in", "last")), add("all", 0, ("in", "other")),
            branch("choice", "If", selector="odd/out", then=["held"]), delayed("sum/out", "sum/last"), delayed("held/out", "held/last")]
    links = [("source", "sum"), ("source", "odd"), ("source", "held"), ("sum", "all"), ("held", "all/other"), ("all", "sink")]
    wanted, total, held = [], 0, 0
    for i in range(1, 101):
        total += i
        held += i if i % 2 else 0
        wanted.append(total + held)
    everywhere(runner, both, links, ["sum/in"], wanted)


def loops(runner):
    """A While between operators ends at its limit, also when the number never becomes 0; how often it ran, `repeats` counts."""
    middle = [add("first", 1), add("inside", 5), decide("small", "Less", 60), add("behind", 7),
              branch("again", "While", condition="small/out", body=["inside", "small"], limit=4)]
    links = [("source", "first"), ("first", "inside"), ("inside", "small"), ("inside", "behind"), ("behind", "sink")]
    everywhere(runner, middle, links, ["first/in"], [i + 13 for i in range(1, 101)])


def repeats(runner):
    """A body that goes on from what it wrote when it ran last, in place and not, until a number has what it wants."""
    for names, values in [(["one"], [1]), (["one", "two"], [1, 3])]:
        body = [add("one", values[0], ("in", "last")), *[add("two", values[1]) for name in names if name == "two"]]
        last = names[-1]
        middle = [*body, decide("rest", "Remainder", 7), delayed(f"{last}/out", "one/last"),
                  branch("again", "While", condition="rest/out", body=[*names, "rest"], limit=6)]
        links = [("source", "one"), *zip(names, names[1:]), (last, "rest"), (last, "sink")]
        wanted, held = [], 0
        for i in range(1, 101):
            for _ in range(6):
                held += i + sum(values)
                if held % 7 == 0:
                    break
            wanted.append(held)
        everywhere(runner, middle, links, ["one/in"], wanted)


def every(runner):
    """A body that runs in every third iteration, from the second on: zeros at first, then what it wrote last. In it, one that runs in every
    second of those, an If, and what goes round from one of its runs to the next."""
    middle = [add("slow", 100), add("slower", 10), add("all", 1000, ("in", "other")),
              branch("often", "Every", count=3, first=1, body=["slow", "slower"])]
    links = [("source", "slow"), ("source", "all"), ("slow", "slower"), ("slower", "all/other"), ("all", "sink")]
    wanted, held = [], 0
    for i in range(1, 151):
        held = i + 110 if i >= 2 and (i - 2) % 3 == 0 else held
        wanted.append(i + held + 1000)
    everywhere(runner, middle, links, ["slow/in"], wanted)
    middle = [decide("fifth", "Remainder", 5), add("slow", 100), add("sum", 0, ("in", "last")), add("chosen", 7), delayed("sum/out", "sum/last"),
              add("both", 0, ("in", "other")), branch("outer", "Every", count=2, body=["slow", "sum", "chosen"]),
              branch("inner", "Every", count=3, body=["sum", "chosen"]), branch("which", "If", selector="fifth/out", then=["chosen"])]
    links = [*[("source", name) for name in ["fifth", "slow"]], ("slow", "sum"), ("sum", "chosen"), ("sum", "both"), ("chosen", "both/other"),
             ("both", "sink")]
    wanted, total, chosen = [], 0, 0
    for i in range(150):  # the message is i + 1
        if i % 2 == 0 and i % 3 == 0:
            total += i + 1 + 100
            chosen = total + 7 if (i + 1) % 5 else chosen
        wanted.append(total + chosen)
    everywhere(runner, middle, links, ["fifth/in"], wanted)
    # What leaves the graph from a body is passed on in every iteration.
    middle = [add("slow", 5), branch("often", "Every", count=4, body=["slow"])]
    everywhere(runner, middle, [("source", "slow"), ("slow", "sink")], ["slow/in"], [i - (i - 1) % 4 + 5 for i in range(1, 101)])
    # Each iteration is one of those with a count of 1.
    middle[-1] = branch("often", "Every", count=1, body=["slow"])
    everywhere(runner, middle, [("source", "slow"), ("slow", "sink")], ["slow/in"], [i + 5 for i in range(1, 101)])
    # In iterations that are measured, too.
    app = application(90, 100, SCHEDULERS[0], {"instrument_every": 4}, [add("slow", 5), branch("often", "Every", count=3, body=["slow"])],
                      [("source", "slow"), ("slow", "sink")], ["slow/in"], [i - (i - 1) % 3 + 5 for i in range(1, 91)])
    expect(runner.run(app), "sink/check: 90 right", "completed after")


def launched(runner):
    """A body that the loop launches as a graph of its own, where it can; elsewhere it runs in the iteration, with the same results."""
    ways = [{"loop": "tail_launch"}, {"loop": "auto"}]
    body = {"count": 3, "first": 1, "body": ["slow", "sum"]}
    middle = [add("front", 1), add("slow", 100), add("sum", 0, ("in", "last")), delayed("sum/out", "sum/last"), add("all", 1000, ("in", "other")),
              delayed("sum/out", "all/other"), branch("often", "Every", launch="fire_and_forget", **body)]
    links = [("source", "front"), ("front", "all"), ("slow", "sum"), ("all", "sink")]
    for from_source in (False, True):  # what comes in stays until the body has read it
        wanted, total = [], 0
        for n in range(150):
            wanted.append(n + 2 + total + 1000)
            total += n + (101 if from_source else 102) if n % 3 == 1 else 0
        ends = [*links, ("source" if from_source else "front", "slow")]
        everywhere(runner, middle, ends, ["front/in"], wanted, WAYS + ways)
    # Its kernels get the number of the iteration whose turn it was.
    middle = [add("front", 1), tally("look", 2), branch("often", "Every", count=3, first=1, body=["look"], launch="fire_and_forget")]
    links = [("source", "front"), ("front", "look"), ("front", "sink")]
    once = [way for way in WAYS + ways if way.get("loop") != "head_tail"]  # what is counted must not run once more
    for size, way in itertools.product(SIZES, once):
        app = application(150, size, SCHEDULERS[0], way, middle, links, ["front/in"], [n + 2 for n in range(150)])
        expect(runner.run(app), "sink/check: 150 right", "look/tally: 50 iterations, 0 elements wrong")
    # A sibling reads what was written the iteration before, and is heard of when it has ended: that is not known, but its results come in order,
    # each with 5 more than a number that was there.
    middle = [add("front", 1), tally("look", 1), add("slow", 5), watch("watch", 5), delayed("front/out", "look/in"), delayed("front/out", "slow/in"),
              delayed("slow/out", "watch/in"), branch("often", "Every", count=2, first=1, body=["look", "slow"], launch="sibling")]
    links = [("source", "front"), ("front", "sink")]
    for size, way in itertools.product(SIZES, once):
        app = application(400, size, SCHEDULERS[0], way, middle, links, ["front/in"], [n + 2 for n in range(400)])
        expect(runner.run(app), "sink/check: 400 right", "look/tally: [1-9][0-9]* iterations, 0 elements wrong",
               "watch/watch: [1-9][0-9]* new numbers, 0 wrong")
    # One that takes too long when all else is done fails the run, in the words of what it is.
    middle = [add("front", 1), add("slow", 5, work_us=3_000_000), watch("watch", 5), delayed("front/out", "slow/in"), delayed("slow/out", "watch/in"),
              branch("often", "Every", count=5, body=["slow"], launch="sibling")]
    app = application(5, 100, SCHEDULERS[0], {"watchdog_ms": 300}, middle, [("source", "front"), ("front", "sink")], ["front/in"],
                      [n + 2 for n in range(5)])
    expect(runner.run(app, status=1), "what it launched beside it .'launch: sibling'. still runs after 300 ms")
    # In other graphs it runs in the iteration.
    middle = [add("front", 1), add("slow", 5), add("all", 1000, ("in", "other")), delayed("front/out", "slow/in"), delayed("slow/out", "all/other"),
              branch("often", "Every", count=2, body=["slow"], launch="sibling")]
    links = [("source", "front"), ("front", "all"), ("all", "sink")]
    wanted, held = [], 0
    for n in range(100):
        wanted.append(n + 2 + held + 1000)
        held = (n + 1 if n > 0 else 0) + 5 if n % 2 == 0 else held
    everywhere(runner, middle, links, ["front/in"], wanted)


def mistakes(runner):
    """What a list cannot do is said with the operator's name."""
    way = {"mode": "graph"}
    own = {"name": "own", "components": receiver() + transmitter() + [
        {"name": "work", "type": "gpu::OwnMemory", "parameters": {"in": "in", "out": "out", "value": 3}}]}
    middle = [decide("odd", "Remainder", 2), own, branch("choice", "If", selector="odd/out", then=["own"])]
    app = application(5, 100, SCHEDULERS[0], way, middle, [("source", "odd"), ("source", "own"), ("own", "sink")], ["odd/in"], [1])
    expect(runner.run(app, status=1), "capture of entity 'own', component 'work' .*: it allocates or frees memory, which operators in "
                                      "a branch body cannot do; scratch that infer")


if __name__ == "__main__":
    main([switches, long_lists, keeps, nested, goes_round, loops, repeats, every, launched, mistakes])
