"""Operators whose work is captured, for the tests."""

import dataclasses
from typing import Any, ClassVar

import gxr


class Plain(gxr.Operator):
    """Its shapes are those of its input"""

    given: gxr.Input[gxr.Tensor]
    result: gxr.Output[gxr.Tensor]

    def capture(self, region: gxr.Capture) -> None:
        raise AssertionError("captured without a GPU")


class Half(gxr.Operator):
    """Half of the rows, as float32"""

    given: gxr.Input[gxr.Tensor]
    result: gxr.Output[gxr.Tensor]

    def infer(self, shapes: gxr.Shapes) -> None:
        spec = shapes.input(self.given)
        if spec.shape[0] % 2:
            raise ValueError(f"an odd number of rows: {spec.shape[0]}")
        shapes.set_output(
            self.result, dataclasses.replace(spec, shape=(spec.shape[0] // 2, *spec.shape[1:]), dtype="float32")
        )
        shapes.set_scratch(4096)
        shapes.set_parameters(b"12345678")

    def capture(self, region: gxr.Capture) -> None:
        raise AssertionError("captured without a GPU")


class Base(gxr.Operator):
    """Multiplies by a factor; counts the calls of its methods"""

    given: gxr.Input[gxr.Tensor]
    result: gxr.Output[gxr.Tensor]
    factor: float = gxr.parameter(2.0, live=True)
    calls: ClassVar[list[str]] = []

    def tick(self) -> None:
        import numpy as np

        self.calls.append("tick")
        self.result.publish(np.asarray(self.given.receive()) * np.float32(self.factor))


_SOURCE = r"""
extern "C" __global__ void scale(const float* from, float* to, int count, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] * factor;
}
extern "C" __global__ void scale_by(const float* from, float* to, int count, const float* factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] * *factor;
}
extern "C" __global__ void number(const unsigned long long* iteration, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += float(*iteration);
}
extern "C" __global__ void larger(const float* from, int* large) { *large = from[0] > 1; }
"""


_HOPPER = r"""
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster(const float* from, float* to, int count) {
  unsigned size, rank;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = threadIdx.x == 0 ? size : threadIdx.x == 1 ? rank : from[i];
}
extern "C" __global__ void dependent(const float* from, float* to, int count, float factor) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] * factor;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
"""


def kernel(name: str, source: str = _SOURCE) -> Any:
    import cupy

    return cupy.RawKernel(source, name)


class Raw(Base):
    """A kernel by CuPy"""

    def capture(self, region: gxr.Capture) -> None:
        import cupy
        import numpy as np

        self.calls.append("capture")
        given, result = cupy.asarray(region.input(self.given)), cupy.asarray(region.output(self.result))
        blocks = (given.size + 255) // 256
        kernel("scale")((blocks,), (256,), (given, result, np.int32(given.size), np.float32(self.factor)))


class Live(Base):
    """The factor lies in device memory"""

    def infer(self, shapes: gxr.Shapes) -> None:
        import numpy as np

        super().infer(shapes)
        shapes.set_parameters(np.float32([self.factor]))

    def capture(self, region: gxr.Capture) -> None:
        import cupy
        import numpy as np

        self.calls.append("capture")
        given, result = cupy.asarray(region.input(self.given)), cupy.asarray(region.output(self.result))
        factor = cupy.asarray(region.parameters)
        kernel("scale_by")((((given.size + 255) // 256),), (256,), (given, result, np.int32(given.size), factor))


class Arrays(Base):
    """Expressions of CuPy, which take memory, and the number of the iteration"""

    def capture(self, region: gxr.Capture) -> None:
        import cupy
        import numpy as np

        given, result = cupy.asarray(region.input(self.given)), cupy.asarray(region.output(self.result))
        squares = given * given
        result[...] = cupy.sqrt(squares + 1) * self.factor
        kernel("number")(
            (((given.size + 255) // 256),), (256,), (region.iteration.pointer, result, np.int32(given.size))
        )


class Larger(gxr.Operator):
    """Is the first number larger than 1?"""

    given: gxr.Input[gxr.Tensor]
    large: gxr.Output[gxr.Tensor]

    def infer(self, shapes: gxr.Shapes) -> None:
        shapes.set_output(self.large, gxr.TensorSpec((1,), "int32"))

    def capture(self, region: gxr.Capture) -> None:
        import cupy

        kernel("larger")((1,), (1,), (cupy.asarray(region.input(self.given)), cupy.asarray(region.output(self.large))))


class Sum(gxr.Operator):
    """Adds two inputs"""

    left: gxr.Input[gxr.Tensor]
    right: gxr.Input[gxr.Tensor]
    result: gxr.Output[gxr.Tensor]

    def capture(self, region: gxr.Capture) -> None:
        import cupy

        cupy.add(
            cupy.asarray(region.input(self.left)),
            cupy.asarray(region.input(self.right)),
            out=cupy.asarray(region.output(self.result)),
        )


class Cluster(Base):
    """A kernel whose blocks form clusters, by CuPy"""

    def capture(self, region: gxr.Capture) -> None:
        import cupy
        import numpy as np

        given, result = cupy.asarray(region.input(self.given)), cupy.asarray(region.output(self.result))
        kernel("cluster", _HOPPER)((given.size // 256,), (256,), (given, result, np.int32(given.size)))


class Dependent(Base):
    """A kernel that may be launched before the one before it has ended, by CuPy"""

    graph_traits = gxr.GraphTraits(dependent_launch=True)

    def capture(self, region: gxr.Capture) -> None:
        import cupy
        import numpy as np

        given, result = cupy.asarray(region.input(self.given)), cupy.asarray(region.output(self.result))
        blocks = (given.size + 255) // 256
        kernel("dependent", _HOPPER)((blocks,), (256,), (given, result, np.int32(given.size), np.float32(self.factor)))


class Module(Base):
    """A network of PyTorch: cuDNN and cuBLAS"""

    compiled: bool = False
    mode: str = ""

    def infer(self, shapes: gxr.Shapes) -> None:
        shapes.set_output(self.result, gxr.TensorSpec((10,), "float32"))

    def start(self) -> None:
        self.net = network()
        if self.compiled:
            import torch

            self.net = torch.compile(self.net, **({"mode": self.mode} if self.mode else {}))

    def capture(self, region: gxr.Capture) -> None:
        import torch

        self.calls.append("capture")
        given, result = torch.from_dlpack(region.input(self.given)), torch.from_dlpack(region.output(self.result))
        result.copy_(self.net(given[None])[0])


def network() -> Any:
    """The same numbers each time."""
    import torch

    torch.manual_seed(7)
    return (
        torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
            torch.nn.Linear(8 * 32 * 32, 10),
        )
        .cuda()
        .eval()
    )


class Triton(Base):
    """A kernel of Triton that is tuned at its first launch"""

    def capture(self, region: gxr.Capture) -> None:
        import torch
        import triton_kernels

        given, result = torch.from_dlpack(region.input(self.given)), torch.from_dlpack(region.output(self.result))
        triton_kernels.scale(given, result, self.factor)


class Numba(Base):
    """A kernel of numba, which is told the stream"""

    def capture(self, region: gxr.Capture) -> object:
        import numba_kernels

        return numba_kernels.scale(region, region.input(self.given), region.output(self.result), self.factor)


class Wrong(Base):
    """Does what cannot be captured"""

    mistake: str = "none"
    late: ClassVar[Any] = None

    def infer(self, shapes: gxr.Shapes) -> None:
        if self.mistake == "infer":
            raise ValueError("these shapes are not for me")
        super().infer(shapes)

    def capture(self, region: gxr.Capture) -> None:
        import cupy
        import torch

        given, result = torch.from_dlpack(region.input(self.given)), torch.from_dlpack(region.output(self.result))
        if self.mistake == "item":
            result.fill_(given.sum().item())
        elif self.mistake == "random":
            result.copy_(torch.rand_like(result))
        elif self.mistake == "cupy random":
            cupy.asarray(region.output(self.result))[...] = cupy.random.rand(*result.shape)
        elif self.mistake == "host":
            result.copy_(torch.zeros(result.shape))
        elif self.mistake == "synchronize":
            torch.cuda.synchronize()
        elif self.mistake == "nothing":
            pass
        elif self.mistake == "stream":
            with torch.cuda.stream(torch.cuda.Stream()):
                result.fill_(1)
        elif self.mistake == "raise":
            raise RuntimeError("no kernel today")
        elif self.mistake == "late":
            Wrong.late = region
            result.copy_(given)
        else:
            result.copy_(given)
