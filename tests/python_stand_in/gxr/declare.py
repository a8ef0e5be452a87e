"""Stands in for the module of the Python package gxr that reads extensions, in transcripts.

A file NAME.py with `class Xyz:` declares the codelet NAME::Xyz; each `key: int = 5` in it is a parameter.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import traceback

TYPE = re.compile(r"^class (\w+):$")
PARAMETER = re.compile(r"^    (\w+): int = (\d+)$")


def types_of(name, text):
    types = []
    for line in text.splitlines():
        if found := TYPE.match(line):
            types.append({"name": f"{name}::{found[1]}", "base": "gxr::Codelet", "id": f"{len(types):016x}:{1:016x}"})
        elif found := PARAMETER.match(line):
            types[-1].setdefault("parameters", []).append({"key": found[1], "type": "int64", "default": found[2]})
    return {"format": 1, "types": types}


def line_of(error):
    return error.lineno if isinstance(error, SyntaxError) else traceback.extract_tb(error.__traceback__)[-1].lineno


def main():
    file = pathlib.Path(sys.argv[1])
    print("reading", file.name, file=sys.stderr)
    text = file.read_text()
    try:
        exec(compile(text, str(file), "exec"), {})
    except Exception as error:
        traceback.print_exc()
        print(json.dumps({"errors": [{"file": str(file), "line": line_of(error), "text": str(error)}]}))
        return 1
    version = subprocess.run(["gxr", "--version"], capture_output=True, text=True, check=True).stdout
    answer = {
        "gxr": os.environ.get("STAND_IN_VERSION") or re.match(r"gxr (\S+)", version)[1],
        "sdk": re.search(r"SDK fingerprint (\w+)", version)[1],
        "name": file.stem,
        "version": "0.0.0",
        "description": "Of a stand-in",
        "files": [str(file)],
        "types": types_of(file.stem, text),
    }
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
