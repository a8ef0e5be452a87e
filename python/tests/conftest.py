import os
import pathlib
import subprocess
import sys

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
