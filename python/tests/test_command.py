import json
import os
import signal
import subprocess
import sys
import time

import pytest

FILTER = '''"""Operators of a test."""
import numpy as np
import gxr


class Ramp(gxr.Operator):
    """Makes arrays"""

    out: gxr.Output[gxr.Tensor]
    size: int = gxr.parameter(4, minimum=1, doc="Numbers of an array", live=True)

    def tick(self):
        self.out.publish(np.arange(self.size, dtype=np.float32))


class Show(gxr.Operator):
    """Prints arrays"""

    array: gxr.Input[gxr.Tensor]
    fails_at: int = 0

    def tick(self):
        print("array", np.asarray(self.array.receive()).tolist())
        if self.count == self.fails_at:
            raise ValueError("enough")
'''
APP = """extensions: [my_ops.py]
---
name: ramp
operator: my_ops::Ramp
count: 2
---
name: show
operator: my_ops::Show
inputs: {array: ramp}
"""


def test_run(command, write):
    write("my_ops.py", FILTER)
    write("app.yaml", APP)
    code, out, err = command("run", "app.yaml")
    assert code == 0, err
    assert out.splitlines()[:2] == ["array [0.0, 1.0, 2.0, 3.0]"] * 2
    assert out.splitlines()[2].startswith("completed after")


def test_application_on_standard_input(command, write):
    write("my_ops.py", FILTER)
    text = APP.partition("---\n")[2]
    code, out, err = command("run", "-", "-x", "my_ops.py", "-p", "ramp/size=1", text=text)
    assert code == 0, err
    assert out.splitlines()[:2] == ["array [0.0]"] * 2


def test_describe(command, write):
    write("my_ops.py", FILTER)
    code, out, _ = command("describe", "-x", "my_ops.py", "my_ops::Ramp")
    assert code == 0
    assert "Makes arrays" in out and "size: int64, default 4, at least 1, changeable while running" in out


def test_unknown_parameter(command, write):
    write("my_ops.py", FILTER)
    write("app.yaml", APP.replace("count: 2", "parameters: {sizes: 3}"))
    code, _, err = command("validate", "app.yaml")
    assert code == 3
    assert "error[unknown-parameter]: 'my_ops::Ramp' has no parameter 'sizes'\n --> app.yaml:5:14" in err
    assert "did you mean 'size'?" in err


def test_exception(command, write):
    write("my_ops.py", FILTER)
    write("app.yaml", APP)
    code, out, err = command("run", "app.yaml", "-p", "show/fails_at=2")
    assert code == 1
    assert "tick of entity 'show'" in err and "ValueError: enough" in err and "my_ops.py:25, in tick" in err


def test_import_error_has_a_place(command, write):
    write("my_ops.py", "import gxr\n\nimport there_is_no_such_module\n")
    write("app.yaml", APP)
    code, _, err = command("validate", "app.yaml")
    assert code != 0
    assert "my_ops.py:3" in err and "No module named 'there_is_no_such_module'" in err


def test_syntax_error_has_a_place(command, write):
    write("my_ops.py", "import gxr\nclass (:\n")
    write("app.yaml", APP)
    code, _, err = command("validate", "app.yaml")
    assert code != 0 and "my_ops.py:2" in err


def test_declaration_error_has_a_place(command, write):
    write("my_ops.py", FILTER.replace("fails_at: int = 0", "fails_at: set = 0"))
    write("app.yaml", APP)
    code, _, err = command("validate", "app.yaml")
    assert code != 0 and "my_ops.py:20" in err and "the type set cannot be a parameter" in err


def test_helper_module_beside_the_file(command, write):
    write("helper.py", "SIZE = 2\n")
    write("my_ops.py", FILTER.replace("import gxr\n", "import gxr\nfrom helper import SIZE\n", 1).replace("(4, min", "(SIZE, min"))
    write("app.yaml", APP)
    code, out, err = command("run", "app.yaml")
    assert code == 0, err
    assert out.splitlines()[0] == "array [0.0, 1.0]"
    write("helper.py", "SIZE = 3 \n")
    code, out, _ = command("describe", "-x", "my_ops.py", "my_ops::Ramp")
    assert "default 3" in out


def test_interrupt(command, write, tmp_path):
    from conftest import find_gxr

    write("my_ops.py", FILTER)
    write("app.yaml", APP.replace("count: 2", "period: 10ms"))
    process = subprocess.Popen(
        [str(find_gxr()), "run", "app.yaml"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "GXR_PYTHON": sys.executable},
    )
    assert process.stdout.readline().startswith("array")
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30)[0]
    assert "interrupted by a signal" in output and process.returncode == 130


@pytest.mark.parametrize("words", [["validate"], ["run"], ["plan"]], ids=" ".join)
def test_interrupt_while_a_file_is_read(write, tmp_path, words):
    """What the file has started ends, too."""
    from conftest import find_gxr, has_ended, started

    note = write("note", "")
    write(
        "slow.py",
        "import subprocess, time\n"
        "child = subprocess.Popen(['sleep', '1000'])\n"
        "print(child.pid, file=open('note', 'w'))\n"
        "time.sleep(1000)\n",
    )
    write("app.yaml", APP)
    process = subprocess.Popen(
        [str(find_gxr()), *words, "app.yaml", "-x", "slow.py"],
        cwd=tmp_path,
        env={**os.environ, "GXR_PYTHON": sys.executable, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also in the background
    )
    child = started(note)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=15) in (-signal.SIGINT, 128 + signal.SIGINT)
    assert has_ended(child)


def test_messages_that_python_keeps_do_no_harm(command, write):
    write("my_ops.py", FILTER.replace("import gxr\n", "import gxr\nkept = []\n", 1).replace(
        '        print("array"', '        kept.append(self.array.receive())\n        return\n        print("array"'))
    write("app.yaml", APP)
    code, out, err = command("run", "app.yaml")
    assert code == 0, err


def test_a_constructor_that_fails(command, write):
    write("my_ops.py", FILTER.replace("    def tick(self):\n        self.out", "    def __init__(self):\n        raise KeyError('no')\n\n    def tick(self):\n        self.out"))
    write("app.yaml", APP)
    code, _, err = command("run", "app.yaml")
    assert code == 1 and "KeyError: 'no'" in err


def test_closed_standard_output(command, write, tmp_path):
    write("my_ops.py", FILTER)
    write("app.yaml", APP)
    from conftest import find_gxr

    line = f"{find_gxr()} run app.yaml >&- 2>errors; echo $?"
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "GXR_PYTHON": sys.executable}
    )
    assert "AttributeError" not in (tmp_path / "errors").read_text()


def test_a_changed_file_counts_in_the_same_process(write, monkeypatch, tmp_path):
    import gxr

    monkeypatch.setenv("GXR_PYTHON", sys.executable)
    path = write("changing.py", FILTER)
    text = f"extensions: ['{path}']\n---\nname: ramp\noperator: changing::Ramp\ncount: 1\n"
    shapes = []
    for size in (4, 11):
        path.write_text(FILTER.replace("parameter(4,", f"parameter({size},"))
        shapes += [tensor.shape for tensor in gxr.Application(text=text).tap("ramp/out")]
    assert shapes == [(4,), (11,)]


class Editor:
    """Speaks with `gxr lsp`."""

    def __init__(self, folder):
        from conftest import find_gxr

        self.folder = folder
        self.server = subprocess.Popen(
            [str(find_gxr()), "lsp"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "GXR_PYTHON": sys.executable, "XDG_CACHE_HOME": str(folder / "cache")},
        )

    def send(self, method, params, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.server.stdout.readline().strip()) != b"":
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        return json.loads(self.server.stdout.read(length))

    def wait_for(self, version):
        """Until it has looked at that version; gives all that it has said meanwhile."""
        said = []
        while not said or said[-1]["params"].get("version") != version:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                said.append(message)
        return json.dumps(said)


def test_an_editor_has_a_broken_file_read_once(write, tmp_path):
    (tmp_path / "counts").mkdir()
    reads = tmp_path / "counts/reads"
    write("broken.py", "open('counts/reads', 'a').write('read\\n')\nimport there_is_no_such_module\n")
    write("app.yaml", APP.replace("my_ops", "broken"))
    time.sleep(0.1)  # what has changed just now is not remembered
    editor = Editor(tmp_path)
    document = {"uri": (tmp_path / "app.yaml").as_uri(), "languageId": "yaml"}
    try:
        editor.send("initialize", {"capabilities": {}, "initializationOptions": {"trusted": True}}, id=1)
        editor.receive()
        editor.send("initialized", {})
        text = (tmp_path / "app.yaml").read_text()
        editor.send("textDocument/didOpen", {"textDocument": {**document, "version": 1, "text": text}})
        said = editor.wait_for(1)
        before = len(reads.read_text().split())
        time.sleep(0.1)
        for version in range(2, 8):
            editor.send(
                "textDocument/didChange",
                {"textDocument": {**document, "version": version}, "contentChanges": [{"text": text + "#" * version}]},
            )
            said += editor.wait_for(version)
        assert "No module named 'there_is_no_such_module'" in said
        # The first time, Python has made the folder of what it compiles, beside the file.
        assert len(reads.read_text().split()) <= before + 1
    finally:
        editor.server.kill()
        editor.server.wait()
