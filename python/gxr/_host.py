"""Files of operators: `gxr run -x my_ops.py`."""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import os
import sys
import types
from typing import Any

from ._declaration import Declaration, DeclarationError, declare, components_of


def leave() -> None:
    """What the interpreter does when it ends, for a process that ends without it."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def name_of(path: str) -> str:
    """What the types of a file, or of a module by its name, are called after."""
    if path.endswith(".py"):
        return os.path.splitext(os.path.basename(path))[0]
    return path.replace(".", "::")


def load(path: str) -> types.ModuleType:
    """The module of a file, or of that name, imported once a process."""
    return _load_file(path) if path.endswith(".py") else importlib.import_module(path)


def _load_file(path: str) -> types.ModuleType:
    """Again when the file has changed."""
    file = os.path.realpath(path)
    status = os.stat(file)
    stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
    stem = os.path.splitext(os.path.basename(file))[0]
    name = ""
    for known_name, module in list(sys.modules.items()):
        known = getattr(module, "__file__", None)
        if known and os.path.basename(known) == os.path.basename(file) and os.path.realpath(known) == file:
            if getattr(module, "__gxr_stamp__", stamp) == stamp:
                return module
            name = known_name  # the file has changed since
            break
    name = name or (stem if stem not in sys.modules else f"_gxr_file_{stem}_{len(sys.modules)}")
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise DeclarationError(f"'{path}' is no module of Python", file=path)
    module = importlib.util.module_from_spec(spec)
    folder = os.path.dirname(file)
    setattr(module, "__gxr_stamp__", stamp)
    before = sys.modules.get(name)
    sys.modules[name] = module
    sys.path.insert(0, folder)  # as for a script
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
        raise
    finally:
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)  # for what it imports later
    return module


def declarations_of(path: str) -> list[Declaration]:
    """What the operators of a file declare, in the order of the source."""
    module = load(path)
    stem = name_of(path)
    if path.endswith(".py") and not stem.isidentifier():
        raise DeclarationError(
            f"the types of '{os.path.basename(path)}' would be called '{stem}::…', which is no name",
            "name the file with letters, digits and '_'",
            path,
        )
    return [declare(cls, stem) for cls in components_of(module)]


def classes_of(path: str, names: list[str]) -> list[Any]:
    """The declarations of the types of a file, in the order of `names`."""
    found = {f"{name_of(path)}::{each[0].__name__}": each for each in declarations_of(path)}
    missing = [name for name in names if name not in found]
    if missing:
        raise DeclarationError(f"'{path}' does not declare '{missing[0]}': it has changed since it was read")
    return [found[name] for name in names]
