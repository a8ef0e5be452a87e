"""gxr: applications of operators in YAML, on CPUs and GPUs; programs and operators in Python."""

from __future__ import annotations

import atexit
import sys

from . import _native
from ._application import Application, Plan, Tap
from ._capture import TensorSpec
from ._error import Ended, Error, InvalidApplication, RunFailed
from ._native import Capture, DeviceTensor, Message, Picture, ResidentGraph, Shapes, Sound, Tensor
from ._operator import GraphTraits, Input, Operator, Output, Switch, parameter, port
from ._report import DiscardedMessages, EntityStatus, Failure, Problem, Report, Status, SwapResult, VerifiedResults
from ._term import NEVER, Condition, Term, at

__version__: str = _native.version

__all__ = [
    "Application",
    "Capture",
    "Condition",
    "DeclarationError",
    "DeviceTensor",
    "DiscardedMessages",
    "Ended",
    "EntityStatus",
    "Error",
    "Failure",
    "GraphTraits",
    "Input",
    "InvalidApplication",
    "Message",
    "NEVER",
    "Operator",
    "Output",
    "Picture",
    "Plan",
    "Problem",
    "Report",
    "ResidentGraph",
    "RunFailed",
    "Shapes",
    "Size",
    "Sound",
    "Status",
    "SwapResult",
    "Switch",
    "Tap",
    "Tensor",
    "TensorSpec",
    "Term",
    "VerifiedResults",
    "at",
    "parameter",
    "port",
]


def _classes_of(path: str, names: list[str]) -> list[object]:
    from ._host import classes_of

    return classes_of(path, names)


try:
    _native.require_libraries()
except Error as error:  # a wheel has no libraries of the system
    raise ImportError(str(error), name="gxr") from None
_native.host(sys.executable, _classes_of)
atexit.register(_native.end_all_runs)  # their threads would meet an interpreter that is gone


def __getattr__(name: str) -> object:
    if name in ("Size", "DeclarationError"):  # with modules that few programs need
        from . import _declaration

        return getattr(_declaration, name)
    raise AttributeError(f"module 'gxr' has no attribute {name!r}")
