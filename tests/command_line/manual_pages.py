#!/usr/bin/env python3
"""Writes the manual pages and reads them with groff and man, which must warn of nothing.

Every command and option of --help has its place in a page. Skipped (77) where groff is missing.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def read(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    if done.returncode or done.stderr:
        sys.exit(f"{command}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gxr", type=pathlib.Path, required=True)
    gxr = parser.parse_args().gxr
    if shutil.which("groff") is None:
        print("skipped: groff is missing")
        sys.exit(77)
    commands = re.findall(r"^  ([a-z][\w-]*)  ", read(gxr, "--help").split("Subcommands:")[1], re.MULTILINE)
    if "run" not in commands or "completion" not in commands:
        sys.exit(f"--help lists {commands}")
    with tempfile.TemporaryDirectory() as folder:
        read(gxr, "man", folder)
        pages = {path.name: path for path in pathlib.Path(folder).iterdir()}
        expected = {"gxr.1", "gxe.1", "gxr-declare.1", *(f"gxr-{command}.1" for command in commands)}
        if set(pages) != expected:
            sys.exit(f"there are pages {sorted(pages)}, not {sorted(expected)}")
        plain = {**os.environ, "GROFF_NO_SGR": "1"}
        texts = {}
        for name, path in pages.items():
            shown = read("groff", "-ww", "-mandoc", "-Tutf8", "-P-cbou", path, env=plain)
            texts[name] = shown.replace("‐", "-").replace("−", "-")
            if shutil.which("man"):
                read("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path,
                     env={**os.environ, "LC_ALL": "C.UTF-8"})
        for command in commands:
            options = re.findall(r"^  (-[\w,-]+)", read(gxr, command, "--help"), re.MULTILINE)
            for option in {name for names in options for name in names.split(",")}:
                if not re.search(rf"^ +(-\w, )?{option}( |$)", texts[f"gxr-{command}.1"], re.MULTILINE) and not re.search(
                        rf"^ +{option},", texts[f"gxr-{command}.1"], re.MULTILINE):
                    sys.exit(f"gxr-{command}.1 lacks {option}\n{texts[f'gxr-{command}.1']}")
        if "-graph_directory FOLDER" not in texts["gxe.1"]:
            sys.exit(f"gxe.1 lacks a flag\n{texts['gxe.1']}")
    print(f"{len(pages)} pages")


main()
