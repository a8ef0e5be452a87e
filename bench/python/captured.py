#!/usr/bin/env python3
"""Measures operators of Python in loops on a GPU, against the same work without gxr or in C++, in one run.

    python3 bench/python/captured.py FOLDER [ROUNDS]

Needs a GPU, the package gxr, CuPy, PyTorch, Triton, and in FOLDER gain.so, which the build makes in tests/extensions.

- chain: the period of a loop of 16 kernels between a counter and a sum: gain::Gain in C++, then the same source by
  CuPy, then a kernel of Triton.
- network: from the host's write of a picture to its read of the result. The loop of gxr, driven by the program; a
  torch.cuda.CUDAGraph that is replayed and waited for; and PyTorch without a graph.
"""

import statistics
import sys
import time

import cupy as cp
import numpy as np
import torch
import triton
import triton.language as tl

import gxr

SIZE = 512
STEPS = 16
SECONDS = 1.0
INPUTS = 3000
SIDE = 64

SOURCE = r"""
extern "C" __global__ void count(const unsigned long long* iteration, int* to, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) to[i] = int(*iteration);
}
extern "C" __global__ void add_up(const int* from, unsigned* sum, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) sum[i] += unsigned(from[i]);
}
extern "C" __global__ void multiply(const int* input, int* output, long long count, int factor) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    output[i] = static_cast<int>(static_cast<unsigned>(input[i]) * static_cast<unsigned>(factor));
  }
}
"""


@triton.jit
def multiply_by(given, result, count, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(result + i, tl.load(given + i, mask=i < count) * factor, mask=i < count)


class Counter(gxr.Operator):
    out: gxr.Output[gxr.Tensor]

    def infer(self, shapes):
        shapes.set_output(self.out, gxr.TensorSpec((SIZE,), "int32"))

    def capture(self, region):
        kernel = cp.RawKernel(SOURCE, "count")
        kernel((SIZE // 256,), (256,), (region.iteration.pointer, cp.asarray(region.output(self.out)), np.int32(SIZE)))


class Sum(gxr.Operator):
    given: gxr.Input[gxr.Tensor]

    def infer(self, shapes):
        shapes.set_scratch(4 * SIZE)

    def capture(self, region):
        kernel = cp.RawKernel(SOURCE, "add_up")
        given = cp.asarray(region.input(self.given))
        kernel((SIZE // 256,), (256,), (given, region.scratch.pointer, np.int32(SIZE)))


class Raw(gxr.Operator):
    input: gxr.Input[gxr.Tensor]
    output: gxr.Output[gxr.Tensor]

    def capture(self, region):
        given, result = cp.asarray(region.input(self.input)), cp.asarray(region.output(self.output))
        kernel = cp.RawKernel(SOURCE, "multiply")
        kernel((SIZE // 256,), (256,), (given, result, np.int64(SIZE), np.int32(3)))


class Triton(gxr.Operator):
    input: gxr.Input[gxr.Tensor]
    output: gxr.Output[gxr.Tensor]

    def capture(self, region):
        given, result = torch.from_dlpack(region.input(self.input)), torch.from_dlpack(region.output(self.output))
        multiply_by[(SIZE // 256,)](given, result, SIZE, 3, BLOCK=256)


def period_of(kind, ports, gain_library):
    """Nanoseconds from one iteration to the next."""
    app = gxr.Application()
    if isinstance(kind, str):
        app.extension(gain_library)
    app.add("counter", Counter)
    last = "counter"
    for number in range(STEPS):
        parameters = {"factor": 3} if isinstance(kind, str) else {}
        app.add(f"step{number}", kind, inputs={ports[0]: last}, parameters=parameters)
        last = f"step{number}/{ports[1]}"
    app.add("sum", Sum, inputs={"given": last})
    app.executor("resident")
    with app:
        time.sleep(SECONDS)
        app.interrupt()
        report = app.wait()
    return report.graphs[0].period_ns


def network():
    torch.manual_seed(1)
    layers = [torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(16, 16, 3, padding=1)]
    layers += [torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(16 * SIDE * SIDE, 10)]
    return torch.nn.Sequential(*layers).cuda().eval()


class Net(gxr.Operator):
    """Reads page-locked memory of the host, and writes there"""

    shared = None

    def start(self):
        self.net = network()
        self.picture = torch.zeros(1, 3, SIDE, SIDE, device="cuda")

    def capture(self, region):
        given, result = Net.shared
        self.picture.copy_(given, non_blocking=True)
        result.copy_(self.net(self.picture), non_blocking=True)


def timed(write_and_read, result):
    """Median of microseconds, from the write to the read; every result is compared."""
    times = []
    for number in range(INPUTS):
        picture = PICTURES[number % len(PICTURES)]
        begin = time.perf_counter_ns()
        write_and_read(picture)
        times.append(time.perf_counter_ns() - begin)
        if not np.allclose(result.numpy(), EXPECTED[number % len(PICTURES)], rtol=1e-2, atol=1e-3):
            raise SystemExit(f"input {number} gave {result.numpy()}")
    return statistics.median(times[100:]) / 1000


def by_gxr():
    given, result = torch.zeros(1, 3, SIDE, SIDE).pin_memory(), torch.zeros(1, 10).pin_memory()
    Net.shared = given, result
    target = given.numpy()
    app = gxr.Application()
    app.types(Net)
    app.load_text(
        f"name: net\noperator: {NAME}::Net\n---\nname: gpu\ncomponents:\n- {{name: loop, type: "
        "gxr::cuda::GraphExecutor, parameters: {mode: resident, entities: [net], host_driven: true, "
        "sync_with_host: true}}\n"
    )
    with app:
        loop = app.resident_graph("loop")
        loop.wait_until_launched(30)

        def write_and_read(picture):
            target[...] = picture
            loop.data_ready()
            while not loop.result_ready:
                pass

        found = timed(write_and_read, result)
        loop.tear_down()
        app.interrupt()
        app.wait()
    return found


def by_hand(captured):
    net = network()
    given, result = torch.zeros(1, 3, SIDE, SIDE).pin_memory(), torch.zeros(1, 10).pin_memory()
    target = given.numpy()
    picture_on_gpu = torch.zeros(1, 3, SIDE, SIDE, device="cuda")
    stream = torch.cuda.Stream()
    graph = torch.cuda.CUDAGraph()

    def work():
        picture_on_gpu.copy_(given, non_blocking=True)
        result.copy_(net(picture_on_gpu), non_blocking=True)

    with torch.inference_mode(), torch.cuda.stream(stream):
        for _ in range(3):
            work()
        stream.synchronize()
        if captured:
            with torch.cuda.graph(graph, stream=stream):
                work()

        def write_and_read(picture):
            target[...] = picture
            graph.replay() if captured else work()
            stream.synchronize()

        return timed(write_and_read, result)


NAME = __name__ if __name__ != "__main__" else "captured"
PICTURES = [np.random.default_rng(i).random((1, 3, SIDE, SIDE), np.float32) for i in range(8)]
with torch.inference_mode():
    _net = network()
    EXPECTED = [_net(torch.from_numpy(each).cuda()).cpu().numpy() for each in PICTURES]


def main():
    library = sys.argv[1] + "/gain.so"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rows = {
        "chain of 16 in C++, ns": lambda: period_of("gain::Gain", ("in", "out"), library),
        "chain of 16 by CuPy, ns": lambda: period_of(Raw, ("input", "output"), library),
        "chain of 16 by Triton, ns": lambda: period_of(Triton, ("input", "output"), library),
        "network in a loop of gxr, us": by_gxr,
        "network as torch.cuda.CUDAGraph, us": lambda: by_hand(True),
        "network by PyTorch without a graph, us": lambda: by_hand(False),
    }
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__, "CuPy", cp.__version__)
    found = {name: [] for name in rows}
    for _ in range(rounds):
        for name, measure in rows.items():
            found[name].append(measure())
    for name, values in found.items():
        print(f"{name}: {statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})")


if __name__ == "__main__":
    main()
