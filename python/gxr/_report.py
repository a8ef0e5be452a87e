"""What a run and a check tell, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable


@dataclass(frozen=True)
class Problem:
    """A problem of an application, found before it runs."""

    is_error: bool  # else a warning
    code: str  # stable: "unknown-type"; `gxr explain CODE` says more
    text: str  # what is wrong, one line
    hint: str  # may be empty
    file: str  # in which it stands, as it was named
    line: int  # from 1; 0: the whole file
    column: int  # from 1; 0 with line 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: " if self.file else ""
        kind = "error" if self.is_error else "warning"
        return f"{place}{kind}[{self.code}]: {self.text}" + (f"\n  help: {self.hint}" if self.hint else "")


@dataclass(frozen=True)
class Failure:
    """A call of a component that failed."""

    entity: str
    component: str  # may be empty
    type: str
    method: str  # "tick", …
    text: str  # what the component said
    code: str  # "out-of-range", …

    def __str__(self) -> str:
        component = f", component '{self.component}'" if self.component else ""
        return f"{self.method} of entity '{self.entity}'{component} ({self.type}): {self.text}"


@dataclass(frozen=True)
class SwapResult:
    """What became of an exchange of an operator."""

    component: str  # "entity/component"
    old_type: str
    new_type: str
    is_kept: bool  # else it failed in its probation, and the old one is back
    took_over_state: bool  # the old one's
    failure: Failure | None  # why it was not kept
    lost: int  # messages that the tick had taken in which the new one failed; nobody gets them any more
    pause: float  # seconds in which the entity could not tick for the exchange


@dataclass(frozen=True)
class EntityStatus:
    """What an entity does at a moment of the run."""

    entity: str
    ticks: int
    state: str  # "waits for a message on …", "is running", "has finished"; empty: not known


@dataclass(frozen=True)
class Status:
    """What an application does at a moment of the run."""

    seconds: float  # since the begin
    executor: str  # "one thread", "4 worker threads"
    entities: list[EntityStatus]

    @property
    def ticks(self) -> int:
        """Of all entities."""
        return sum(each.ticks for each in self.entities)


@dataclass(frozen=True)
class WaitingEntity:
    """An entity that had not finished and could not go on when the run ended."""

    entity: str
    reasons: list[str]


@dataclass(frozen=True)
class QueueMessages:
    """Messages of a queue, "entity/component", that nobody took or for which it had no room."""

    queue: str
    count: int


@dataclass(frozen=True)
class NearestMiss:
    """How close discarded messages came to being used, where a threshold decides."""

    distance_ns: int  # the least distance that was too large
    threshold: str  # name of the parameter that decides
    threshold_ns: int  # its value


@dataclass(frozen=True)
class DiscardedMessages:
    """Messages that a component discarded on purpose, for one reason."""

    component: str  # "entity/component", or a region
    count: int
    of: int  # messages that it took altogether; 0: not told
    reason: str  # half a sentence
    nearest_miss: NearestMiss | None = None


@dataclass(frozen=True)
class VerifiedResults:
    """What verify() found to be the same on CPU and GPU."""

    results: int
    operators: int  # that they are of
    graphs_left_out: list[str]  # regions that are CUDA graphs in other runs


@dataclass(frozen=True)
class EntityStatistics:
    """What an entity did."""

    entity: str
    codelet_type: str  # type of its first codelet
    ticks: int
    total_ns: int  # time inside ticks; 0 when not measured
    longest_ns: int  # of one tick; 0 when not measured
    device_ticks: int = 0  # ticks whose work on CUDA streams was measured
    device_total_ns: int = 0  # of that work, by the GPU's clock
    device_longest_ns: int = 0  # of the work of one tick


@dataclass(frozen=True)
class GraphStatistics:
    """What a CUDA graph did."""

    region: str  # its name
    loops: bool  # on the GPU; else the host launches it
    iterations: int  # that ended
    duration_ns: int  # from the first to the end of the last, by the GPU's clock; 0 when the host launches it
    memory_bytes: int  # device memory that the region took
    instantiations: int  # beyond the first, after changes
    device: int = 0  # number of the GPU that ran it
    late: int = 0  # iterations that took longer than iteration_timeout_us
    late_inputs: int = 0  # iterations for which an input was late by input_timeout_ms
    left_out: int = 0  # turns of an Every with `launch: sibling` at which its body still ran
    captures_checked: bool = False  # no operator put work on other streams; of a run that checks streams

    @property
    def period_ns(self) -> float:
        """Mean time from one iteration of a loop to the next."""
        return self.duration_ns / self.iterations if self.iterations else 0.0


@dataclass(frozen=True)
class Report:
    """What happened in a run."""

    reason: str  # "completed", "deadlock", "duration", "interrupted" or "failed"
    detail: str  # one line on the reason, may be empty
    by_signal: bool  # interrupted by a signal rather than by a codelet
    duration_ns: int  # real time from the first start to the end
    ran: bool  # false: a component failed before anything started
    measured: bool  # times of entities are valid
    failures: list[Failure] = field(default_factory=list)  # the first is the cause
    waiting: list[WaitingEntity] = field(default_factory=list)
    unread: list[QueueMessages] = field(default_factory=list)
    dropped: list[QueueMessages] = field(default_factory=list)
    entities: list[EntityStatistics] = field(default_factory=list)  # in activation order
    graphs: list[GraphStatistics] = field(default_factory=list)
    discarded: list[DiscardedMessages] = field(default_factory=list)  # by components, on purpose
    verified: VerifiedResults | None = None  # of a run with verify()

    @property
    def ticks(self) -> int:
        """Ticks of all entities."""
        return sum(entity.ticks for entity in self.entities)

    def __str__(self) -> str:
        lines = [str(failure) for failure in self.failures]
        lines += [f"{each.count} messages in '{each.queue}' were never read" for each in self.unread]
        lines += [f"'{each.queue}' dropped {each.count} messages for lack of room" for each in self.dropped]
        lines += [f"'{each.component}' discarded {each.count} messages: {each.reason}" for each in self.discarded]
        if self.verified is not None:
            lines.append(
                f"verified {self.verified.results} results: the same on CPU and GPU"
                if self.verified.results
                else "nothing was compared: no operator that ran can work on both CPU and GPU"
            )
        lines.append(
            f"{self.reason} after {self.duration_ns * 1e-9:.3g} s: {len(self.entities)} entities, {self.ticks} ticks"
        )
        return "\n".join(lines)


def _discarded(component: str, count: int, of: int, reason: str, miss: tuple[int, str, int] | None) -> DiscardedMessages:
    return DiscardedMessages(component, count, of, reason, None if miss is None else NearestMiss(*miss))


def report_of(data: dict[str, Any]) -> Report:
    """The report of what the engine tells."""
    rows: dict[str, Callable[..., Any]] = {
        "failures": Failure,
        "waiting": WaitingEntity,
        "unread": QueueMessages,
        "dropped": QueueMessages,
        "entities": EntityStatistics,
        "graphs": GraphStatistics,
        "discarded": _discarded,
    }
    values: dict[str, Any] = {
        key: [rows[key](*row) for row in value] if key in rows else value for key, value in data.items()
    }
    if values["verified"] is not None:
        values["verified"] = VerifiedResults(*values["verified"])
    return Report(**values)
