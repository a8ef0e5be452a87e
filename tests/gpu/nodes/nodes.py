#!/usr/bin/env python3
"""Operators that use events and memory nodes in their part of a CUDA graph. One test per name; see CMakeLists.txt."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from applications import (MEMORY, SCHEDULERS, add, check, connections, executor, expect, feed, main, receiver, scheduler, sink, transmitter)

SIZE = 1 << 16  # elements of a tensor
BYTES = 4 * SIZE


def own_memory(name, value, **parameters):
    return {"name": name, "components": receiver() + transmitter() + [
        {"name": "work", "type": "gpu::OwnMemory", "parameters": {"in": "in", "out": "out", "value": value, **parameters}}]}


def aside(name):
    return {"name": name, "components": receiver() + transmitter() + [
        {"name": "aside", "type": "gpu::Aside", "parameters": {"in": "in", "out": "out"}}]}


def add_aside(name, writer):
    return {"name": name, "components": receiver() + transmitter() + [
        {"name": "work", "type": "gpu::AddAside", "parameters": {"in": "in", "out": "out", "aside": f"{writer}/aside"}}]}


def with_events(count):
    """feed -> aside -> add -> sink: a graph adds what the codelet in front writes on a stream that nobody knows."""
    return [feed("source", count, 512), aside("aside"), add_aside("add", "aside"), sink("sink", 2, 2, fed=True),
            connections(("source", "aside"), ("aside", "add"), ("add", "sink")), MEMORY, scheduler()]


def with_memory(count, schedule, **parameters):
    """feed -> a -> b -> c -> sink, of which a and c allocate."""
    return [feed("source", count, SIZE), own_memory("a", 3, **parameters), add("b", 5), own_memory("c", 7, **parameters),
            sink("sink", 16, fed=True), connections(("source", "a"), ("a", "b"), ("b", "c"), ("c", "sink")), MEMORY, schedule]


def events(runner):
    """The graph waits for work outside of it, which waits for the graph."""
    expect(runner.run(with_events(100), "--executor", "graph"), "sink/check: 100 right", "completed")


def memory(runner):
    """Operators allocate in each iteration; the report says what the GPU keeps for that."""
    for schedule in SCHEDULERS:
        for frees in [True, False]:
            app = with_memory(200, schedule, frees=frees)
            expect(runner.run(app, "--executor", "graph"), "sink/check: 200 right", "completed")
    app = with_memory(200, scheduler(), frees=False) + [executor("gpu", mode="graph", entities=["a", "b", "c"])]
    report = runner.report(app)
    (kept,) = report["graph_memory"]
    check(kept["reserved_bytes"] >= BYTES, f"the GPU keeps {kept} for graphs with allocations of {BYTES} bytes")
    (graph,) = report["graphs"]
    check(graph["iterations"] == 200 and "instantiations" not in graph, f"the graph was launched otherwise: {graph}")


def beside_a_loop(runner):
    """A graph that allocates is launched while another loops on the same GPU: nothing waits for the loop's end."""
    for schedule in SCHEDULERS:
        app = [feed("source", 300, 512), add("loops", 5), own_memory("allocates", 7), sink("sink", 13, fed=True),
               connections(("source", "loops"), ("loops", "allocates"), ("allocates", "sink")),
               executor("loop", entities=["loops"]), executor("gpu", mode="graph", entities=["allocates"]), MEMORY, schedule]
        expect(runner.run(app), "sink/check: 300 right", "completed")


def loops_refuse(runner):
    """A loop has neither, and says which operator it is, and what to do."""
    for app, entity, what in [(with_events(10), "add", "records an event of its own or waits for one"),
                              (with_memory(10, scheduler()), "a", "allocates or frees memory")]:
        output = runner.run(app, "--executor", "resident", status=1)
        expect(output, f"capture of entity '{entity}', component 'work' .*: it {what}, which a loop on the GPU cannot do; "
                       "'mode: graph' can")


if __name__ == "__main__":
    main([events, memory, beside_a_loop, loops_refuse])
