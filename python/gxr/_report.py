"""What a run and a check tell, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


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

    @property
    def ticks(self) -> int:
        """Ticks of all entities."""
        return sum(entity.ticks for entity in self.entities)

    def __str__(self) -> str:
        lines = [str(failure) for failure in self.failures]
        lines += [f"{each.count} messages in '{each.queue}' were never read" for each in self.unread]
        lines += [f"'{each.queue}' dropped {each.count} messages for lack of room" for each in self.dropped]
        lines.append(
            f"{self.reason} after {self.duration_ns * 1e-9:.3g} s: {len(self.entities)} entities, {self.ticks} ticks"
        )
        return "\n".join(lines)


def report_of(data: dict[str, Any]) -> Report:
    """The report of what the engine tells."""
    rows: dict[str, type] = {
        "failures": Failure,
        "waiting": WaitingEntity,
        "unread": QueueMessages,
        "dropped": QueueMessages,
        "entities": EntityStatistics,
        "graphs": GraphStatistics,
    }
    values: dict[str, Any] = {
        key: [rows[key](*row) for row in value] if key in rows else value for key, value in data.items()
    }
    return Report(**values)
