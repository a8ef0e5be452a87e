#!/usr/bin/env python3
"""Checks that what `gxr describe` gives as the default of a parameter is accepted when it is written.

Writes an application with one component of each type that gxr finds, all parameters with a default written out, and
looks for errors of `gxr validate` at their lines. (What else is missing from such an application does not matter.)
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def run(gxr, *arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GXR_")}
    done = subprocess.run([gxr, *arguments], capture_output=True, text=True, env=environment, check=False)
    return json.loads(done.stdout)


def application(gxr):
    """Its lines, and what each line that sets a default is about."""
    lines, defaults = [], {}
    for entry in run(gxr, "list", "types", "--format", "json"):
        if entry["abstract"] or not entry["component"]:
            continue
        described = run(gxr, "describe", entry["name"], "--format", "json")
        lines += ["---", "components:", f"- type: {entry['name']}", "  parameters:"]
        for parameter in described.get("parameters", []):
            if "default" in parameter:
                lines.append(f"    {parameter['key']}: {parameter['default']}")
                defaults[len(lines)] = f"{entry['name']}: {parameter['key']}: {parameter['default']}"
    return lines, defaults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gxr", type=pathlib.Path, required=True)
    gxr = parser.parse_args().gxr
    lines, defaults = application(gxr)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "app.yaml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        problems = run(gxr, "validate", path, "--format", "json")["diagnostics"]
    refused = [p for p in problems if p["severity"] == "error" and p["line"] in defaults]
    for problem in refused:
        print(f"{defaults[problem['line']]}: {problem['text']}")
    print(f"{len(defaults)} defaults, {len(refused)} refused")
    return 1 if refused or not defaults else 0


if __name__ == "__main__":
    sys.exit(main())
