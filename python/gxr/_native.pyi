"""The module over libgxr.so; programs use the package `gxr`."""

from collections.abc import Callable
from typing import Any, final

from typing_extensions import CapsuleType

from ._capture import TensorSpec
from ._operator import Input, Output

sdk: str  # fingerprint of the headers that it was built with
version: str
part_types: dict[str, str]  # C++ names of "int64", …

@final
class Tensor:
    """A tensor of a message, read-only and without a copy, by the buffer protocol and DLPack: `numpy.asarray(tensor)`."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]:
        """In bytes."""
    @property
    def ndim(self) -> int: ...
    @property
    def dtype(self) -> str:
        """The name in NumPy: "uint8"."""
    @property
    def nbytes(self) -> int: ...
    @property
    def storage(self) -> str:
        """ "system", "host" or "device" """
    @property
    def source_time(self) -> int:
        """When the source of the message made it, in nanoseconds."""
    @property
    def sequence(self) -> int:
        """Number that the source of the message gave it."""
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def to_host(self) -> Any:
        """A copy as an array of NumPy, also of a tensor in memory of a GPU."""
    def __array__(self, *arguments: Any, **options: Any) -> Any:
        """NumPy calls it for a tensor that it cannot take: TypeError."""
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

@final
class Message:
    """A message, with its parts."""

    source_time: int  # when its source made it, in nanoseconds
    sequence: int  # number that its source gave it
    @property
    def parts(self) -> list[tuple[str, str]]:
        """Name and type of each part."""
    @property
    def acquired(self) -> int | None:
        """Acquisition time of its Timestamp; None without one."""
    @property
    def published(self) -> int | None:
        """Time of publishing of its Timestamp; None without one."""
    def tensor(self, name: str | None = None) -> Tensor:
        """The first tensor, or the one of that name."""
    def value(self) -> Any:
        """The first number or text."""
    def __getitem__(self, name: str) -> Any:
        """The part of that name; KeyError when Python can read none."""
    def __len__(self) -> int:
        """How many parts it has."""
    def add(self, value: Any, name: str = "", type: str = "") -> None:
        """Adds an array, a gxr.Tensor, a number or a text; `type`, such as "int32", is that of a number."""

@final
class Picture:
    """A picture with planes, such as one of NV12, or a sequence of them as a part of a message (`gxr::VideoBuffer`)."""

    def __init__(self, planes: Any, format: str, /) -> None:
        """A copy of the planes, an array each of rows x columns (x samples of a pixel), in the order of the format."""
    @property
    def format(self) -> str:
        """As in C++: "NV12", "RGB"."""
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def planes(self) -> tuple[Tensor, ...]:
        """Rows x columns (x samples of a pixel), without a copy."""
    @property
    def storage(self) -> str:
        """ "system", "host" or "device" """

@final
class Sound:
    """A piece of a sound, as a part of a message (`gxr::AudioBuffer`)."""

    def __init__(self, samples: Any, rate: int, /) -> None:
        """A copy of the samples, an array of int16 or float32: samples x channels."""
    @property
    def rate(self) -> int:
        """Samples per second."""
    @property
    def channels(self) -> int: ...
    @property
    def samples(self) -> Tensor:
        """Samples x channels, without a copy."""
    @property
    def storage(self) -> str:
        """ "system", "host" or "device" """

@final
class Waker:
    """A file that can be read once what it was made for has changed. Look again after it was made."""

    def fileno(self) -> int: ...

@final
class Tap:
    def take(self, timeout: float | None = None) -> Any: ...
    @property
    def waiting(self) -> int: ...
    @property
    def ended(self) -> bool: ...
    def waker(self) -> Waker: ...

@final
class Application:
    def __init__(self) -> None: ...
    def load(self, path: str, /) -> None: ...
    def load_text(self, text: str, name: str, /) -> None: ...
    def root(self, folder: str, /) -> None: ...
    def manifest(self, path: str, /) -> None: ...
    def extension(self, file: str, /) -> None: ...
    def types(self, name: str, declarations: list[Any], /) -> None: ...
    def set(self, assignments: list[str], /) -> None: ...
    def enable(self, entity: str, on: bool, /) -> None: ...
    def swap(
        self, operator: str, type: str, extension: str, keep_for_ns: int, patience_ns: int, /
    ) -> tuple[str, str, str, bool, bool, tuple[str, str, str, str, str, str] | None, int, int]: ...
    def parameter_file(self, path: str, /) -> None: ...
    def executor(self, name: str, /) -> None: ...
    def device(self, choice: str, /) -> None: ...
    def compat_gxf(self, on: bool, /) -> None: ...
    def verify(self, on: bool, /) -> None: ...
    def measure(self, on: bool, /) -> None: ...
    def trace(self, path: str, /) -> None: ...
    def input(self, port: str, capacity: int, /) -> None: ...
    def tap(self, port: str, capacity: int, drop_oldest: bool, content: str, /) -> Tap: ...
    def resident_graph(self, name: str, /) -> ResidentGraph: ...
    def validate(self) -> bool: ...
    def problems(self) -> list[tuple[bool, str, str, str, str, int, int]]: ...
    def problems_text(self) -> str: ...
    def plan(self) -> str: ...
    def graph(self, format: str, details: bool, regions: bool, /) -> str: ...
    def status(self, timeout: float, /) -> tuple[float, str, list[tuple[str, int, str]]] | None: ...
    def wait_for(self, seconds: float, /) -> bool: ...
    def begin(self) -> None: ...
    def wait(self) -> dict[str, Any]: ...
    @property
    def is_running(self) -> bool: ...
    @property
    def was_started(self) -> bool: ...
    def interrupt(self) -> None: ...
    def new_message(self) -> Message: ...
    def push(self, port: str, value: Any, timeout: float | None, type: str, numbered: bool, /) -> int: ...
    def message_of(self, value: Any, type: str, /) -> Message | None: ...
    def waker_of_input(self, port: str, /) -> Waker: ...
    def waker_of_end(self) -> Waker: ...
    def end_input(self, port: str, /) -> None: ...

# Of operators: the attributes of ports, components and terms, and what gxr.Operator asks.

@final
class InputPort:
    def receive(self) -> Any: ...
    def receive_if_any(self) -> Any: ...
    @property
    def waiting(self) -> int: ...
    @property
    def name(self) -> str: ...
    def __bool__(self) -> bool: ...

@final
class OutputPort:
    def publish(self, value: Any, acquired: int | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    def __bool__(self) -> bool: ...

@final
class Component:
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...

@final
class Switch:
    def enable_tick(self) -> None: ...
    def disable_tick(self) -> None: ...
    @property
    def tick_enabled(self) -> bool: ...

@final
class SchedulingTerm:
    def notify(self) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def entity(self) -> str: ...

@final
class Codelet:
    def new_message(self) -> Message: ...
    def log(self, level: int, text: str, /) -> None: ...
    def interrupt(self) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def entity(self) -> str: ...
    @property
    def time(self) -> int: ...
    @property
    def delta(self) -> float: ...
    @property
    def count(self) -> int: ...
    @property
    def graph_device(self) -> int | None: ...

@final
class ResidentGraph:
    """A CUDA graph that loops on a GPU, in the hands of the program; of `Application.resident_graph()`.

    With `host_driven: true` at its GraphExecutor, the program begins the iterations. Any thread.
    """

    @property
    def name(self) -> str:
        """Name of its region."""
    @property
    def is_launched(self) -> bool:
        """Does it loop at this moment?"""
    def wait_until_launched(self, timeout: float = 10.0) -> bool:
        """False when that takes longer than `timeout` seconds."""
    def data_ready(self) -> None:
        """Asks for one iteration more. Every call counts."""
    @property
    def result_ready(self) -> bool:
        """Are all iterations done that data_ready() asked for? False before it asked for one."""
    @property
    def results(self) -> int:
        """Iterations that are done since the launch."""
    def tear_down(self, *, drain: bool = True) -> None:
        """Ends the loop, after all iterations that were asked for, or after the one that runs."""
    def begin_tear_down(self, *, drain: bool = True) -> None:
        """The same, but returns at once: `is_launched` says False when the loop has ended."""
    def launch(self) -> None:
        """Launches it again when it was torn down."""
    def input(self, port: str, /) -> DeviceTensor:
        """The tensor that the program writes for a receiver, "add/in", to which nothing is connected.

        Write it when no iteration is under way, and let data_ready() follow.
        """
    def output(self, port: str, /) -> DeviceTensor:
        """The tensor that a transmitter of the graph sends, "add/out"; to be read until the next data_ready()."""

# Of operators in CUDA graphs.

@final
class Shapes:
    """What infer() is told, and whom it answers."""

    def input(self, port: InputPort | Input[Any], /) -> TensorSpec:
        """What arrives at an input. Raises an Error that infer() lets pass while nobody knows."""
    def set_output(self, port: OutputPort | Output[Any], spec: TensorSpec, /) -> None:
        """What the operator writes to an output. Every output needs it, connected or not."""
    def set_scratch(self, bytes: int, /) -> None:
        """Device memory that capture() gets for intermediate results, which is lost between iterations."""
    def set_parameters(self, buffer: Any, /) -> None:
        """Bytes in device memory that kernels read: new values reach the next iteration, without another capture."""

@final
class DeviceTensor:
    """Device memory of a CUDA graph, by DLPack and the CUDA array interface; there as long as the graph.

    `torch.from_dlpack(tensor)`, `cupy.asarray(tensor)`. What came from an input is for reading only.
    """

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def dtype(self) -> str:
        """The name in NumPy: "uint8"."""
    @property
    def nbytes(self) -> int: ...
    @property
    def pointer(self) -> int:
        """Its address."""
    @property
    def device(self) -> int:
        """Number of its GPU."""
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(self, *arguments: Any, **options: Any) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

@final
class Capture:
    """The places that capture() writes kernels for. Valid while capture() runs."""

    def input(self, port: InputPort | Input[Any], /) -> DeviceTensor: ...
    def input_spec(self, port: InputPort | Input[Any], /) -> TensorSpec:
        """What infer() was told of an input."""
    def output(self, port: OutputPort | Output[Any], /) -> DeviceTensor: ...
    def is_new(self, port: InputPort | Input[Any], /) -> DeviceTensor | None:
        """A word on the GPU: 1 when the input came for this iteration; None: it comes for every iteration."""
    @property
    def scratch(self) -> DeviceTensor | None:
        """The memory that infer() asked for, as bytes."""
    @property
    def parameters(self) -> DeviceTensor | None:
        """What infer() gave to set_parameters(), as bytes."""
    @property
    def iteration(self) -> DeviceTensor:
        """A number on the GPU: of the iteration, from 0."""
    @property
    def stream(self) -> int:
        """The stream that is captured, a cudaStream_t, for libraries that gxr does not know."""
    @property
    def device(self) -> int:
        """Number of the GPU."""
    @property
    def captured_stream(self) -> int:
        """For gxr itself: the stream of the graph, from which `stream` is forked."""
    def use_lasting_stream(self, priority: int, /) -> int:
        """For gxr itself: `stream` is one from now on that is never destroyed."""
    def keep(self, used: Any, /) -> None:
        """Keeps what captured work uses as long as the graph."""

def type_id(name: str, /) -> str: ...
def yaml_text(text: str, /) -> str: ...
def yaml_number(number: float, /) -> str: ...
def types_text(declarations: list[Any], /) -> str: ...
def loops_run(device: int, /) -> bool: ...
def require_libraries() -> None: ...
def host(interpreter: str, classes_of: Callable[[str, list[str]], list[Any]], /) -> None: ...
def run_command(arguments: list[str], /) -> int: ...
def exception_of(text: str, /) -> BaseException | None: ...
def forget_exceptions() -> None: ...
def live_messages() -> int: ...
def end_all_runs() -> None: ...
