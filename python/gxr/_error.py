"""What gxr raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._report import Problem, Report


class Error(Exception):
    """An error of the engine; `code` is stable: "not-found", "invalid-state", …"""

    def __init__(self, message: str, code: str = "failure") -> None:
        super().__init__(message)
        self.code = code


class InvalidApplication(Error):
    """An application cannot run: `problems` says why, with file, line and column."""

    def __init__(self, text: str, problems: list[Problem]) -> None:
        super().__init__(text.rstrip(), "invalid-data")
        self.problems = problems


class RunFailed(Error):
    """A component failed. `report` is the report of the run. The exception of an operator in Python is the cause."""

    def __init__(self, text: str, report: Report) -> None:
        super().__init__(text, "failure")
        self.report = report


class Ended(Error):
    """Nothing takes messages any more: the run has ended, or the input was ended."""

    def __init__(self, text: str) -> None:
        super().__init__(text, "not-available")
