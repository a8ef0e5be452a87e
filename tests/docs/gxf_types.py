#!/usr/bin/env python3
"""Every type that is registered under one of GXF's names is named in the page about compatibility, by its last part.

    gxf_types.py GXR PAGE
"""
import json
import pathlib
import re
import subprocess
import sys


def gxf_names(types):
    for known in types:
        for name in [known["name"], *known["aliases"]]:
            if name.startswith("nvidia::"):
                yield name


def main():
    listed = subprocess.run([sys.argv[1], "list", "types", "--format", "json"], check=True, capture_output=True, text=True)
    names = sorted(gxf_names(json.loads(listed.stdout)))
    named = set(re.findall(r"`([A-Za-z0-9_]+)`", pathlib.Path(sys.argv[2]).read_text()))
    missing = [name for name in names if name.rsplit("::", 1)[1] not in named]
    if not names:
        print("no type has a name of GXF's: the form of the list must have changed")
    for name in missing:
        print(f"{sys.argv[2]} says nothing of {name}")
    if names and not missing:
        print(f"{len(names)} types are named")
    return 1 if missing or not names else 0


sys.exit(main())
