#!/usr/bin/env python3
"""The memory of a run with a trace does not grow: events that were written leave it.

    memory.py --gxr GXR

Exit status: 0 all right, 1 something is wrong, 2 wrong usage.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

APPLICATION = """
name: source
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 100us}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- {type: gxr::sample::PingTx, parameters: {signal: out}}
---
name: sink
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: gxr::sample::PingRx, parameters: {signal: in}}
---
components:
- {type: gxr::Connection, parameters: {source: source/out, target: sink/in}}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock, max_duration_ms: 30000}}
"""
SETTLED = 6  # seconds, until all is in use
BYTES_OF_EVENT = 48
MOST_GROWTH = 2 << 20


def resident(process):
    """In bytes."""
    if process.poll() is not None:
        raise RuntimeError(f"the run has ended early, with exit status {process.returncode}")
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s*(\d+) kB", status)[1]) * 1024


def measure(gxr, folder):
    """Bytes after some seconds and shortly before the end, and the trace."""
    (folder / "app.yaml").write_text(APPLICATION)
    with subprocess.Popen([gxr, "run", "--log-level", "warn", "--trace", "trace.json", "app.yaml"], cwd=folder,
                          stdout=subprocess.DEVNULL) as process:
        time.sleep(SETTLED)
        first = resident(process)
        time.sleep(20)
        last = resident(process)
        if process.wait() != 0:
            raise RuntimeError("the run failed")
    return first, last, json.loads((folder / "trace.json").read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gxr", required=True)
    gxr = pathlib.Path(parser.parse_args().gxr).resolve()
    with tempfile.TemporaryDirectory() as folder:
        first, last, trace = measure(gxr, pathlib.Path(folder))
    number = len(trace["traceEvents"])
    print(f"{number} events; {first >> 10} KiB after {SETTLED} s, {last >> 10} KiB after {SETTLED + 20} s")
    if trace["otherData"]["events_left_out"] != 0:
        print("events were left out")
        return 1
    if number * BYTES_OF_EVENT < 4 * MOST_GROWTH:
        print("too few events to tell")
        return 1
    return 0 if last - first < MOST_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
