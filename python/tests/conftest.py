import os
import pathlib
import subprocess
import sys
import time

import pytest


def find_gxr():
    """The command that the package in build/python was built over, that of the build folder with the package, or its own."""
    from gxr import _native

    package = pathlib.Path(_native.__file__).resolve().parent
    build = package.parent.parent
    for folder in (build / "release", build, package / "bin"):
        if (folder / "gxr").is_file():
            return folder / "gxr"
    raise RuntimeError("the command gxr is not beside the package")


def started(note, patience=30):
    """The number of a process that another one writes into a file."""
    end = time.monotonic() + patience
    while not (text := note.read_text()).endswith("\n"):
        assert time.monotonic() < end, f"nothing was written to {note}"
        time.sleep(0.01)
    return int(text)


def has_ended(process, patience=10):
    """Does a process, of which we are not the parent, end?"""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            if ") Z " in pathlib.Path(f"/proc/{process}/stat").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


@pytest.fixture
def command(tmp_path):
    """Runs `gxr ARGUMENTS` in a folder of the test; gives exit code, standard output and standard error."""

    def run(*arguments, text=None, env=None, timeout=60):
        done = subprocess.run(
            [str(find_gxr()), *arguments],
            cwd=tmp_path,
            input=text,
            capture_output=True,
            text=True,
            timeout=timeout,
            env={
                **os.environ,
                "GXR_PYTHON": sys.executable,
                "XDG_CACHE_HOME": str(tmp_path / "cache"),
                **(env or {}),
            },
        )
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def write(tmp_path):
    """Writes a file into the folder of the test."""

    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write
