"""Tells the engine what a file of operators declares: `python -m gxr.declare my_ops.py`, or `gxr.nn`.

Prints one JSON document. What the file itself prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import sysconfig
import traceback
from typing import Any

from . import _native
from ._declaration import DeclarationError
from ._host import declarations_of, load, name_of


def _own_files() -> list[str]:
    package = os.path.dirname(os.path.realpath(__file__))
    return sorted(
        os.path.join(package, each) for each in os.listdir(package) if each.endswith((".py", ".so"))
    )


def _imported_files(before: set[str]) -> list[str]:
    """The files of modules that were imported since, but for Python's own and installed ones."""
    paths = sysconfig.get_paths()
    elsewhere = tuple(
        {os.path.realpath(paths[key]) + os.sep for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    )
    files = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name not in before and file:
            file = os.path.realpath(file)
            if not file.startswith(elsewhere):
                files.append(file)
    return files


def _place_of(error: BaseException, path: str) -> tuple[str, int]:
    """Where it went wrong: in the file itself, if that is among the places."""
    if isinstance(error, DeclarationError):
        return error.file, error.line
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or 0
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if os.path.realpath(frame.filename) == os.path.realpath(path)]
    return (own[-1].filename, own[-1].lineno or 0) if own else (path, 0)


def _describe(path: str, before: set[str]) -> dict[str, Any]:
    declarations = declarations_of(path)
    module = load(path)
    return {
        "gxr": _native.version,
        "sdk": _native.sdk,
        "name": name_of(path),
        "version": str(getattr(module, "__version__", "0.0.0")),
        "description": (module.__doc__ or "").strip().partition("\n")[0],
        "files": sorted({os.path.realpath(module.__file__ or path), *_imported_files(before), *_own_files()}),
        "types": json.loads(_native.types_text(declarations)),
    }


def _is_of_files(error: BaseException | None) -> bool:
    """Does the failure depend on nothing but the files of modules? Others read data, variables of the environment, …"""
    while error is not None:
        if not isinstance(error, (DeclarationError, SyntaxError, ImportError)):
            return False
        if isinstance(error, ImportError) and (error.path or "").endswith(".so"):
            return False  # it may lack a library of the system
        error = error.__cause__ or error.__context__
    return True


def _files_of_failure(error: BaseException, before: set[str]) -> list[str]:
    """Files, and folders of modules, without whose change it will be so again; none: it depends on other things, too."""
    if not _is_of_files(error):
        return []
    files = {*_imported_files(before), *_own_files()}
    if isinstance(error, SyntaxError) and error.filename:
        files.add(error.filename)
    files.update(frame.filename for frame in traceback.extract_tb(error.__traceback__))
    if isinstance(error, ImportError):
        files.update(folder or os.getcwd() for folder in sys.path)
    return sorted({os.path.realpath(file) for file in files if os.path.exists(file)})


def _problem(error: BaseException, path: str) -> dict[str, Any]:
    file, line = _place_of(error, path)
    if isinstance(error, DeclarationError):
        text, hint = error.text, error.hint
    else:
        text = "".join(traceback.format_exception_only(type(error), error)[-1:]).strip()
        hint = ""
    if isinstance(error, ModuleNotFoundError):
        hint = f"{sys.executable} -m pip install {(error.name or '').partition('.')[0]}, if it is a package of PyPI"
    return {"file": file or path, "line": line, "text": text, "hint": hint}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m gxr.declare FILE.py|MODULE", file=sys.stderr)
        return 2
    answers = os.dup(1)
    os.dup2(2, 1)
    path = arguments[0]
    before = set(sys.modules)
    try:
        answer, code = _describe(path, before), 0
    except KeyboardInterrupt:
        return 130
    except BaseException as error:
        if not isinstance(error, (DeclarationError, SyntaxError)):
            traceback.print_exc()
        answer, code = {"errors": [_problem(error, path)]}, 1
        if files := _files_of_failure(error, before):
            answer["files"] = files
    with os.fdopen(answers, "w", encoding="utf-8") as output:
        output.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "backslashreplace").decode())
    return code


if __name__ == "__main__":
    code = main(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # it may be closed
            stream.flush()
    os._exit(code)  # threads that the file started do not keep the answer waiting
