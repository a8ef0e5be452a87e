"""Operators in CUDA graphs: shapes, and what surrounds a call of capture()."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from . import _native
from ._error import Error

if TYPE_CHECKING:
    from ._native import Capture, Shapes
    from ._operator import Operator


@dataclasses.dataclass(frozen=True)
class TensorSpec:
    """The tensor that passes a port of a CUDA graph in every iteration."""

    shape: tuple[int, ...]
    dtype: str
    content: str = ""
    """What else is to be known of the elements, such as "Bayer RGGB"; operators agree on the words."""
    name: str = ""
    """Name of the part of the message."""


class _Pools:
    """Memory of the libraries for one copy of an operator in a graph: nobody else ever gets it."""

    def __init__(self) -> None:
        self.torch: Any = None
        self.cupy: Any = None


def _loaded() -> tuple[Any, Any]:
    """PyTorch and CuPy, if the program has imported them."""
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    return (
        torch if hasattr(torch, "inference_mode") else None,
        cupy if hasattr(cupy, "ndarray") else None,
    )


@contextlib.contextmanager
def _torch_on(torch: Any, region: Capture, pools: _Pools) -> Iterator[None]:
    """PyTorch works on the stream of the region, with memory of its own; Triton follows it."""
    stream = torch.cuda.ExternalStream(region.stream, device=region.device)
    with torch.cuda.device(region.device), torch.cuda.stream(stream), torch.inference_mode():
        if pools.torch is None:
            pools.torch = torch.cuda.MemPool()
        # cuBLAS keeps a workspace for each stream. None of before, and none of this one afterwards.
        torch._C._cuda_clearCublasWorkspaces()
        try:
            with torch.cuda.use_mem_pool(pools.torch, region.device):
                yield
        finally:
            torch._C._cuda_clearCublasWorkspaces()


def guard_waits(torch: Any) -> None:
    """From now on, PyTorch's calls that wait for a whole GPU warn, or are refused, while a loop runs there, for whose end they wait."""

    def warn(device: Any = None) -> None:
        index = device if device is None or isinstance(device, int) else torch.device(device).index
        if _native.loops_run(torch.cuda.current_device() if index is None else index):
            text = "torch.cuda.synchronize() waits for the end of the loop that runs on the GPU: synchronize a stream instead"
            warnings.warn(text, RuntimeWarning, stacklevel=3)

    def refuse() -> None:
        # PyTorch may keep Python's lock meanwhile, so that nobody could end the loop.
        for device in range(torch.cuda.device_count()):
            if _native.loops_run(device) and torch.cuda.memory_reserved(device) > 0:
                raise Error(
                    "torch.cuda.empty_cache() waits for the end of the loop that runs on the GPU: give memory back "
                    "before the run",
                    "invalid-state",
                )

    _guard(torch.cuda, "synchronize", warn)
    _guard(torch.cuda, "empty_cache", refuse)


def _guard(cuda: Any, name: str, look: Callable[..., None]) -> None:
    function = getattr(cuda, name)
    if hasattr(function, "_gxr_guards"):
        return

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        look(*arguments, **options)
        return function(*arguments, **options)

    setattr(call, "_gxr_guards", True)
    setattr(cuda, name, call)


class _Stream:
    """The CUDA stream protocol."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle


@contextlib.contextmanager
def _cupy_on(cupy: Any, region: Capture, pools: _Pools) -> Iterator[None]:
    with cupy.cuda.Device(region.device):
        if pools.cupy is None:
            pools.cupy = cupy.cuda.MemoryPool()
        with _cupy_stream(cupy, region, region.stream), cupy.cuda.using_allocator(pools.cupy.malloc):
            yield


def _cupy_stream(cupy: Any, region: Capture, handle: int) -> Any:
    if hasattr(cupy.cuda.Stream, "from_external"):
        return cupy.cuda.Stream.from_external(_Stream(handle))
    return cupy.cuda.ExternalStream(handle, region.device)


def _run(operator: Operator, region: Capture, pools: _Pools) -> Any:
    torch, cupy = _loaded()
    if torch is not None and not torch.cuda.is_available():
        torch = None
    join = _fork(torch, cupy, region)
    with contextlib.ExitStack() as libraries:
        if torch is not None:
            libraries.enter_context(_torch_on(torch, region, pools))
        if cupy is not None:
            libraries.enter_context(_cupy_on(cupy, region, pools))
        result = operator.capture(region)
    join()
    return result


def _fork(torch: Any, cupy: Any, region: Capture) -> Callable[[], None]:
    """The libraries work on a stream that is forked from the captured one, which goes with the graph.

    They remember streams for longer: PyTorch asks the streams that have used page-locked memory whether they are done.
    Gives what joins it.
    """
    if torch is not None:
        captured = torch.cuda.ExternalStream(region.captured_stream, device=region.device)
        lasting = torch.cuda.ExternalStream(region.use_lasting_stream(captured.priority), device=region.device)
        lasting.wait_stream(captured)
        return lambda: captured.wait_stream(lasting)
    if cupy is not None:
        with cupy.cuda.Device(region.device):
            outer = _cupy_stream(cupy, region, region.captured_stream)
            region.use_lasting_stream(getattr(outer, "priority", 0) or 0)
            inner = _cupy_stream(cupy, region, region.stream)
            inner.wait_event(outer.record())
        return lambda: outer.wait_event(inner.record())
    return lambda: None


# Of operators that are prepared and not yet captured; then the graph keeps them, and who captures again finds them.
_prepared: dict[tuple[int, ...], _Pools] = {}
_captured: weakref.WeakValueDictionary[tuple[int, ...], _Pools] = weakref.WeakValueDictionary()


def _key(operator: Operator, region: Capture) -> tuple[int, ...]:
    """Each copy has tensors of its own."""
    places = []
    for port in vars(operator).values():
        if isinstance(port, _native.InputPort) and port:
            places.append(region.input(port).pointer)
        elif isinstance(port, _native.OutputPort):
            places.append(region.output(port).pointer)
    return (id(operator), region.captured_stream, *places)


def prepare(operator: Operator, region: Capture) -> None:
    """What the libraries do at the first call, they do here: loading, compiling, trying out, taking memory."""
    key = _key(operator, region)
    pools = _prepared[key] = _Pools()
    before = _loaded()
    _run(operator, region, pools)
    if _loaded() != before:  # it has imported one of them, which did not know the stream
        _run(operator, region, pools)


def capture(operator: Operator, region: Capture) -> None:
    key = _key(operator, region)
    pools = _prepared.pop(key, None) or _captured.get(key) or _Pools()
    _captured[key] = pools
    try:
        kept = _run(operator, region, pools)
    except Exception as error:
        _prepared[key] = pools  # their memory must not be given back while the stream is captured
        hint = _hint(error)
        if hint:
            raise RuntimeError(hint) from error
        raise
    region.keep(pools)
    region.keep(kept)
    torch, _ = _loaded()
    if torch is not None:
        guard_waits(torch)


def forget(operator: Operator) -> None:
    """The operator is at its end: what was prepared and not captured goes."""
    for key in [each for each in _prepared if each[0] == id(operator)]:
        del _prepared[key]


def _hint(error: Exception) -> str:
    """What libraries say in words that only their authors understand."""
    text = str(error)
    if "CUDA generator" in text or "cuRAND" in text:
        return "random numbers cannot be captured: make them in start(), or compute them from region.iteration"
    import traceback  # only mistakes need it

    frames = traceback.extract_tb(error.__traceback__)
    if any("cudagraph" in frame.filename for frame in frames):
        return (
            "this module makes CUDA graphs of its own (torch.compile(…, mode='reduce-overhead')), which cannot be "
            "captured: compile it with another mode"
        )
    if "stream is capturing" in text or "during CUDA graph capture" in text or "CaptureUnsupported" in text:
        return (
            "this call cannot be captured: it waits for the GPU, copies from or to memory of the host (.item(), "
            ".cpu(), a new number), or takes memory that prepare did not"
        )
    return ""
