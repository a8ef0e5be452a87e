#!/usr/bin/env python3
"""The time from a keystroke to its diagnostics: `gxr lsp` with a chain of 1,000 entities in the short form and in GXF's form.
Prints a Markdown table.

    cmake --build --preset release
    bench/language/keystroke.py --build build/release

Each keystroke changes the name of an entity in the middle, so two diagnostics come and go. Wall time is what a person waits;
processor time of the server is what it is without other programs beside it.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/language"))
import session  # noqa: E402

ENTITIES = 1_000
KEYS = 50
FILE = "app.yaml"


def short_form():
    documents = ["name: e0\noperator: gxr::sample::PingTx\ncount: 1"]
    documents += [f"name: e{i}\noperator: gxr::Forward\ninputs: {{in: e{i - 1}}}" for i in range(1, ENTITIES - 1)]
    documents.append(f"name: sink\noperator: gxr::sample::PingRx\ninputs: {{signal: e{ENTITIES - 2}}}")
    return "\n---\n".join(documents) + "\n"


def processor_ms(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1e3 / os.sysconf("SC_CLK_TCK")


def measure(gxr):
    """Wall times of the keystrokes and the processor time of one, in ms."""
    client = session.Client([gxr, "lsp"])
    editor = session.Session(client)
    client.request("initialize", {"processId": None, "rootUri": pathlib.Path.cwd().as_uri(), "capabilities": {}})
    client.notify("initialized", {})

    def wait():
        while client.problems.get(editor.uri(FILE), {}).get("version") != editor.versions[FILE]:
            client.receive()

    editor.do_open(FILE)
    wait()
    begin = processor_ms(client.server.pid)
    walls = []
    for key in range(KEYS):
        start = time.monotonic()
        if key % 2 == 0:
            editor.do_type(FILE, "after", "name: e500", "x")
        else:
            editor.do_erase(FILE, 1, "after", "name: e500")
        wait()
        walls.append((time.monotonic() - start) * 1e3)
        found = len(client.problems[editor.uri(FILE)]["diagnostics"])
        if (found > 0) != (key % 2 == 0):
            raise SystemExit(f"keystroke {key} brought {found} diagnostics")
    processor = (processor_ms(client.server.pid) - begin) / KEYS
    client.request("shutdown", None)
    client.notify("exit", None)
    client.server.wait()
    return walls, processor


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default="build/release")
    gxr = str(parser.parse_args().build.resolve() / "gxr")
    print("| form | lines | median | greatest | processor time |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        path = pathlib.Path(FILE)
        path.write_text(short_form(), encoding="ascii")
        expanded = subprocess.run([gxr, "expand", FILE], check=True, stdout=subprocess.PIPE, text=True).stdout
        for form, text in (("short", short_form()), ("GXF's", expanded)):
            path.write_text(text, encoding="ascii")
            walls, processor = measure(gxr)
            print(f"| {form} | {text.count(chr(10)):,} | {statistics.median(walls):.0f} ms | {max(walls):.0f} ms "
                  f"| {processor:.0f} ms |", flush=True)


if __name__ == "__main__":
    main()
