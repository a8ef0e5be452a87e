#!/usr/bin/env python3
"""Makes a locale and runs transcripts in it.

    run_in_locale.py de_DE.UTF-8 FOLDER TRANSCRIPT... --gxr GXR [options of run.py]

The gxr sets the locale itself, from TEST_LOCALE (set_locale.cpp). Exit status as of run.py; 77, skipped, where
locales cannot be made.
"""

import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "transcripts"))
import run  # noqa: E402


def make_locale(name, folder):
    """None, or why there is no such locale."""
    if (folder / name).is_dir():
        return None
    if shutil.which("localedef") is None:
        return "there is no localedef"
    language, _, charset = name.partition(".")
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{name}.{os.getpid()}"
    # It complains about weak points of the sources and makes the locale all the same.
    command = ["localedef", "--no-archive", "-c", "-i", language, "-f", charset, str(made)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if not made.is_dir():
        return f"localedef made no {name}: {result.stderr.strip()}"
    try:
        made.rename(folder / name)
    except OSError:  # another test was faster
        shutil.rmtree(made)
    return None


def main(arguments):
    name, folder = arguments[0], pathlib.Path(arguments[1]).resolve()
    problem = make_locale(name, folder)
    if problem:
        print(f"skipped: {problem}")
        return run.SKIPPED
    os.environ.update(LOCPATH=str(folder), TEST_LOCALE=name)
    # The words of other libraries are those of the locale.
    return run.main([*arguments[2:], "--have", "translated"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
