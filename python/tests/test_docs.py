"""What docs/python-operators.md shows: its examples run, and print what the page says."""

import pathlib
import re
import subprocess
import sys

import pytest

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
