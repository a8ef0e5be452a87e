"""The text of an exception for a report."""

from __future__ import annotations

import os
import traceback


def text_of(exception: BaseException) -> str:
    """The exception, and behind it the places in user code, the innermost last."""
    package = os.path.dirname(os.path.abspath(__file__))
    lines = "".join(traceback.format_exception_only(type(exception), exception)[-1:]).rstrip()
    place = exception
    while isinstance(place.__cause__, Exception) and _is_ours(place, package):
        place = place.__cause__  # gxr says in other words what a call in user code has raised
    for frame in traceback.extract_tb(place.__traceback__):
        if os.path.dirname(os.path.abspath(frame.filename)) == package:
            continue
        lines += f"\n  {frame.filename}:{frame.lineno}, in {frame.name}"
        if frame.line:
            lines += f"\n    {frame.line}"
    return lines.encode("utf-8", "backslashreplace").decode()


def _is_ours(exception: BaseException, package: str) -> bool:
    """Is all of its traceback in this package?"""
    frames = traceback.extract_tb(exception.__traceback__)
    return all(os.path.dirname(os.path.abspath(frame.filename)) == package for frame in frames)
