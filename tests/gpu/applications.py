"""Applications whose operators become CUDA graphs, and what runs them: for the tests in the folders beside this file."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
NO_GPU = re.compile(r"no GPU can be used: .*")


def check(condition, message):
    if not condition:
        print(message, file=sys.stderr)
        sys.exit(1)


def transmitter(name="out"):
    return [{"name": name, "type": "gxr::DoubleBufferTransmitter"},
            {"type": "gxr::DownstreamReceptiveSchedulingTerm", "parameters": {"transmitter": name}}]


def receiver(name="in", capacity=1):
    return [{"name": name, "type": "gxr::DoubleBufferReceiver", "parameters": {"capacity": capacity}},
            {"type": "gxr::MessageAvailableSchedulingTerm", "parameters": {"receiver": name}}]


def count_term(count):
    return [] if count is None else [{"type": "gxr::CountSchedulingTerm", "parameters": {"count": count}}]


def feed(name, count, size, **parameters):
    return {"name": name, "components": transmitter() + count_term(count) + [
        {"name": "feed", "type": "gpu::Feed", "parameters": {"out": "out", "pool": "memory/pool", "size": size, **parameters}}]}


def source(name, count, size):
    return {"name": name, "components": transmitter() + count_term(count) + [
        {"name": "count", "type": "gpu::Count", "parameters": {"out": "out", "pool": "memory/pool", "size": size}}]}


def add(name, value, inputs=("in",), **parameters):
    ports = {"in": inputs[0], **({"other": inputs[1]} if len(inputs) > 1 else {})}
    receivers = [each for port in inputs for each in receiver(port)]
    return {"name": name, "components": receivers + transmitter() + [
        {"name": "add", "type": "gpu::Add",
         "parameters": {**ports, "out": "out", "pool": "memory/pool", "value": value, **parameters}}]}


def sink(name, first, step=1, capacity=1, **parameters):
    return {"name": name, "components": receiver(capacity=capacity) + [
        {"name": "check", "type": "gpu::Check", "parameters": {"in": "in", "first": first, "step": step, **parameters}}]}


def tally(name, first, step=1, **parameters):
    return {"name": name, "components": receiver() + [
        {"name": "tally", "type": "gpu::Tally", "parameters": {"in": "in", "first": first, "step": step, **parameters}}]}


def tally_sms(name):
    return {"name": name, "components": receiver() + [{"name": "sms", "type": "gpu::TallySms", "parameters": {"in": "in"}}]}


def arrive(name, source, fed=False, **parameters):
    """An operator that looks for input of `source`, on the GPU."""
    ports = {"out": "out", **({"in": "in"} if fed else {})}
    return {"name": name, "components": (receiver() if fed else []) + transmitter() + [
        {"type": "gxr::cuda::DataReadyHandler", "parameters": {"source": source}},
        {"name": "arrive", "type": "gpu::Arrive", "parameters": {**ports, **parameters}}]}


def connections(*pairs):
    full = lambda end, port: end if "/" in end else end + "/" + port
    return {"components": [{"type": "gxr::Connection",
                            "parameters": {"source": full(a, "out"), "target": full(b, "in")}} for a, b in pairs]}


def executor(name="loop", **parameters):
    return {"components": [{"name": name, "type": "gxr::cuda::GraphExecutor", "parameters": {"mode": "resident", **parameters}}]}


GREEN_CONTEXT = {"name": "sms", "components": [
    {"name": "pool", "type": "gxr::cuda::CudaGreenContextPool", "parameters": {"sms_per_partition": [16]}},
    {"name": "part", "type": "gxr::cuda::CudaGreenContext", "parameters": {"cuda_green_context_pool": "pool", "index": 0}}]}
MEMORY = {"name": "memory", "components": [{"name": "pool", "type": "gxr::UnboundedAllocator"}]}


def scheduler(kind="GreedyScheduler", **parameters):
    return {"name": "scheduler", "components": [
        {"name": "clock", "type": "gxr::RealtimeClock"},
        {"type": "gxr::" + kind, "parameters": {"clock": "clock", **parameters}}]}


SCHEDULERS = [scheduler(), scheduler("MultiThreadScheduler", worker_thread_number=3),
              scheduler("EventBasedScheduler", worker_thread_number=2)]


def row(size):
    return f"int32 [{size}]"


def chain(links, count, size, schedule=None, fed=None, sunk=None, **options):
    """A CPU codelet that feeds, operators that add 5 each on the GPU, and a CPU codelet that checks."""
    names = [f"a{i}" for i in range(links)]
    ways = list(zip(["source", *names], [*names, "sink"]))
    return [feed("source", count, size, **(fed or {})), *[add(name, 5) for name in names],
            sink("sink", 1 + 5 * links, fed=True, **(sunk or {})), connections(*ways),
            executor(entities=names, inputs={names[0] + "/in": row(size)}, **options), MEMORY, schedule or SCHEDULERS[0]]


def two_inputs(first, second, size, schedule=None, **options):
    """CPU codelets that feed so many, and an operator that looks at what comes. The loop has no output."""
    return [feed("one", first, size), feed("two", second, size), {"name": "sum", "components": receiver("first") + receiver("second") + [
        {"name": "news", "type": "gpu::TallyNews", "parameters": {"first": "first", "second": "second"}}]},
            connections(("one", "sum/first"), ("two", "sum/second")),
            executor(entities=["sum"], inputs={"sum/first": row(size), "sum/second": row(size)}, **options), MEMORY, schedule or scheduler()]


class Runner:
    def __init__(self, arguments, folder):
        self.gxr, self.extensions, self.folder = arguments.gxr, os.path.abspath(arguments.extensions), folder
        self.number = 0
        self.tool = []  # that runs the program

    def write(self, documents):
        self.number += 1
        path = os.path.join(self.folder, f"app{self.number}.yaml")
        with open(path, "w") as file:
            file.write("\n---\n".join(json.dumps(document, indent=1) for document in documents) + "\n")
        return path

    def command(self, documents, *flags):
        return [os.path.abspath(self.gxr), "run", "-x", self.extensions + "/gpu.so", self.write(documents), *flags]

    def run(self, documents, *flags, status=0, seconds=60):
        # Tests look at the reason of the end themselves.
        command = [*self.tool, *self.command(documents, "--deadlock-ok", *flags)]
        try:
            done = subprocess.run(command, text=True, capture_output=True, timeout=seconds, cwd=self.folder)
        except subprocess.TimeoutExpired as late:
            check(False, f"{' '.join(command)}: no end within {seconds} s\n{late.stdout}\n{late.stderr}")
        output = done.stdout + done.stderr
        if found := NO_GPU.search(output):
            print(f"skipped: {found[0]}")
            sys.exit(SKIPPED)
        check(done.returncode == status, f"{command[-1]}: exit code {done.returncode}, not {status}\n{output}")
        return output

    def report(self, documents):
        output = self.run(documents, "--format", "json")
        return json.JSONDecoder().raw_decode(output, output.index("{"))[0]

    def plan(self, documents):
        command = self.command(documents, "--format", "json")
        command[1] = "plan"
        return json.loads(subprocess.run(command, text=True, capture_output=True, check=True, cwd=self.folder).stdout)


def expect(output, *texts):
    for text in texts:
        check(re.search(text, output), f"no '{text}' in\n{output}")


def main(tests):
    named = {each.__name__: each for each in tests}
    parser = argparse.ArgumentParser()
    parser.add_argument("test", choices=named)
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--extensions", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        named[arguments.test](Runner(arguments, folder))
