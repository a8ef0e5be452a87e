#!/usr/bin/env python3
"""Graphs of gxr against the same loops by hand, in one run; prints a Markdown table.

    cmake --preset bench
    cmake --build --preset bench --target gxr_cli gxr_cuda std cuda tiny bridge gpures_bench bridge_bench inputs_bench host_driven_bench
    bench/gpu/resident.py --build build/bench

Every gxr row is an application of operators from tiny.so (and, with a bridge at each end, bridge.so), run by
`gxr run --format json`; the rows by hand come from gpures_bench, bridge_bench and inputs_bench. Smaller is better in all rows.
Rows of one input or message at a time, and of bridges, are medians of several runs of both sides, one after the other.
Ends with 1 when a program fails or counts wrong; a missed bar is only said.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Optional

CHAINS = (1, 4, 16, 64)
BRANCHES, BRANCH_KERNELS = 4, 16
UNROLL = 8
MODES = "while_pdl_early,while_fork4,graph,graph_pdl,holo_nosleep,devgraph_pdl"
ROW_BYTES = 2048  # 512 numbers, what the kernels of tiny work on
SLOTS = 4
MANY_SLOTS = 8  # who gives so many wants many messages a second
WARM_UP = 64  # messages that the Taker does not count
BRIDGE_BYTES = (4096, 4 << 20)
INPUT_BYTES = 4 << 20
INPUT_KERNELS = (1, 16, 32)
INPUTS_IN_FLIGHT = 4
MILLION = 1_000_000
WAITS_SCALE = 4  # the slowest of a thousand inputs are to be some
# Of a host-launched graph: iterations whose time, start included, is taken off.
SHORT_RUN = 2000


def iterations(kernels):
    """As many as the loops by hand do; a multiple of UNROLL."""
    return 20000 if kernels <= 4 else 8000 if kernels <= 16 else 3000


def waits(kernels):
    """Inputs that are waited for, one at a time: WAITS_SCALE times as many as gpures_bench does by itself."""
    return WAITS_SCALE * (5000 if kernels <= 4 else 3000 if kernels <= 16 else 1500)


# ---------------------------------------------------------------------------------------------- applications

def document(name, components):
    lines = [f"name: {name}"] if name else []
    return "\n".join(lines + ["components:"] + [f"- {component}" for component in components]) + "\n"


def entity(name, codelet, reads=False, writes=False, more=(), capacity=1):
    parts = []
    if reads:
        parts += [named("in", "gxr::DoubleBufferReceiver", capacity=capacity),
                  "{type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}"]
    if writes:
        parts += ["{name: out, type: gxr::DoubleBufferTransmitter}",
                  "{type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}"]
    return document(name, parts + list(more) + [codelet])


def component(kind, **parameters):
    listed = ", ".join(f"{key}: {value}" for key, value in parameters.items())
    return f"{{type: {kind}, parameters: {{{listed}}}}}"


def named(name, kind, **parameters):
    return "{" + f"name: {name}, " + component(kind, **parameters)[1:]


def flag(value):
    return "true" if value else "false"


def connections(names):
    return document("", [component("gxr::Connection", source=f"{a}/out", target=f"{b}/in")
                         for a, b in zip(names, names[1:])])


def region(mode, entities, unroll=1, inputs="", loop="auto", slots=SLOTS, **more):
    more |= {"inputs": inputs, "slots": slots} if inputs else {}
    return document("gpu", [named("region", "gxr::cuda::GraphExecutor", mode=mode,
                                  entities="[" + ", ".join(entities) + "]", unroll=unroll, loop=loop, **more)])


SCHEDULER = document("scheduler", ["{name: clock, type: gxr::RealtimeClock}",
                                   "{type: gxr::GreedyScheduler, parameters: {clock: clock}}"])
THREADS = document("scheduler", ["{name: clock, type: gxr::RealtimeClock}",
                                 "{type: gxr::MultiThreadScheduler, parameters: {clock: clock, worker_thread_number: 3}}"])
MEMORY = document("memory", ["{name: pool, type: gxr::UnboundedAllocator}"])


def count(times):
    return component("gxr::CountSchedulingTerm", count=times)


def chain_entities(prefix, kernels, times, dependent):
    """Documents and names of a chain of so many kernels, from its own counter to its own sum. The first operator is `first`."""
    common = {"dependent": flag(dependent)}
    if kernels == 1:
        whole = entity(prefix, named("first", "tiny::Whole", iterations=times, **common), more=[count(times)])
        return [whole], [prefix]
    names = [f"{prefix}{i}" for i in range(kernels)]
    documents = [entity(names[0], named("first", "tiny::Source", out="out", **common), writes=True, more=[count(times)])]
    documents += [entity(name, component("tiny::Step", **{"in": "in", "out": "out"}, **common), reads=True, writes=True)
                  for name in names[1:-1]]
    sink = component("tiny::Sink", **{"in": "in", "kernels": kernels, "iterations": times}, **common)
    documents += [entity(names[-1], sink, reads=True), connections(names)]
    return documents, names


def chains(mode, branches, kernels, times, dependent=True, unroll=1, loop="auto"):
    """An application of chains beside each other, which are one region."""
    documents, names = [], []
    for branch in range(branches):
        prefix = "k" if branches == 1 else f"b{branch}_"
        more, members = chain_entities(prefix, kernels, times, dependent)
        documents += more
        names += members
    return "---\n".join(documents + [region(mode, names, unroll, loop=loop), SCHEDULER])


def handled(kernels, times):
    """A chain whose input another operator finds."""
    documents, names = chain_entities("k", kernels, times, True)
    handler = component("gxr::cuda::DataReadyHandler", source=f"{names[0]}/first")
    documents.append(entity("look", component("tiny::Look"), more=[handler]))
    return "---\n".join(documents + [region("resident", ["look", *names]), SCHEDULER])


def bridged(codelet, kernels, size, messages, in_flight, idle_us, result, slots=SLOTS, pauses=False):
    """An application with a region of `kernels` operators between a Feeder and a Taker of the CPU. Without pauses the loop looks for input as
    the loops by hand do, else as it does by default."""
    loop = "head_tail" if in_flight == 1 else "control_at_end" if slots == SLOTS else "auto"
    names = [f"k{i}" for i in range(kernels)]
    feeder = entity("feeder", component("bridge::Feeder", out="out", pool="memory/pool", bytes=size, idle_us=idle_us),
                    writes=True, more=[count(messages), named("window", "bridge::Window", in_flight=in_flight)])
    steps = [entity(name, component(codelet, **{"in": "in", "out": "out"}), reads=True, writes=True) for name in names]
    taker = entity("taker", component("bridge::Taker", **{"in": "in"}, window="feeder/window", added=kernels,
                                      messages=messages, result=json.dumps(result)), reads=True)
    shape = f'{{k0/in: "int32 [{size // 4}]"}}'
    return "---\n".join([feeder, *steps, taker, MEMORY, connections(["feeder", *names, "taker"]),
                         region("resident", names, inputs=shape, loop=loop, slots=slots,
                                **({} if pauses else {"data_not_ready_sleep_interval_us": 0})),
                         SCHEDULER])


def fed(kernels, size, messages, result):
    """An application with a graph that the host launches, fed with large messages: of its results only the marks leave it.
    Its ends and the graph have a thread each, since the Taker waits for results."""
    names = [f"k{i}" for i in range(kernels)] + ["marks"]
    feeder = entity("feeder", component("bridge::Feeder", out="out", pool="memory/pool", bytes=size), writes=True,
                    more=[count(messages), named("window", "bridge::Window", in_flight=INPUTS_IN_FLIGHT)])
    kinds = ["tiny::Increment"] * kernels + ["tiny::Marks"]
    steps = [entity(name, component(kind, **{"in": "in", "out": "out"}, dependent="false"), reads=True, writes=True)
             for name, kind in zip(names, kinds)]
    taker = entity("taker", component("bridge::Taker", **{"in": "in"}, window="feeder/window", added=kernels,
                                      messages=messages, result=json.dumps(result)), reads=True,
                   capacity=INPUTS_IN_FLIGHT)  # while it waits for one result, iterations go on
    shape = f'{{k0/in: "int32 [{size // 4}]"}}'
    return "---\n".join([feeder, *steps, taker, MEMORY, connections(["feeder", *names, "taker"]),
                         document("gpu", [named("region", "gxr::cuda::GraphExecutor", mode="graph",
                                                entities="[" + ", ".join(names) + "]", inputs=shape)]), THREADS])


# -------------------------------------------------------------------------------------------------- programs

class Failed(Exception):
    """A program did not do what it was to do."""


def json_lines(text):
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue  # what a program that was killed had begun to write
    return found


class Programs:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.failures = arguments, folder, []

    def start(self, command, name, timeout):
        """Its output, which is kept in the folder."""
        try:
            done = subprocess.run(command, text=True, capture_output=True, timeout=timeout, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Failed(f"{name}: {error}") from error
        (self.folder / (name + ".out")).write_text(done.stdout + done.stderr, encoding="utf-8")
        return done

    def by_hand(self, program, name, *options):
        """Its lines of JSON. One that fails has still measured something."""
        try:
            done = self.start([program, *options], name, 300)
        except Failed as failed:
            self.failures.append(str(failed))
            return []
        lines = json_lines(done.stdout)
        if done.returncode != 0:
            self.failures.append(f"{name} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
        self.failures += [f"{name}: {json.dumps(line)}" for line in lines if not line.get("ok", True)]
        return [line for line in lines if line.get("ok", True)]

    def run(self, name, application, executor):
        """Report of a run that completed."""
        path = self.folder / (name + ".yaml")
        path.write_text(application, encoding="utf-8")
        extensions = [word for file in ("tiny", "bridge")
                      for word in ("-x", str(pathlib.Path(self.arguments.extensions) / (file + ".so")))]
        options = ["--executor", executor, "--stats", "--format", "json"]
        done = self.start([self.arguments.gxr, "run", *extensions, *options, str(path)], name, 300)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report = {}
        if done.returncode != 0 or report.get("reason") != "completed":
            causes = [failure["text"] for failure in report.get("failures", [])]
            raise Failed(f"{name} ended with {done.returncode}: {'; '.join(causes) or done.stderr.strip()[-500:]}")
        return report

    # Measures, in microseconds.

    def period(self, name, times, application):
        """Mean of a resident region, by its own count."""
        report = self.run(name, application, "resident")
        graphs = [graph for graph in report.get("graphs", []) if graph["name"] == "region"]
        if len(graphs) != 1:
            raise Failed(f"{name}: the report has no graph 'region'")
        if graphs[0]["iterations"] != times:
            raise Failed(f"{name}: {graphs[0]['iterations']} iterations, not {times}")
        return graphs[0]["period_ns"] * 1e-3

    def launched(self, name, times, application):
        """Mean of a region that the host launches, without its start: a long run less a short one."""
        durations = [self.run(f"{name}-{total}", application(total), "graph")["duration_ns"]
                     for total in (SHORT_RUN, SHORT_RUN + times)]
        return (durations[1] - durations[0]) / times * 1e-3

    def figures(self, name, messages, application, executor="resident"):
        """What the Taker measured."""
        path = self.folder / (name + ".json")
        self.run(name, application(str(path)), executor)
        try:
            figures = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Failed(f"{name}: no figures: {error}") from error
        if figures["messages"] != messages - WARM_UP:
            raise Failed(f"{name}: {figures['messages']} messages, not {messages - WARM_UP}")
        return figures


# ----------------------------------------------------------------------------------------------------- table

@dataclass
class Row:
    measure: str
    by_hand: Optional[float]  # us; None: not there
    gxr: Optional[float]
    bar: Optional[float]  # None: nothing is asked of it
    absolute: bool = False  # the bar is in us, not a ratio
    rounds: tuple = ()  # least and most by hand, if they tell more than their median

    def cells(self):
        known = self.by_hand is not None and self.gxr is not None
        ratio = self.gxr / self.by_hand if known else None
        judged = self.gxr if self.absolute else ratio
        bar = "-" if self.bar is None else f"{self.bar:.2f}" + (" us" if self.absolute else "")
        missed = self.bar is not None and judged is not None and judged > self.bar
        by_hand = "-" if self.absolute else us(self.by_hand)
        if self.rounds:
            by_hand += " ({:.2f} to {:.2f})".format(*self.rounds)
        return [self.measure, by_hand, us(self.gxr), "-" if ratio is None else f"{ratio:.2f}",
                f"**{bar} missed**" if missed else bar]


def us(value):
    return "failed" if value is None else f"{value:.2f} us"


def middle(values):
    """Median; None of nothing."""
    return statistics.median(values) if values else None


def table(rows):
    lines = [["measure", "by hand", "gxr", "ratio", "bar"], ["---"] * 5] + [row.cells() for row in rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def plural(kernels):
    return "1 kernel" if kernels == 1 else f"{kernels} kernels"


def launch_text(dependent):
    return ", dependent launch" if dependent else ""


class Comparison:
    """All rows, one after the other; a row whose program fails says so, and the next follows."""

    def __init__(self, programs, scale):
        self.programs, self.scale = programs, scale
        self.rows, self.loops, self.inputs = [], [], []

    def times(self, kernels):
        return max(UNROLL, int(iterations(kernels) * self.scale) // UNROLL * UNROLL)

    def messages(self, kernels):
        return self.times(kernels) + WARM_UP

    def measure_by_hand(self):
        arguments = self.programs.arguments
        self.loops = self.programs.by_hand(arguments.gpures, "gpures_bench", "--modes", MODES, "--chains",
                                           ",".join(map(str, CHAINS)), "--scale", str(self.scale))
        self.inputs = self.programs.by_hand(arguments.inputs, "inputs_bench", "--bytes", str(INPUT_BYTES), "--kernels",
                                            ",".join(map(str, INPUT_KERNELS)), "--scale", str(self.scale))

    def loop(self, mode, measure, kernels, lines=None, figure="mean_us"):
        found = [line[figure] for line in (self.loops if lines is None else lines)
                 if (line.get("mode"), line.get("measure"), line.get("chain")) == (mode, measure, kernels)]
        return middle(found)

    def input(self, measure, kernels):
        found = [line["mean_us"] for line in self.inputs if (line.get("measure"), line.get("kernels")) == (measure, kernels)]
        return min(found, default=None)

    def attempt(self, measure):
        try:
            return measure()
        except Failed as failed:
            self.programs.failures.append(str(failed))
            return None

    def add(self, measure, by_hand, gxr, bar, **more):
        self.rows.append(Row(measure, by_hand, gxr, bar, **more))

    def periods(self):
        for kernels in CHAINS:
            times = self.times(kernels)
            by_hand = self.loop("while_pdl_early", "free", kernels)
            for loop, name, bar in (("control_at_end", "", 1.05), ("auto", ", loop: auto", None)):
                application = chains("resident", 1, kernels, times, loop=loop)
                gxr = self.attempt(lambda: self.programs.period(f"chain-{kernels}-{loop}", times, application))
                self.add(f"period, {plural(kernels)}{name}", by_hand, gxr, bar)
        times = self.times(1)
        unrolled = chains("resident", 1, 1, times, unroll=UNROLL, loop="control_at_end")
        gxr = self.attempt(lambda: self.programs.period("unroll", times, unrolled))
        self.add(f"period, 1 kernel, unroll: {UNROLL}", None, gxr, 3.5, absolute=True)
        for kernels in CHAINS:
            times = self.times(kernels)
            launches = chains("resident", 1, kernels, times, loop="tail_launch")
            gxr = self.attempt(lambda: self.programs.period(f"tail-{kernels}", times, launches))
            self.add(f"period, {plural(kernels)}, a graph that launches itself", self.loop("devgraph_pdl", "free", kernels), gxr, None)

    def handled_periods(self):
        for kernels in CHAINS:
            times = self.times(kernels)
            gxr = self.attempt(lambda: self.programs.period(f"handled-{kernels}", times, handled(kernels, times)))
            self.add(f"period, {plural(kernels)}, input that the GPU finds", self.loop("holo_nosleep", "free", kernels), gxr, None)

    def bridged_periods(self):
        for slots, bar in ((MANY_SLOTS, 1.15), (SLOTS, None)):
            for kernels in CHAINS:
                figures = self.attempt(lambda: self.chain_figures(f"bridged-{slots}-{kernels}", kernels, MILLION, 0, slots))
                gxr = 1e6 / figures["messages_per_s"] if figures else None
                self.add(f"period, {plural(kernels)}, a bridge at each end, slots: {slots}",
                         self.loop("while_pdl_early", "free", kernels), gxr, bar)

    def branches(self):
        total = BRANCHES * BRANCH_KERNELS
        times = self.times(total)
        by_hand = self.loop("while_fork4", "free", total)
        for dependent, bar in ((False, 1.05), (True, 1.0)):
            name = f"period, {BRANCHES} branches of {BRANCH_KERNELS} kernels" + launch_text(dependent)
            application = chains("resident", BRANCHES, BRANCH_KERNELS, times, dependent)
            gxr = self.attempt(lambda: self.programs.period(f"fork-{flag(dependent)}", times, application))
            self.add(name, by_hand, gxr, bar)

    def latencies(self):
        for kernels in CHAINS:
            lines, rung, sent = [], [], []
            for number in range(self.programs.arguments.rounds):
                lines += self.programs.by_hand(
                    self.programs.arguments.gpures, f"while_ht-{kernels}-{number}", "--modes", "while_ht", "--measure",
                    "host_g20", "--chains", str(kernels), "--scale", str(WAITS_SCALE * self.scale))
                rung += self.programs.by_hand(
                    self.programs.arguments.host_driven, f"host_driven-{kernels}-{number}", str(kernels),
                    str(WARM_UP + max(1, int(waits(kernels) * self.scale))), "20")
                figures = self.attempt(lambda: self.chain_figures(f"ping-{kernels}-{number}", kernels, 1, 20))
                sent += [figures] if figures else []
            for figure, label, bar in (("p50_us", "median", 1.1), ("p999_us", "99.9 %", 1.3)):
                by_hand = self.loop("while_ht", "host_g20", kernels, lines, figure)
                for what, found, limit in (("data_ready() to result_ready()", rung, bar), ("message to message", sent, None)):
                    self.add(f"{what}, {plural(kernels)}, 20 us idle before, {label}", by_hand,
                             middle([each[figure] for each in found]), limit)

    def launched(self):
        for mode, dependent in (("graph", False), ("graph_pdl", True)):
            for kernels in CHAINS:
                # Long beside the start, whose time varies by 0.1 s.
                times = max(UNROLL, int(3_000_000 / (kernels + 2) * self.scale))
                gxr = self.attempt(lambda: self.programs.launched(
                    f"{mode}-{kernels}", times, lambda total: chains("graph", 1, kernels, total, dependent)))
                name = f"launched by the host, {plural(kernels)}" + launch_text(dependent)
                self.add(name, self.loop(mode, "pipe", kernels), gxr, 1.1)

    def fed(self):
        """Copies of inputs overlap with the work on earlier ones: the period is that of the slower of the two."""
        copy = self.input("copy", 0)
        for kernels in INPUT_KERNELS:
            messages = self.messages(64)
            figures = self.attempt(lambda: self.programs.figures(
                f"fed-{kernels}", messages, lambda result: fed(kernels, INPUT_BYTES, messages, result), "graph"))
            gxr = 1e6 / figures["messages_per_s"] if figures else None
            work = self.input("work", kernels)
            slower = max(copy, work) if copy is not None and work is not None else None
            name = f"launched by the host, messages of {INPUT_BYTES >> 20} MiB, {plural(kernels)}"
            self.add(f"{name}, against max(copy, work)", slower, gxr, 1.15)
            self.add(f"{name}, against both overlapped", self.input("overlapped", kernels), gxr, None)

    def chain_figures(self, name, kernels, in_flight, idle_us, slots=SLOTS):
        messages = self.messages(kernels)
        return self.programs.figures(name, messages, lambda result: bridged(
            "tiny::Step", kernels, ROW_BYTES, messages, in_flight, idle_us, result, slots))

    def bridge_figures(self, name, size, in_flight, pauses):
        messages = self.messages(1) if size <= 65536 else self.messages(64)
        return self.programs.figures(name, messages, lambda result: bridged(
            "tiny::Increment", 1, size, messages, in_flight, 0, result, pauses=pauses))

    def bridge_rows(self):
        for size in BRIDGE_BYTES:
            text = f"bridge of {size // 1024} KiB" if size < 1 << 20 else f"bridge of {size >> 20} MiB"
            lines, full, single, paused = [], [], [], []
            for number in range(self.programs.arguments.rounds):
                lines += self.programs.by_hand(
                    self.programs.arguments.bridge, f"bridge_bench-{size}-{number}", "--bytes", str(size), "--slots", str(SLOTS),
                    "--scale", str(self.scale))
                for name, in_flight, pauses, found in (("full", MILLION, False, full), ("single", 1, False, single), ("paused", 1, True, paused)):
                    figures = self.attempt(lambda: self.bridge_figures(f"{name}-{size}-{number}", size, in_flight, pauses))
                    found += [figures] if figures else []

            def row(label, measure, gxr, figure, bar=1.15, ranges=False):
                # By hand in the better shape of the loop.
                shapes = {}
                for line in lines:
                    if (line.get("measure"), line.get("bytes")) == (measure, size):
                        shapes.setdefault(line["loop"], []).append(figure(line))
                found = min(shapes.values(), key=middle, default=[])
                rounds = (min(found), max(found)) if ranges and found else ()
                self.add(f"{text}, {label}", middle(found), middle([figure(each) for each in gxr]), bar, rounds=rounds)

            row("ring kept full", "rate", full, lambda line: 1e6 / line["messages_per_s"])
            row("one in flight, median", "latency", single, lambda line: line["p50_us"])
            for key, label in (("p99_us", "99 %"), ("p999_us", "99.9 %")):
                # Where the host's timer strikes: no bar, since rounds by hand differ by more.
                row(f"one in flight, {label}", "latency", single, lambda line: line[key], None, ranges=True)
            row("one in flight, median, with pauses between looks for input", "latency", paused, lambda line: line["p50_us"], None)

    def million(self):
        """Inputs rung the moment that the result is seen: the Taker counts them and fails the run."""
        messages = max(WARM_UP + 1, int(MILLION * self.scale))
        figures = self.attempt(lambda: self.programs.figures("million", messages, lambda result: bridged(
            "tiny::Step", 1, ROW_BYTES, messages, 1, 0, result)))
        rung = self.programs.by_hand(self.programs.arguments.host_driven, "host_driven-million", "1", str(messages), "0")
        return "\n".join(f"{messages} {what} when the result before was seen: " + (
            "every result once, in order" if good else "failed") for what, good in (
                ("messages sent", figures), ("inputs rung", rung)))

    def run(self):
        self.measure_by_hand()
        self.periods()
        self.handled_periods()
        self.bridged_periods()
        self.branches()
        self.latencies()
        self.launched()
        self.fed()
        self.bridge_rows()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default="build/bench", help="where the programs below are")
    for name, what in (("gxr", "executable"), ("extensions", "folder of tiny.so and bridge.so"),
                       ("gpures", "gpures_bench"), ("bridge", "bridge_bench"), ("inputs", "inputs_bench"),
                       ("host-driven", "host_driven_bench")):
        parser.add_argument("--" + name, help=what)
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the number of iterations")
    parser.add_argument("--rounds", type=int, default=5, help="of what differs from one process to the next")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the applications and what the programs printed")
    arguments = parser.parse_args()
    for name, path in (("gxr", "gxr"), ("extensions", "bench/extensions"),
                       ("gpures", "bench/gpu/reference/gpures_bench"), ("bridge", "bench/gpu/bridge/bridge_bench"),
                       ("inputs", "bench/gpu/bridge/inputs_bench"),
                       ("host_driven", "bench/gpu/host_driven_bench")):
        if getattr(arguments, name) is None:
            setattr(arguments, name, str(arguments.build / path))
    return arguments


def compare(arguments, folder):
    programs = Programs(arguments, folder)
    comparison = Comparison(programs, arguments.scale)
    comparison.run()
    print(table(comparison.rows))
    print()
    print(comparison.million())
    for failure in programs.failures:
        print("error:", failure, file=sys.stderr)
    return 1 if programs.failures else 0


def in_folder(arguments, compare_in):
    """Calls it with the arguments and the folder that --keep names, or one for the time being."""
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        return compare_in(arguments, arguments.keep.resolve())
    with tempfile.TemporaryDirectory() as folder:
        return compare_in(arguments, pathlib.Path(folder))


def main():
    return in_folder(parse(), compare)


if __name__ == "__main__":
    sys.exit(main())
