"""Scheduling terms in Python."""

from __future__ import annotations

import dataclasses
import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import SchedulingTerm


@dataclasses.dataclass(frozen=True)
class Condition:
    """An answer of check() beyond True and False."""

    name: str
    time: int = 0
    """In nanoseconds of the scheduler's clock."""


NEVER = Condition("never")
"""The entity has finished."""


def at(time: int) -> Condition:
    """The entity may tick at that time of the scheduler's clock, in nanoseconds."""
    return Condition("at", time)


class Term:
    """Base of scheduling terms, which decide when the operators of their entity may tick.

    A class declares parameters by annotations, as an operator does. An entity ticks when all of its terms allow it.
    """

    poll: datetime.timedelta | None = datetime.timedelta(milliseconds=1)
    """While check() gives False, it is asked again after this time; None: only after notify()."""

    if TYPE_CHECKING:
        _gxr: SchedulingTerm

    def initialize(self) -> None:
        """Called once, after all parameters are set and before anything runs."""

    def check(self, now: int) -> bool | Condition:
        """May the entity tick at `now`, in nanoseconds? True, False, gxr.at(time), or gxr.NEVER when it has finished.

        Called often, and more than once for a tick: it must change nothing.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method check()")

    def executed(self, now: int) -> None:
        """Called when the entity has ticked at `now`."""

    def explain(self) -> str:
        """Why the entity waits now, for people: "the door is closed"."""
        return ""

    def deinitialize(self) -> None:
        """Called once, after everything has stopped."""

    def notify(self) -> None:
        """Has the scheduler ask check() again at once. Any thread."""
        self._gxr.notify()

    @property
    def name(self) -> str:
        """ "entity/component" """
        return self._gxr.name

    @property
    def entity(self) -> str:
        """Name of the entity."""
        return self._gxr.entity


def poll_of(term: Term) -> int:
    """In nanoseconds; 0: check() is asked after notify() only."""
    poll = term.poll
    if poll is None:
        return 0
    if not isinstance(poll, datetime.timedelta) or poll <= datetime.timedelta(0):
        raise TypeError(f"'poll' of {type(term).__name__} is a datetime.timedelta above 0, or None, not {poll!r}")
    return round(poll / datetime.timedelta(microseconds=1) * 1000)
