"""What docs/python-operators.md shows: its examples run, and print what the page says."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import gxr
from conftest import find_gxr

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/python-operators.md").read_text()
PRINTS = re.findall(r"<!-- prints: (\S+) -->\n```\w*\n(.*?)```\n", PAGE, re.DOTALL)


def test_the_page_has_outputs():
    assert len(PRINTS) == 3


@pytest.mark.parametrize("example, output", PRINTS)
def test_example(example, output):
    done = subprocess.run(
        [sys.executable, example], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60
    )
    assert done.returncode == 0
    assert done.stdout == output


def test_operators(command):
    code, out, err = command("run", str(ROOT / "python/examples/counter.yaml"))
    assert code == 0, err
    assert out.splitlines()[0] == "total: 55" and "2 entities, 20 ticks" in out


TRANSCRIPTS = ROOT / "tests/transcripts"
WITH_PYTHON = sorted(
    path for path in TRANSCRIPTS.rglob("*.test") if "== requires python-gxr\n" in path.read_text(encoding="utf-8")
)


def run_script(script, *arguments):
    done = subprocess.run(
        [sys.executable, ROOT / script, *arguments],
        env={**os.environ, "GXR_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("path", WITH_PYTHON, ids=lambda path: path.stem)
def test_transcript(path):
    gxr = find_gxr()
    options = ["--gxr", gxr, "--source-dir", ROOT, "--extensions", gxr.parent / "tests/extensions"]
    assert "1 passed" in run_script("tests/transcripts/run.py", path, *options, "--have", "python-gxr")


def test_recipes():
    assert len(WITH_PYTHON) == 3
    assert "SKIP" not in run_script("tests/docs/cookbook.py", find_gxr(), ROOT)


def test_button():
    app = gxr.Application().extension(ROOT / "python/examples/button.py")
    term = {"name": "pressed", "type": "button::Pressed"}
    app.add("lamp", "button::Lamp", parameters={"button": "pressed"}, terms=[term])
    numbers = app.tap("lamp/number")
    with app:
        assert [numbers.take(timeout=5) for _ in range(3)] == [1, 2, 3]
        assert numbers.take(timeout=0.05) is None
        app.interrupt()
        waiting = {each.entity: each.reasons for each in app.wait().waiting}
        assert waiting["lamp"] == ["nobody has pressed the button"]
