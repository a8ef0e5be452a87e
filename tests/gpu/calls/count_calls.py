#!/usr/bin/env python3
"""Runs GPU applications with every CUDA call counted: no tick may wait for the GPU, and the calls of a tick are those
that its work needs. Compares a short run with a longer one, so what starts and ends a run does not matter."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
NO_GPU = re.compile(r"no GPU can be used: .*")
# What returns only when the GPU has done something.
WAITS = re.compile(r"(cuda|cu)(\w*Synchronize|Memcpy(?!.*Async)\w*|Memset(?!.*Async)\w*|Free(?!.*Async)\w*|"
                   r"MemFree(?!.*Async)\w*|HostUnregister|MemHostUnregister)")
SHORT, LONG = 200, 600
SCHEDULER = """
---
name: memory
components:
- {name: pool, type: gxr::BlockMemoryPool, parameters: {storage_type: 1, block_size: 2048, num_blocks: 64}}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
"""


def check(condition, message):
    if not condition:
        print(message, file=sys.stderr)
        sys.exit(1)


def entity(name, codelet, receives, sends):
    lines = [f"---\nname: {name}\ncomponents:"]
    if receives:
        lines += ["- {name: in, type: gxr::DoubleBufferReceiver}",
                  "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}"]
    if sends:
        lines += ["- {name: out, type: gxr::DoubleBufferTransmitter}",
                  "- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}"]
    return "\n".join(lines + [f"- {codelet}"]) + "\n"


def connect(source, target):
    return ("---\ncomponents:\n- {type: gxr::Connection, parameters: {source: %s/out, target: %s/in}}\n"
            % (source, target))


def chain(second_consumer):
    """A source, four codelets with a kernel each, a sink; each output may have a second consumer."""
    text = entity("n0", "{name: count, type: gpu::Count, parameters: {out: out, pool: memory/pool, size: 512}}\n"
                  "- {name: times, type: gxr::CountSchedulingTerm, parameters: {count: 1}}", False, True)
    drop = "{type: gpu::Drop, parameters: {in: in}}"
    for i in range(1, 5):
        text += entity(f"n{i}", "{type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool}}", True, True)
        text += connect(f"n{i - 1}", f"n{i}")
        if second_consumer:
            text += entity(f"d{i}", drop, True, False) + connect(f"n{i - 1}", f"d{i}")
    return text + entity("end", drop, True, False) + connect("n4", "end") + SCHEDULER


def graph():
    """A graph that the host launches, between a source of large messages in page-locked memory and a sink."""
    return (entity("n0", "{type: gpu::Feed, parameters: {out: out, pool: memory/pinned, size: 65536, pinned: true}}\n"
                   "- {name: times, type: gxr::CountSchedulingTerm, parameters: {count: 1}}", False, True)
            + entity("n1", "{type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool}}", True, True)
            + entity("end", "{type: gpu::Drop, parameters: {in: in}}", True, False) + connect("n0", "n1") + connect("n1", "end")
            + "---\ncomponents:\n- type: gxr::cuda::GraphExecutor\n  parameters: {mode: graph, entities: [n1], "
              "inputs: {n1/in: \"int32 [65536]\"}}\n"
            + SCHEDULER.replace("name: memory\ncomponents:", "name: memory\ncomponents:\n- {name: pinned, type: gxr::UnboundedAllocator}"))


class Runs:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def calls(self, app, *options):
        """Name and number of each call in a run."""
        counts = os.path.join(self.folder, "calls")
        environment = dict(os.environ, CUDA_INJECTION64_PATH=self.arguments.counter, GXR_CUDA_CALLS=counts)
        command = [self.arguments.gxr, "run", "-x", os.path.join(self.arguments.extensions, "gpu.so"), app, *options]
        done = subprocess.run(command, cwd=self.folder, env=environment, text=True, capture_output=True, timeout=250)
        output = done.stdout + done.stderr
        if found := NO_GPU.search(output):
            print(f"skipped: {found[0]}")
            sys.exit(SKIPPED)
        check(done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{output}")
        check(os.path.exists(counts), f"nothing was counted:\n{output}")
        with open(counts, encoding="utf-8") as file:
            found = {name: int(number) for name, number in (line.split() for line in file)}
        os.remove(counts)
        return found

    def per_message(self, parameter, app, *options):
        """How many calls of each kind every message more takes, where that is not zero."""
        short = self.calls(app, "-p", f"{parameter}={SHORT}", *options)
        long = self.calls(app, "-p", f"{parameter}={LONG}", *options)
        more = {name: (number - short.get(name, 0)) / (LONG - SHORT) for name, number in long.items()}
        more = {name: number for name, number in more.items() if number != 0}
        print(f"{os.path.basename(app)} {' '.join(options)}")
        for name, number in sorted(more.items()):
            print(f"  {number:8.2f}  {name}")
        return more

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name


def waits(calls):
    return {name: number for name, number in calls.items() if WAITS.match(name)}


def number_of(call, calls):
    return sum(number for name, number in calls.items() if name.startswith(call))


def launches(calls):
    return number_of("cudaLaunchKernel", calls)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("gxr", "apps", "extensions", "counter"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    for name, value in vars(arguments).items():
        setattr(arguments, name, os.path.abspath(value))
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(arguments, folder)
        for executor in ("greedy", "events"):
            one = runs.per_message("n0/times/count", runs.write("chain.yaml", chain(False)), "--executor", executor)
            check(not waits(one), f"a chain waits: {waits(one)}")
            check(launches(one) == 5, f"not 5 kernels a message but {launches(one)}")
            several = runs.per_message("n0/times/count", runs.write("fork.yaml", chain(True)), "--executor", executor)
            check(not waits(several), f"a chain with several consumers waits: {waits(several)}")
            check(launches(several) == 5, f"not 5 kernels a message but {launches(several)}")
        # To the staging buffer, from there to the graph's input, and the result into a message.
        fed = runs.per_message("n0/times/count", runs.write("graph.yaml", graph()))
        check(not waits(fed), f"a graph waits: {waits(fed)}")
        check((number_of("cudaGraphLaunch", fed), number_of("cudaMemcpyAsync", fed)) == (1, 3),
              f"not one launch and 3 copies a message: {fed}")
        with open(os.path.join(arguments.apps, "develop", "develop.yaml"), encoding="utf-8") as file:
            camera = file.read()
        # Writers wait for what they put into files; these sinks do not look at it.
        camera, writers = re.subn(r"operator: gxr::image::Writer\n(inputs: .*)\nparameters: .*",
                                  r"operator: gpu::Drop\n\1", camera)
        check(writers == 2, "the camera's writers are not written as this test expects")
        camera = runs.per_message("source/count", runs.write("camera.yaml", camera), "--device", "gpu", "-p",
                                  "source/width=64", "-p", "source/height=48")
        check(not waits(camera), f"the camera waits: {waits(camera)}")
        check(launches(camera) == 10, f"not 10 kernels a picture but {launches(camera)}")


if __name__ == "__main__":
    main()
