"""Operators in Python: the base class, ports and parameters."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, overload

from . import _native

if TYPE_CHECKING:
    from ._native import Capture, Codelet, Message, Shapes

T = TypeVar("T")
D = TypeVar("D")


class Input(Generic[T]):
    """An input port, as the annotation of an attribute: `image: gxr.Input[gxr.Tensor]`.

    T says what receive() gives: gxr.Tensor is the first tensor of a message, int, float, str and bool its first number
    or text, gxr.Message the message itself.
    """

    if TYPE_CHECKING:
        name: str  # key of the port
        waiting: int  # messages that can be received in this tick

        def receive(self) -> T:
            """Takes the oldest message; an Error when there is none."""

        def receive_if_any(self) -> T | None:
            """The same, but None when there is none."""


class Output(Generic[T]):
    """An output port, as the annotation of an attribute: `blurred: gxr.Output[gxr.Tensor]`."""

    if TYPE_CHECKING:
        name: str  # key of the port

        def publish(self, value: Any, acquired: int | None = None) -> None:
            """Sends a message when the tick has ended.

            An array becomes a message with a tensor, without a copy: it is read-only until nobody uses the message any
            more. A gxr.Message goes as it is. A new message has the time and number of the first message that the
            tick took. `acquired` sets the acquisition time of its Timestamp, in nanoseconds.
            """


class Switch:
    """A Boolean term of the operator's entity, as the annotation of an attribute. Call it to end the entity."""

    if TYPE_CHECKING:

        def enable_tick(self) -> None:
            """Lets the entity tick."""

        def disable_tick(self) -> None:
            """Ends the entity."""

        tick_enabled: bool


class Declared:
    """What parameter() and port() say of an attribute."""

    def __init__(self, **facts: Any) -> None:
        self.facts = facts

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """The default, for objects that the engine has not made, as in a test of one method."""
        if instance is None:
            return self
        value = self.facts.get("default", MISSING)
        if value is MISSING:
            raise AttributeError("this parameter or port has a value only in an application")
        return value


class _Missing:
    def __repr__(self) -> str:
        return "no default"


MISSING = _Missing()


@overload
def parameter(
    default: D,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    step: float | None = None,
    choices: list[Any] | dict[Any, str] | None = None,
    unit: str = "",
    doc: str = "",
    live: bool = False,
) -> D: ...
@overload
def parameter(
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    step: float | None = None,
    choices: list[Any] | dict[Any, str] | None = None,
    unit: str = "",
    doc: str = "",
    live: bool = False,
) -> Any: ...
def parameter(
    default: Any = MISSING,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    step: float | None = None,
    choices: list[Any] | dict[Any, str] | None = None,
    unit: str = "",
    doc: str = "",
    live: bool = False,
) -> Any:
    """Says more of a parameter: `size: int = gxr.parameter(5, minimum=1, doc="Width of the box", live=True)`.

    Without a default, the application has to give a value. `live`: it may be changed while the application runs,
    between two ticks.
    """
    return Declared(
        default=default,
        minimum=minimum,
        maximum=maximum,
        step=step,
        choices=choices,
        unit=unit,
        doc=doc,
        live=live,
    )


def port(
    *,
    elements: str | list[str] | None = None,
    rank: int | None = None,
    shape: tuple[int, ...] | None = None,
    part: str = "",
    optional: bool = False,
    doc: str = "",
) -> Any:
    """Says more of a port: `image: gxr.Input[gxr.Tensor] = gxr.port(elements="uint8", shape=(-1, -1, 3))`.

    `elements` are the types of a tensor's elements, `shape` its dimensions, below 0: any. `optional`: it may stay
    without a connection.
    """
    return Declared(elements=elements, rank=rank, shape=shape, part=part, optional=optional, doc=doc)


@dataclasses.dataclass(frozen=True, kw_only=True)
class GraphTraits:
    """Rules of an operator with capture() for its work in a CUDA graph, as the attribute `graph_traits` of its class."""

    dependent_launch: bool = False
    """Every kernel that waits for none of the operator's own begins with griddepcontrol.wait, and before that, none
    reads or writes what another operator or iteration changes: it may be launched before those before it have ended."""
    repeatable: bool = False
    """Its kernels write nothing but outputs and scratch, so that it makes no difference when they run once more with the
    same inputs. A loop of such operators answers faster to inputs that come now and then."""
    priority: int = 0
    """Of its kernels: lower is more urgent; 0: that of the region's stream."""
    kept_in_l2: Literal["nothing", "scratch", "output"] = "nothing"
    """Which memory its kernels read again soon: the scratch, or the tensor of the first output."""
    pass_through: bool = False
    """While it is switched off, its first output gets what its first input has."""


class Operator:
    """Base of operators. A class declares ports and parameters by annotations; tick() does the work.

    The engine makes one object for each component of a run, calls start() once, tick() whenever the entity's terms
    allow it, and stop() once. What a method raises ends the run.
    """

    if TYPE_CHECKING:
        _gxr: Codelet

    graph_traits: ClassVar[GraphTraits] = GraphTraits()
    """Of a class with capture(): `graph_traits = gxr.GraphTraits(repeatable=True)`."""

    def initialize(self) -> None:
        """Called once, after all parameters are set and before anything runs."""

    def start(self) -> None:
        """Called before the first tick."""

    def tick(self) -> None:
        """One tick: takes messages, works, publishes."""
        raise NotImplementedError(
            f"{type(self).__name__} has no method tick(): it works in a CUDA graph only, which a gxr::cuda::GraphExecutor "
            "makes"
        )

    def stop(self) -> None:
        """Called after the last tick, also when a tick failed."""

    def deinitialize(self) -> None:
        """Called once, after everything has stopped."""

    def infer(self, shapes: Shapes) -> None:
        """Says what the outputs are in a CUDA graph, given the inputs and the parameters.

        Called before initialize(), on machines without a GPU, too, and again when inputs or parameters change. The
        same inputs give the same answers, and nothing else happens. Without this method all outputs are as the first
        input.
        """
        ports = list(vars(self).values())
        inputs = [port for port in ports if isinstance(port, _native.InputPort) and port]
        outputs = [port for port in ports if isinstance(port, _native.OutputPort)]
        if outputs and not inputs:
            raise NotImplementedError(f"{type(self).__name__} has no input: its method infer() has to say its outputs")
        for port in outputs:
            shapes.set_output(port, shapes.input(inputs[0]))

    def capture(self, region: Capture) -> object:
        """Puts the work of one iteration on the region's stream, which is the current one of PyTorch and CuPy.

        A class with this method can be a part of a CUDA graph; there it takes the place of tick(). Called once to
        prepare, with inputs of zeros, and then with a stream that is captured: what is launched runs in every
        iteration, and no Python does. Called again when a parameter changes. What it returns lives as long as the
        graph.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method capture()")

    @property
    def name(self) -> str:
        """ "entity/component" """
        return self._gxr.name

    @property
    def entity(self) -> str:
        """Name of the entity."""
        return self._gxr.entity

    @property
    def time(self) -> int:
        """The scheduler's time of this tick, in nanoseconds."""
        return self._gxr.time

    @property
    def delta(self) -> float:
        """Seconds since the tick before; 0 in the first tick."""
        return self._gxr.delta

    @property
    def count(self) -> int:
        """1 in the first tick."""
        return self._gxr.count

    @property
    def graph_device(self) -> int | None:
        """Number of the GPU whose CUDA graph the operator is a part of; None: it ticks."""
        return self._gxr.graph_device

    def new_message(self) -> Message:
        """A new message without parts."""
        return self._gxr.new_message()

    def interrupt(self) -> None:
        """Asks the application to end in order."""
        self._gxr.interrupt()

    def log_error(self, text: object) -> None:
        """A line on what is wrong; the run goes on."""
        self._gxr.log(1, str(text))

    def log_warning(self, text: object) -> None:
        """A line on what may be wrong."""
        self._gxr.log(2, str(text))

    def log_info(self, text: object) -> None:
        """A line on what happens."""
        self._gxr.log(3, str(text))

    def log_debug(self, text: object) -> None:
        """A line that `--log-level debug` shows."""
        self._gxr.log(4, str(text))

