"""Applications inside programs of Python."""

from __future__ import annotations

import collections
import contextlib
import datetime
import enum
import json
import os
import sys
import types
import weakref
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Iterable, Iterator, Mapping, TypeVar

from . import _native
from ._error import Ended, Error, InvalidApplication, RunFailed
from ._operator import Operator
from ._report import EntityStatus, Failure, Problem, Report, Status, SwapResult, report_of
from ._term import Term

if TYPE_CHECKING:
    import asyncio

_TAKEN, _TIMED_OUT, _ENDED = 0, 1, 2  # what push() gives

T = TypeVar("T")


class Tap:
    """Where a program takes the messages of a transmitter.

    Iterating over it gives all messages until the run ends, and starts the application if it does not run yet.
    """

    def __init__(self, application: Application, native: _native.Tap) -> None:
        self._application = application
        self._native = native

    def take(self, timeout: float | None = None) -> Any:
        """The oldest message; None when `timeout` seconds are over or no more come."""
        return self._native.take(timeout)

    async def take_async(self, timeout: float | None = None) -> Any:
        """The same without blocking the event loop. Loses no message when it is cancelled."""
        return await _look_until(
            lambda: self._native.take(0.0),
            lambda taken: taken is not None or self._native.ended,
            self._native.waker,
            timeout,
        )

    @property
    def waiting(self) -> int:
        """Messages that wait to be taken."""
        return self._native.waiting

    @property
    def ended(self) -> bool:
        """Has the run ended, and were all messages taken?"""
        return self._native.ended

    def __iter__(self) -> Iterator[Any]:
        owns = self._application._begin_for_iteration()
        try:
            while (message := self._native.take(None)) is not None:
                yield message
        except BaseException:
            self._application._end_iteration(owns)
            raise
        if owns:
            self._application.wait()

    async def __aiter__(self) -> AsyncIterator[Any]:
        owns = self._application._begin_for_iteration()
        try:
            while (message := await self.take_async()) is not None:
                yield message
        except BaseException:
            self._application._end_iteration(owns)
            raise
        if owns:
            await self._application.wait_async()


class Plan(str):
    """How an application will run, as text; Jupyter shows it as a graph with its regions."""

    _application: Application

    @property
    def svg(self) -> str | None:
        """The graph with its regions; None: Graphviz is not installed."""
        return self._application._svg(regions=True)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return _bundle(str(self), self.svg)


def _bundle(text: str, svg: str | None) -> dict[str, str]:
    return {"text/plain": text} if svg is None else {"image/svg+xml": svg, "text/plain": text}


class Application:
    """An application: load and set first, then run once.

    report = gxr.Application("camera.yaml").set("source/path=/data/photo.png").run()
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, text: str | None = None) -> None:
        self._native = _native.Application()
        self._loaded: list[tuple[str, tuple[Any, ...]]] = []
        self._entities: list[dict[str, Any]] = []
        self._classes: dict[str, dict[type, None]] = {}
        self._added = False
        self._pushing: weakref.WeakKeyDictionary[Any, dict[str, collections.deque[Any]]] = weakref.WeakKeyDictionary()
        if path is not None:
            self.load(path)
        if text is not None:
            self.load_text(text)

    # --- before the run

    def load(self, path: str | os.PathLike[str]) -> Application:
        """Reads an application file; a mistake in it is a Problem."""
        return self._load("load", os.fspath(path))

    def load_text(self, text: str, name: str = "text") -> Application:
        """The same from memory; `name` stands for the file in messages."""
        return self._load("load_text", text, name)

    def root(self, folder: str | os.PathLike[str]) -> Application:
        """The folder in which relative names of subgraph files, and of files in parameters, begin."""
        return self._load("root", os.fspath(folder))

    def extension(self, file: str | os.PathLike[str]) -> Application:
        """Adds an extension file, as `gxr run -x` does."""
        return self._load("extension", os.fspath(file))

    def manifest(self, path: str | os.PathLike[str]) -> Application:
        """Adds a file that lists extensions."""
        return self._load("manifest", os.fspath(path))

    def types(self, *classes: type[Operator] | type[Term] | types.ModuleType, name: str = "") -> Application:
        """Adds operators and terms of the program, classes or modules of them; files call them MODULE::Class, or NAME::Class."""
        for each in classes:
            if isinstance(each, types.ModuleType):
                from ._declaration import components_of

                self.types(*components_of(each), name=name)
            else:
                self._classes.setdefault(name or _extension_of(each), {})[each] = None
        return self

    def set(self, *assignments: str) -> Application:
        """Sets parameters, "ENTITY/COMPONENT/PARAMETER=VALUE" or "ENTITY/PARAMETER=VALUE", also while it runs."""
        return self._load("set", list(assignments))

    def parameter_file(self, path: str | os.PathLike[str]) -> Application:
        """Reads a file with values of parameters; later ones win."""
        return self._load("parameter_file", os.fspath(path))

    def executor(self, name: str) -> Application:
        """Chooses "greedy", "threads" or "events", whatever the files say."""
        return self._load("executor", name)

    def device(self, choice: str) -> Application:
        """Chooses "cpu", "gpu" or "auto" for all components that leave the choice."""
        return self._load("device", choice)

    def compat_gxf(self, on: bool = True) -> Application:
        """Makes a warning of what GXF tolerates."""
        return self._load("compat_gxf", on)

    def verify(self, on: bool = True) -> Application:
        """Has operators that can work on CPU and GPU do both and compare."""
        self._native.verify(on)
        return self

    def measure(self, on: bool = True) -> Application:
        """Takes the time of every tick."""
        self._native.measure(on)
        return self

    def trace(self, path: str | os.PathLike[str]) -> Application:
        """Writes what ran when to a file at the end of the run, for Perfetto."""
        self._native.trace(os.fspath(path))
        return self

    def add(
        self,
        name: str,
        operator: str | type[Operator],
        *,
        inputs: Mapping[str, str | Iterable[str]] | None = None,
        ports: Mapping[str, Mapping[str, Any]] | None = None,
        parameters: Mapping[str, Any] | None = None,
        **keys: Any,
    ) -> Application:
        """Adds an entity, as a document of the short form would: `keys` are count, period and the rest of its keys.

        app.add("demosaic", "gxr::image::DemosaicMalvar", inputs={"in": "sensor"})
        """
        if self._added:
            raise Error("entities are added before the application is checked or run", "invalid-state")
        if not isinstance(operator, str):
            self.types(operator)
            operator = f"{_extension_of(operator)}::{operator.__name__}"
        entity: dict[str, Any] = {"name": name, "operator": operator}
        if inputs:
            entity["inputs"] = {k: v if isinstance(v, str) else list(v) for k, v in inputs.items()}
        if ports:
            entity["ports"] = {k: dict(v) for k, v in ports.items()}
        if parameters:
            entity["parameters"] = dict(parameters)
        entity.update(keys)
        self._entities.append(entity)
        return self

    def to_yaml(self) -> str:
        """What was added, as an application file."""
        return "---\n".join(
            "".join(f"{key}: {_flow(value)}\n" for key, value in entity.items()) for entity in self._entities
        )

    def input(self, port: str, capacity: int = 16) -> Application:
        """Says that the program pushes messages into a receiver, "ENTITY/PORT"."""
        return self._load("input", port, capacity)

    def tap(self, port: str, capacity: int = 16, *, drop_oldest: bool = False, content: str = "auto") -> Tap:
        """Where the program takes the messages of a transmitter, "ENTITY/PORT".

        Without `drop_oldest` the application waits while `capacity` messages wait. `content` says what comes:
        "message", "tensor", "value", "picture", "sound", or "auto", the data of a message that has no other data.
        """
        tap = Tap(self, self._native.tap(port, capacity, drop_oldest, content))
        self._loaded.append(("tap", (port, capacity, drop_oldest, content)))
        return tap

    # --- checks

    def validate(self) -> bool:
        """Checks everything without running code of extensions. False when there are errors."""
        self._finish_adding()
        return self._native.validate()

    @property
    def problems(self) -> list[Problem]:
        """What validate() finds, in the order of the files."""
        self._finish_adding()
        return [Problem(*each) for each in self._native.problems()]

    def problems_text(self) -> str:
        """The same as `gxr validate` prints it."""
        self._finish_adding()
        return self._native.problems_text()

    def plan(self) -> Plan:
        """The plan as `gxr plan` prints it."""
        self._check()
        with self._plan_errors():
            plan = Plan(self._native.plan())
        plan._application = self
        return plan

    def graph(self, format: str = "text", *, details: bool = False, regions: bool = False) -> str:
        """The graph as `gxr graph` draws it: "text", "dot", "mermaid", or "svg", which needs Graphviz.

        `details` shows when entities tick, and capacities of queues; `regions` frames the parts that are CUDA graphs.
        """
        if format == "png":
            raise ValueError("a PNG is no text: take 'svg', or `gxr graph -o FILE.png`")
        self._check()
        with self._plan_errors():
            return self._native.graph(format, details, regions)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Jupyter shows the graph, or what is wrong. The application can still be changed."""
        if ("load", ("-",)) in self._loaded:
            return {"text/plain": repr(self)}
        shown = self._copy()
        if not shown.validate():
            return {"text/plain": shown.problems_text()}
        return _bundle(shown.graph(), shown._svg())

    # --- the run

    def run(self, progress: Callable[[Status], object] | None = None, every: float = 0.5) -> Report:
        """Runs until the end. Ctrl-C ends the run in order, then KeyboardInterrupt is raised.

        `progress` is called every so many seconds; what it raises ends the run in order.
        """
        self.start()
        return self.wait(progress, every)

    def start(self) -> Application:
        """Starts the run on a thread of its own; wait() gives the report."""
        self._check()
        self._native.begin()
        return self

    def wait(self, progress: Callable[[Status], object] | None = None, every: float = 0.5) -> Report:
        """Waits for the end of the run, and gives its report; raises RunFailed when a component failed. Any thread.

        Ctrl-C ends the run in order, and then raises KeyboardInterrupt; wait() still gives the report. A second Ctrl-C
        raises it at once. `progress` as for run().
        """
        if progress is not None:
            self._call_until_end(progress, every)
        with self._plan_errors():
            report = report_of(self._native.wait())
        if report.reason == "failed":
            text = "\n".join(str(each) for each in report.failures) or report.detail or "the run failed"
            cause = _native.exception_of(report.failures[0].text) if report.failures else None
            _native.forget_exceptions()
            raise RunFailed(text, report) from cause
        return report

    async def wait_async(self) -> Report:
        """The same without blocking the event loop."""
        await _look_until(lambda: not self._native.is_running, bool, self._native.waker_of_end, None)
        return self.wait()

    def status(self, timeout: float = 0.1) -> Status | None:
        """What the entities do now; None before they start and behind their end. Any thread.

        Waits at most `timeout` seconds for the thread that runs them, which answers between two ticks.
        """
        found = self._native.status(timeout)
        return None if found is None else Status(found[0], found[1], [EntityStatus(*each) for each in found[2]])

    def resident_graph(self, name: str) -> _native.ResidentGraph:
        """The loop on a GPU of that region, while the application runs."""
        return self._native.resident_graph(name)

    def interrupt(self) -> None:
        """Ends the run in order. Any thread."""
        self._native.interrupt()

    @property
    def is_running(self) -> bool:
        """Has the run begun, and not ended?"""
        return self._native.is_running

    def enable(self, entity: str, on: bool = True) -> None:
        """Switches an operator of a CUDA graph off or on again, while the application runs."""
        self._native.enable(entity, on)

    def swap(
        self,
        operator: str,
        type: str | type[Operator],
        *,
        extension: str | os.PathLike[str] = "",
        keep_for: float = 0.0,
        patience: float = 10.0,
    ) -> SwapResult:
        """Puts another operator in the place of one, "ENTITY" or "ENTITY/COMPONENT", while the application runs.

        Queues, terms and the values of parameters stay; no message is lost. `extension` is a file whose types count
        before all others. When the new operator fails within `keep_for` seconds, the old one comes back. Waits at most
        `patience` seconds for a moment between two ticks. Classes must be known to types() or add(). Any thread.
        """
        if not isinstance(type, str):
            type = f"{_extension_of(type)}::{type.__name__}"
        found = self._native.swap(
            operator, type, os.fspath(extension), _nanoseconds("keep_for", keep_for), _nanoseconds("patience", patience)
        )
        component, old_type, new_type, is_kept, took_over_state, failure, lost, pause_ns = found
        reason = None if failure is None else Failure(*failure)
        return SwapResult(component, old_type, new_type, is_kept, took_over_state, reason, lost, pause_ns * 1e-9)

    def new_message(self) -> _native.Message:
        """A new message without parts, for push()."""
        return self._native.new_message()

    def push(self, port: str, value: Any, timeout: float | None = None, *, type: str = "") -> None:
        """Pushes an array, a number, a text or a message into a receiver that input() named.

        An array is not copied. One of NumPy, with those that it is a view of, is read-only until the application is
        done with it; do not write to others, or to views that you made before. Waits until there is room, at most
        `timeout` seconds: TimeoutError then; Ended when nothing is taken any more. The input numbers what it takes,
        from 0; a message of new_message() keeps its `sequence`.
        """
        result = self._native.push(port, _pushable(value), timeout, type, _is_numbered(value))
        self._require_taken(result, port, timeout)

    async def push_async(self, port: str, value: Any, timeout: float | None = None, *, type: str = "") -> None:
        """The same without blocking the event loop, whose tasks push into a port in the order of their calls."""
        import asyncio

        message = self._native.message_of(_pushable(value), type)
        numbered = _is_numbered(value)
        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        async with _turn(loop, self._pushing.setdefault(loop, {}).setdefault(port, collections.deque()), end) as in_time:
            result = _TIMED_OUT
            if in_time:
                result = await _look_until(
                    lambda: _ENDED if message is None else self._native.push(port, message, 0.0, "", numbered),
                    lambda result: result != _TIMED_OUT,
                    lambda: self._native.waker_of_input(port),
                    None if end is None else end - loop.time(),
                )
        self._require_taken(result, port, timeout)

    def end_input(self, port: str) -> None:
        """Says that no more messages come to a receiver, as when a source has finished."""
        self._native.end_input(port)

    def __enter__(self) -> Application:
        return self.start()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.interrupt()
        if kind is None or issubclass(kind, Ended):  # what ended the run says more
            self.wait()

    # --- inside

    def _load(self, function: str, *arguments: Any) -> Application:
        getattr(self._native, function)(*arguments)
        if not self._added:  # later ones are of the run
            self._loaded.append((function, arguments))
        return self

    def _copy(self) -> Application:
        """Another application of the same files, settings and operators."""
        made = Application()
        for function, arguments in self._loaded:
            made._load(function, *arguments)
        made._entities = list(self._entities)
        made._classes = {name: dict(classes) for name, classes in self._classes.items()}
        return made

    def _require_taken(self, result: int, port: str, timeout: float | None) -> None:
        if result == _TIMED_OUT:
            raise TimeoutError(f"'{port}' had no room within {timeout} s")
        if result != _TAKEN:
            raise Ended(f"'{port}' takes no messages any more")

    def _svg(self, regions: bool = False) -> str | None:
        try:
            return self._native.graph("svg", False, regions)
        except Error:  # without Graphviz
            return None

    def _call_until_end(self, progress: Callable[[Status], object], every: float) -> None:
        if not every > 0:
            raise ValueError(f"progress is told every so many seconds, more than 0, not {every}")
        try:
            while not self._native.wait_for(every):
                if (status := self.status()) is not None:
                    progress(status)
        except BaseException:
            self.interrupt()
            self._native.wait()
            raise

    @contextlib.contextmanager
    def _plan_errors(self) -> Iterator[None]:
        """Mistakes that only the plan finds are problems as well."""
        try:
            yield
        except Error as error:
            if error.code == "invalid-data" and any(each.is_error for each in self.problems):
                raise InvalidApplication(self._native.problems_text(), self.problems) from None
            raise

    def _begin_for_iteration(self) -> bool:
        if self._native.was_started:
            return False
        self.start()
        return True

    def _end_iteration(self, owns: bool) -> None:
        if owns:
            self.interrupt()

    def _check(self) -> None:
        if not self.validate():
            raise InvalidApplication(self._native.problems_text(), self.problems)

    def _finish_adding(self) -> None:
        if self._added:
            return
        if self._classes:
            from ._declaration import declare

            # All before the first is given: a mistake must not leave half of them behind.
            declared = {name: [declare(cls, name) for cls in classes] for name, classes in self._classes.items()}
            for extension, declarations in declared.items():
                self._native.types(extension, declarations)
        if self._entities:
            self._native.load_text(self.to_yaml(), "application")
        self._added = True


async def _look_until(
    look: Callable[[], T],
    is_enough: Callable[[T], bool],
    waker: Callable[[], _native.Waker],
    timeout: float | None,
) -> T:
    """Looks whenever something has changed, until it is enough or time is over; holds no thread."""
    found = look()
    if is_enough(found):
        return found
    import asyncio  # many programs do without it, and it takes long

    loop = asyncio.get_running_loop()
    end = None if timeout is None else loop.time() + timeout
    while True:
        change = waker()
        found = look()  # again, for what came before the waker was there
        if is_enough(found) or (end is not None and loop.time() >= end):
            return found
        await _changed(loop, change, end)


async def _changed(loop: asyncio.AbstractEventLoop, waker: _native.Waker, end: float | None) -> None:
    """Until the waker can be read, or that time of the loop's clock."""
    done = loop.create_future()

    def wake() -> None:
        if not done.done():
            done.set_result(None)

    file = waker.fileno()
    loop.add_reader(file, wake)
    timer = None if end is None else loop.call_at(end, wake)
    try:
        await done
    finally:
        loop.remove_reader(file)
        if timer is not None:
            timer.cancel()


@contextlib.asynccontextmanager
async def _turn(
    loop: asyncio.AbstractEventLoop, queue: collections.deque[asyncio.Future[None]], end: float | None
) -> AsyncIterator[bool]:
    """Holds a place in the queue, whose first one has its turn. False: time was over before."""
    mine = loop.create_future()
    queue.append(mine)
    timer = None

    def wake(turn: asyncio.Future[None]) -> None:
        if not turn.done():
            turn.set_result(None)

    try:
        if queue[0] is not mine:
            timer = None if end is None else loop.call_at(end, wake, mine)
            await mine
        yield queue[0] is mine
    finally:
        if timer is not None:
            timer.cancel()
        queue.remove(mine)
        if queue:
            wake(queue[0])


def _is_numbered(value: Any) -> bool:
    """Is the number of the message not that of the program?"""
    return not isinstance(value, _native.Message)


def _pushable(value: Any) -> Any:
    if value is None:
        raise TypeError("None cannot be pushed")
    return value


def _nanoseconds(name: str, seconds: float) -> int:
    if not 0.0 <= seconds <= 9e9:
        raise ValueError(f"'{name}' must be a number of seconds from 0 on, not {seconds}")
    return round(seconds * 1e9)


def _extension_of(cls: type) -> str:
    """Classes of the program's main file belong to its name."""
    module = cls.__module__
    if module == "__main__":
        file = getattr(sys.modules["__main__"], "__file__", None)
        return os.path.splitext(os.path.basename(file))[0] if file else "main"
    return module.replace(".", "::")


def _flow(value: Any) -> str:
    """A value as YAML on one line."""
    if isinstance(value, str):
        return _native.yaml_text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_native.yaml_text(str(key))}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, datetime.timedelta):
        from ._declaration import duration_text

        return duration_text(value)
    if isinstance(value, enum.Enum):
        return _native.yaml_text(value.name)
    if isinstance(value, complex):
        from ._declaration import complex_text

        return complex_text(value)
    if not isinstance(value, (bool, int, float)) and hasattr(value, "tolist"):  # of NumPy
        return _flow(value.tolist())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(each) for each in value) + "]"
    if isinstance(value, float):
        return _native.yaml_number(value)
    if isinstance(value, os.PathLike):
        return _native.yaml_text(os.fspath(value))
    if value is None or isinstance(value, (bool, int)):
        return json.dumps(value)
    raise TypeError(f"a value of the type '{type(value).__name__}' cannot be a parameter: {value!r}")
