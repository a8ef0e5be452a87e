"""Operators in Python in applications of several processes."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from test_command import FILTER

# What is kept on one rank, another one does not see; functions of atexit are called on each.
KEEPING = FILTER.replace("import gxr\n", "import atexit, os, random, sys\nimport gxr\n\nseen = []\n", 1).replace(
    '        print("array"', "        seen.append(os.getpid())\n        print(\"array\"") + '''

def say():
    print(f"leaves with {len(seen)}", end="")  # in one write: both ranks have this output


atexit.register(say)
'''
APP = """extensions: [my_ops.py]
---
name: ramp
rank: 0
operator: my_ops::Ramp
count: 3
---
name: show
rank: 1
operator: my_ops::Show
inputs: {array: ramp}
"""


def test_ranks(command, write):
    write("my_ops.py", KEEPING)
    write("app.yaml", APP)
    code, out, err = command("run", "app.yaml", "--ranks", "2")
    assert code == 0, err
    assert out.count("array [0.0, 1.0, 2.0, 3.0]\n") == 3
    assert out.count("leaves with 3") == 1 and out.count("leaves with 0") == 1
    assert out.count("completed after") == 1 and "2 entities, 6 ticks" in out


def test_plan_of_ranks(command, write):
    write("my_ops.py", FILTER)
    write("app.yaml", APP)
    code, out, err = command("plan", "app.yaml", "--ranks", "2")
    assert code == 0, err
    assert "rank 0: ramp" in out and "rank 1: show" in out


def test_failure_on_another_rank(command, write):
    write("my_ops.py", FILTER)
    write("app.yaml", APP)
    code, out, err = command("run", "app.yaml", "--ranks", "2", "-p", "show/fails_at=2")
    assert code == 1
    assert "on rank 1: ValueError: enough" in err and "my_ops.py:25, in tick" in err


def test_parameter_of_another_rank(command, write, tmp_path):
    from conftest import find_gxr

    write("my_ops.py", FILTER)
    write("app.yaml", APP.replace("count: 3", "period: 10ms").replace("rank: 0", "rank: 2"))
    environment = {**os.environ, "GXR_PYTHON": sys.executable, "GXR_RUNTIME_DIR": str(tmp_path / "control")}
    (tmp_path / "control").mkdir(mode=0o700)
    process = subprocess.Popen(
        [str(find_gxr()), "run", "app.yaml", "--ranks", "3"], cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout.readline().startswith("array [0.0, 1.0,")
        code, _, err = command("set", "--app", str(process.pid), "ramp/size=1", env=environment)
        assert code == 0, err
        while process.stdout.readline() != "array [0.0]\n":
            assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[0]
    assert "interrupted by a signal" in output and process.returncode == 130


def test_ranks_under_mpi(command, write):
    transports = command("list", "transports")[1]
    if "Open MPI" not in transports or shutil.which("mpirun") is None:
        pytest.skip("there is no MPI")
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    if subprocess.run(["mpirun", "-n", "2", "--oversubscribe", *root, "true"], capture_output=True).returncode != 0:
        pytest.skip("mpirun does not start processes here")
    write("my_ops.py", FILTER)
    write("app.yaml", APP)
    code, out, err = command("mpirun", "-n", "2", "app.yaml", "--format", "json", timeout=120)
    assert code == 0, err
    assert out.count("array [0.0, 1.0, 2.0, 3.0]\n") + err.count("array [0.0, 1.0, 2.0, 3.0]\n") == 3
    report = json.loads(out[out.index("{") :])
    assert report["reason"] == "completed"
    assert [(entity["entity"], entity["ticks"]) for entity in report["entities"]] == [("ramp", 3), ("show", 3)]
