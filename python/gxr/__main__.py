"""The command `gxr` in a process of Python: `python -m gxr run app.yaml -x my_ops.py`."""

from __future__ import annotations

import os
import signal
import sys

from . import _host, _native


def main() -> None:
    """Runs the command with the arguments of the process, and ends the process."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # gxr handles signals itself
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # it may be closed
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    code = _native.run_command(["gxr", *sys.argv[1:]])
    if _native.live_messages():
        # Their memory went with the application, so nothing may look at them any more.
        _host.leave()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
