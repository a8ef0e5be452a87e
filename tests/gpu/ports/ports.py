#!/usr/bin/env python3
"""N16: device ports of CUDA graphs, in both modes. One test per name; see CMakeLists.txt."""
import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from applications import MEMORY, check, connections, executor, expect, feed, main, scheduler, sink

MODES = ["graph", "resident"]
COUNT = 500  # elements of a tensor
BYTES = 4 * COUNT
TENSOR = f"int32 [{COUNT}]"
INVALID = 3  # exit status of an application that a check refuses


def ported(name, value, incoming=None, outgoing=None, **parameters):
    """An operator whose ports are device ports with these parameters."""
    return {"name": name, "components": [
        {"name": "in", "type": "gxr::cuda::DeviceReceiver", "parameters": incoming or {}},
        {"type": "gxr::MessageAvailableSchedulingTerm", "parameters": {"receiver": "in"}},
        {"name": "out", "type": "gxr::cuda::DeviceTransmitter", "parameters": outgoing or {}},
        {"type": "gxr::DownstreamReceptiveSchedulingTerm", "parameters": {"transmitter": "out"}},
        {"name": "work", "type": "gpu::Ported", "parameters": {"in": "in", "out": "out", "value": value, **parameters}}]}


def app(mode, first, second, count=200):
    """feed -> a -> b -> sink, where `first` and `second` are parameters of a and b."""
    a = {"incoming": {"tensor": TENSOR}, **first}
    b = {"outgoing": {"tensor": TENSOR}, **second}
    return [feed("source", count, COUNT), ported("a", 5, **a), ported("b", 7, **b), sink("sink", 13, fed=True),
            connections(("source", "a"), ("a", "b"), ("b", "sink")), executor(mode=mode, entities=["a", "b"]), MEMORY,
            scheduler()]


def succeed(runner, mode, first, second, *texts):
    output = runner.run(app(mode, first, second))
    expect(output, "sink/check: 200 right", "completed", *texts)
    return output


def memory_of(runner, mode, first, second):
    (graph,) = runner.report(app(mode, first, second))["graphs"]
    return graph["memory_bytes"]


def own_pointers(runner):
    """Kernels see the pointers that operators gave, at the edges of the graph and inside of it."""
    own = {"own_pointer": True}
    for mode in MODES:
        succeed(runner, mode, {"outgoing": {"bytes": BYTES}}, {"incoming": {"bytes": BYTES}},
                "a/work: in: the graph's, out: the graph's", "b/work: in: the graph's, out: the graph's")
        # Between two operators: of the writer, of the reader, and the same of both.
        succeed(runner, mode, {"outgoing": own, "own_out": BYTES}, {"incoming": {"bytes": BYTES}},
                "a/work: in: the graph's, out: its own", "b/work: in: the graph's, out: the graph's")
        succeed(runner, mode, {"outgoing": {"bytes": BYTES}}, {"incoming": own, "own_in": BYTES},
                "a/work: in: the graph's, out: the graph's", "b/work: in: its own, out: the graph's")
        succeed(runner, mode, {"outgoing": own, "own_out": BYTES}, {"incoming": own, "takes_from": "a/work"},
                "a/work: in: the graph's, out: its own", "b/work: in: its own, out: the graph's")
        # Where messages come in and go out.
        succeed(runner, mode, {"incoming": {**own, "tensor": TENSOR}, "own_in": BYTES, "outgoing": {"bytes": BYTES}},
                {"incoming": {"bytes": BYTES}, "outgoing": {**own, "tensor": TENSOR}, "own_out": 2 * BYTES},
                "a/work: in: its own, out: the graph's", "b/work: in: the graph's, out: its own")
        # The report counts what the graph took, not that.
        plain = {"outgoing": {"bytes": BYTES}}, {"incoming": {"bytes": BYTES}}
        given = ({**plain[0], "incoming": {**own, "tensor": TENSOR}, "own_in": BYTES},
                 {**plain[1], "outgoing": {**own, "tensor": TENSOR}, "own_out": BYTES})
        saved = memory_of(runner, mode, *plain) - memory_of(runner, mode, *given)
        check(2 * BYTES <= saved < 2 * BYTES + 512, f"{mode}: own memory makes the graph's {saved} bytes smaller")
        # What was not announced in the file is found when the graph is built.
        succeed(runner, mode, {"outgoing": {"bytes": BYTES}, "own_out": BYTES}, {"incoming": {"bytes": BYTES}},
                "'a/out' lies in memory of 'a/out'", "a/work: in: the graph's, out: its own")


def sizes(runner):
    """All combinations of what the two ends of a connection declare."""
    ends = {"none": {}, "bytes": {"bytes": BYTES}, "tensor": {"tensor": TENSOR}, "own": {"own_pointer": True},
            "own, bytes": {"own_pointer": True, "bytes": BYTES}, "other": {"bytes": BYTES + 4}}
    for mode, (left, outgoing), (right, incoming) in itertools.product(MODES, ends.items(), ends.items()):
        first = {"outgoing": outgoing, "own_out": BYTES if "own" in left else 0}
        second = {"incoming": incoming}
        if "own" in right:
            second |= {"takes_from": "a/work"} if "own" in left else {"own_in": BYTES}
        known = {left, right} - {"none", "own"}
        if left == right == "none":
            output = runner.run(app(mode, first, second), status=INVALID)
            expect(output, r"error\[device-port-no-size\]: .*'a/out' to 'b/in'")
        elif "other" in known and len(known) > 1:
            output = runner.run(app(mode, first, second), status=INVALID)
            expect(output, r"error\[device-port-size\]: 'a/out' declares .*, but 'b/in'|"
                           r"error\[device-port-size\]: 'b/in' declares .*, but 'a/out'")
        elif "other" in known and "own" in [left, right]:
            output = runner.run(app(mode, first, second), status=1)
            expect(output, f"has {BYTES} bytes, but the tensor uint8 .* needs {BYTES + 4}", "a/out", "b/in")
        elif "other" not in known:
            output = succeed(runner, mode, first, second)
            if "none" in [left, right] and "own" not in [left, right]:
                expect(output, r"warning\[device-port-one-size\]: .*'a/out'", "'b/in'")


def late_sizes(runner):
    """What an operator learns in initialize() gives the graph another layout, which the log says."""
    for mode in MODES:
        succeed(runner, mode, {"outgoing": {"bytes": 0}, "late_bytes": BYTES}, {"incoming": {"bytes": BYTES}})
        succeed(runner, mode, {"outgoing": {"bytes": 0}, "late_bytes": BYTES}, {"incoming": {"bytes": 0}},
                fr"'a/out' is uint8 \[{BYTES}\], {BYTES} bytes; it was planned as unknown", "the arena has 2048 bytes")
        succeed(runner, mode, {"outgoing": {"bytes": 8}, "late_bytes": BYTES}, {"incoming": {"bytes": 0}},
                fr"'a/out' is uint8 \[{BYTES}\], {BYTES} bytes; it was planned as uint8 \[8\], 8 bytes")
        output = runner.run(app(mode, {"outgoing": {"bytes": 8}, "late_bytes": BYTES}, {"incoming": {"bytes": 8}}), status=1)
        expect(output, f"'a/out' declares {BYTES} bytes, but 'b/in', which is connected to it, declares 8 bytes")
        output = runner.run(app(mode, {"outgoing": {"bytes": 0}}, {"incoming": {"bytes": 0}}), status=1)
        expect(output, "the size of the tensor from 'a/out' to 'b/in' is unknown")
        # infer() and the port.
        succeed(runner, mode, {"outgoing": {"bytes": BYTES}, "tells": COUNT}, {"incoming": {}})


def mistakes(runner):
    """Memory that cannot be used ends the run before the first iteration, and names both ends."""
    own, own_tensor = {"own_pointer": True}, {"incoming": {"tensor": TENSOR}}
    for mode in MODES:
        refused = lambda first, second, text: expect(runner.run(app(mode, first, second), status=1), text, "a/out", "b/in")
        refused({"outgoing": own}, own_tensor, "was to give its memory")
        refused({"outgoing": own, "own_out": BYTES - 1}, own_tensor, f"has {BYTES - 1} bytes, but the tensor .* needs {BYTES}")
        refused({"outgoing": own, "own_out": BYTES}, {"incoming": own, "own_in": BYTES}, "each has another memory of its own")
        refused({"outgoing": own, "own_out": BYTES, "claims": 1 << 50}, own_tensor, f"bytes, not {1 << 50}")
        refused({"outgoing": own, "own_out": BYTES, "pinned": True}, own_tensor, "is that of the host")


if __name__ == "__main__":
    main([own_pointers, sizes, late_sizes, mistakes])
