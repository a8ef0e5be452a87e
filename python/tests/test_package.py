"""The package as a whole: stubs, examples, version."""

from __future__ import annotations

import ast
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import typed_examples

import gxr
from gxr import _native

PACKAGE = pathlib.Path(gxr.__file__).parent


def declared(body: list[ast.stmt]) -> set[str]:
    """The names of a module or class of the stubs."""
    names = set()
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            names.add(statement.name)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.add(statement.target.id)
    return names


def test_stubs_are_complete() -> None:
    """The stubs have what the module has, and nothing else."""
    ignored = {"__init__", "__new__", "__module__", "__doc__", "__repr__", "__buffer__", "__release_buffer__"}
    tree = ast.parse((PACKAGE / "_native.pyi").read_text(encoding="utf-8"))
    assert declared(tree.body) == {name for name in vars(_native) if not name.startswith("__")}
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            bound = getattr(_native, statement.name)
            assert declared(statement.body) - ignored == set(vars(bound)) - ignored, statement.name


def test_nothing_of_the_module_is_seen_by_others() -> None:
    """Functions of a C++ library that is linked in would be called by all modules that are loaded later."""
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("nm is not installed")
    listing = subprocess.run(
        [nm, "-D", "--defined-only", "-f", "posix", _native.__file__], check=True, capture_output=True, text=True
    )
    assert [line.split()[0] for line in listing.stdout.splitlines()] == ["PyInit__native"]


def test_a_library_of_the_system_that_is_missing_is_named(tmp_path: pathlib.Path) -> None:
    """The import says which, and what installs it."""
    maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
    [engine] = {pathlib.Path(line.split()[-1]) for line in maps.splitlines() if "/libgxr.so" in line}
    for name in engine.parent.glob("libgxr.so*"):
        shutil.copy(name, tmp_path)
    reader = next(path for folder in (".", "gxr") if (path := engine.parent / folder / "libgxr_yaml.so").is_file())
    content = reader.read_bytes()
    [needed] = set(re.findall(rb"libyaml-cpp\.so\.[0-9.]+", content))
    missing = needed[:-1] + b"0"  # as long
    (tmp_path / "libgxr_yaml.so").write_bytes(content.replace(needed, missing))
    done = subprocess.run(
        [sys.executable, "-c", "import gxr"],
        capture_output=True,
        text=True,
        env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)},
    )
    version = missing.decode().rpartition("so.")[2]
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: libgxr_yaml.so, the part of gxr that reads YAML, needs the library '{missing.decode()}', which is not "
        f"installed; on Debian and Ubuntu: apt-get install libyaml-cpp{version}"
    )


def test_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


def test_version_is_that_of_the_build() -> None:
    listing = (pathlib.Path(__file__).parents[2] / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"VERSION {gxr.__version__}\n" in listing


def test_public_names_exist_and_have_a_text() -> None:
    for name in gxr.__all__:
        assert inspect.getdoc(getattr(gxr, name)), name


def test_program_pushes_and_taps() -> None:
    assert [int(each[0, 0]) for each in typed_examples.blur_pictures(4)] == [0, 1, 2, 3]


def test_operator_counts() -> None:
    assert typed_examples.numbers() == [1, 2, 3]


def test_problems_have_a_place() -> None:
    assert typed_examples.mistakes("name: a\noperator: no::Such\n") == [(2, "unknown-type")]
