#!/usr/bin/env python3
"""What decisions inside a CUDA graph cost, and measuring it, in one run; prints a Markdown table.

    cmake --preset bench
    cmake --build --preset bench --target gxr_cli gxr_cuda std cuda tiny gpu poisson poisson_cuda while_bench
    bench/gpu/branches.py --build build/bench

A While: apps/solver with a plate that is not solved, for its whole limit, against while_bench, a WHILE graph of the same kernels by hand; the time of a
trip is that of a long run less that of a short one. A Switch of four and an If: an iteration of a resident region of tiny operators, against the same with
the chosen list alone, looping on the GPU and launched by the host (there a long run less a short one). A chain of tiny operators, and one longer operator, of which every hundredth iteration is measured, against the same without. Ends with 1 when a program fails; a missed bar is only said.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from resident import MEMORY, SCHEDULER, chains, component, count, document, entity, flag, named, region

SOLVER = pathlib.Path(__file__).parents[2] / "apps/solver/solver.yaml"
TRIPS = (2000, 4000)  # so few that the residual is above 0
ITERATIONS = 20_000
FEW = 2_000  # of a host-launched graph: iterations whose time, start included, is taken off
STEPS = (1, 4, 16)  # operators of each list
LISTS = 4
BAR_US, BAR = 7.0, 1.05
MEASURED_EVERY, MEASURED_BAR = 100, 1.02
LONG_US = (5, 20)


def run(command):
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout


def whole_report(arguments, application, *flags):
    extensions = [word for file in arguments.extensions for word in ("-x", str(file))]
    return json.loads(run([arguments.gxr, "run", *extensions, "--stats", "--format", "json", *flags, str(application)]))


def graph_report(arguments, application, *flags):
    (graph,) = whole_report(arguments, application, *flags)["graphs"]
    return graph


def while_by_hand(arguments):
    lines = run([arguments.by_hand, str(arguments.kernels), ",".join(map(str, TRIPS))]).splitlines()
    short, long = (json.loads(line)["us"] for line in lines)
    return (long - short) / (TRIPS[1] - TRIPS[0])


def while_of_gxr(arguments, folder):
    """Microseconds a trip. Nobody compares, since the CPU would take long for so many."""
    text = SOLVER.read_text(encoding="utf-8").replace("{tolerance: 1.0e-5}", "{tolerance: 0.0}").replace("count: 16", "count: 1")
    text = "\n---\n".join(part for part in text.split("\n---\n") if "\nname: check\n" not in "\n" + part)
    times = []
    for trips in TRIPS:
        path = folder / f"solver-{trips}.yaml"
        path.write_text(text.replace("limit: 100000", f"limit: {trips}"), encoding="utf-8")
        times.append(min(graph_report(arguments, path)["duration_ns"] for _ in range(3)) * 1e-3)
    return (times[1] - times[0]) / (TRIPS[1] - TRIPS[0])


def chain(name, steps):
    names = [f"{name}_{i}" for i in range(steps)]
    return [entity(each, component("tiny::Step", **{"in": "in", "out": "out"}, dependent=flag(True)), reads=True, writes=True)
            for each in names], names


def connect(*pairs):
    return document("", [component("gxr::Connection", source=f"{a}/out", target=f"{b}/in") for a, b in pairs])


def application(steps, lists, branch=None, mode="resident", iterations=ITERATIONS):
    """A source, `lists` chains of so many operators, and a sink that checks the sum; a number of the source decides."""
    documents = [entity("first", named("first", "tiny::Source", out="out", dependent=flag(True)), writes=True, more=[count(iterations)])]
    names, pairs, members = [], [], ["first"]
    if branch is not None:
        documents.append(entity("kind", component("gpu::Remainder", **{"in": "in", "out": "out"}, value=lists), reads=True, writes=True))
        pairs.append(("first", "kind"))
        members.append("kind")
    for i in range(lists):
        more, chained = chain(f"l{i}", steps)
        documents += more
        names.append(chained)
        members += chained
        pairs += [("first", chained[0]), *zip(chained, chained[1:]), (chained[-1], "last")]
    documents.append(entity("last", component("tiny::Sink", **{"in": "in", "kernels": steps + 2, "iterations": iterations}, dependent=flag(True)),
                            reads=True))
    if branch is not None:
        listed = ["[" + ", ".join(chained) + "]" for chained in names]
        lists_of = {"Switch": {"cases": "[" + ", ".join(listed) + "]"}, "If": dict(zip(("then", "else"), listed))}[branch]
        documents.append(document("branch", [named("choice", f"gxr::cuda::{branch}", selector="kind/out", **lists_of)]))
    loop = "control_at_end" if branch is None else "auto"  # which puts iterations without branches together
    return "---\n".join([*documents, connect(*pairs), region(mode, [*members, "last"], loop=loop), SCHEDULER])


def fastest(arguments, folder, name, text):
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return min((graph_report(arguments, path) for _ in range(3)), key=lambda report: report["period_ns"])


def period(arguments, folder, name, text):
    return fastest(arguments, folder, name, text)["period_ns"] * 1e-3


def launched_period(arguments, folder, name, text_of):
    """Microseconds an iteration that the host launches."""
    times = []
    for iterations in (FEW, ITERATIONS):
        path = folder / f"{name}-{iterations}.yaml"
        path.write_text(text_of(iterations), encoding="utf-8")
        times.append(min(whole_report(arguments, path)["duration_ns"] for _ in range(3)) * 1e-3)
    return (times[1] - times[0]) / (ITERATIONS - FEW)


def long_operator(work_us):
    """One operator that takes so long, between two short ones."""
    return "---\n".join([entity("first", component("gpu::Packets", out="out"), writes=True, more=[count(ITERATIONS)]),
                         entity("long", component("gpu::Add", **{"in": "in", "out": "out"}, pool="memory/pool", work_us=work_us), reads=True, writes=True),
                         entity("last", component("gpu::Tally", **{"in": "in", "first": 2}), reads=True),
                         connect(("first", "long"), ("long", "last")), region("resident", ["first", "long", "last"]), MEMORY, SCHEDULER])


def measured_rows(arguments, folder, what, name, plain, bar):
    """What measuring costs, and whether the operators' times add up to the iterations that were measured."""
    every = plain.replace("mode: resident", f"mode: resident, instrument_every: {MEASURED_EVERY}")
    without, measured = period(arguments, folder, f"plain-{name}", plain), fastest(arguments, folder, f"every-{name}", every)
    took = measured["period_ns"] * 1e-3
    print(f"| {what}, every hundredth iteration measured | {without:.2f} us | {took:.2f} us | {took / without:.3f} | {bar} |", flush=True)
    whole, parts = (sum(times) * 1e-3 / measured["measured"] for times in
                    ([measured["measured_ns"]], [each["total_ns"] for each in measured["operators"]]))
    print(f"| {what}, its operators together, of a measured iteration | {whole:.2f} us | {parts:.2f} us | {parts / whole:.3f} | 0.95 to 1.05 |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/bench", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.gxr = arguments.build / "gxr"
    arguments.by_hand = arguments.build / "bench/gpu/while_bench"
    arguments.kernels = arguments.build / "extensions/poisson_cuda.so"
    arguments.extensions = [arguments.build / "bench/extensions/tiny.so", arguments.build / "tests/extensions/gpu.so"]
    print("| measure | without, or by hand | gxr | | bar |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        by_hand, gxr = while_by_hand(arguments), while_of_gxr(arguments, folder)
        print(f"| a trip of a While, two sweeps and a residual of 64 x 64 | {by_hand:.2f} us | {gxr:.2f} us | {gxr / by_hand:.2f} | {BAR} |", flush=True)
        for steps in STEPS:
            kernels = "1 kernel" if steps == 1 else f"{steps} kernels"
            for mode, how in (("resident", ""), ("graph", ", launched by the host")):
                def taken_by(name, lists, branch=None):
                    if mode == "resident":
                        return period(arguments, folder, name, application(steps, lists, branch))
                    return launched_period(arguments, folder, name, lambda iterations: application(steps, lists, branch, "graph", iterations))

                alone = taken_by(f"alone-{mode}-{steps}", 1)
                for branch, lists, bar in (("Switch", LISTS, f"{BAR_US} us"), ("If", 2, "-")):
                    taken = taken_by(f"{branch}-{mode}-{steps}", lists, branch)
                    print(f"| {branch} of {lists} lists of {kernels}{how} | {alone:.2f} us | {taken:.2f} us | +{taken - alone:.2f} us | {bar} |",
                          flush=True)
            for loop, bar in (("auto", MEASURED_BAR), ("control_at_end", "-")):
                measured_rows(arguments, folder, f"{kernels}, loop: {loop}", f"{steps}-{loop}", chains("resident", 1, steps, ITERATIONS, loop=loop), bar)
        for work_us in LONG_US:
            measured_rows(arguments, folder, f"an operator of {work_us} us", f"long-{work_us}", long_operator(work_us), MEASURED_BAR)


if __name__ == "__main__":
    main()
