"""Stands in for `python -m gxr`: shows what it was given, or starts gxr again as a package without a host would."""

import os
import sys

if os.environ.get("STAND_IN_AGAIN"):
    os.execvp("gxr", ["gxr", *sys.argv[1:]])
print("python -m gxr", *sys.argv[1:], flush=True)
for name in sys.argv[1:]:
    if name in ("-", "/dev/stdin") or name.startswith("/dev/fd/"):
        with open("/dev/stdin" if name == "-" else name) as file:
            print(f"{name}: {file.read().splitlines()[0]}")
