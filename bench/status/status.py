#!/usr/bin/env python3
"""What a question costs: `gxr status` of an application with 10,000 entities, how long the run stands still for it, and
what the control socket costs at the start. Prints a Markdown table.

    cmake --build --preset release
    bench/status/status.py --build build/release

Half of the entities wait for a period, the others for their messages; one ticks as often as it can and measures the time
between its ticks, once without questions and once with one after the other.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

ENTITIES = 10_000
ROUNDS = 40
STARTS = 500


def pair(number):
    return f"""name: source{number}
components:
- {{name: out, type: gxr::DoubleBufferTransmitter}}
- {{type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {{transmitter: out}}}}
- {{type: gxr::PeriodicSchedulingTerm, parameters: {{recess_period: 10000s}}}}
- {{type: gxr::sample::PingTx, parameters: {{signal: out}}}}
---
name: sink{number}
components:
- {{name: in, type: gxr::DoubleBufferReceiver}}
- {{type: gxr::MessageAvailableSchedulingTerm, parameters: {{receiver: in}}}}
- {{type: gxr::sample::PingRx, parameters: {{signal: in}}}}
---
components:
- {{type: gxr::Connection, parameters: {{source: source{number}/out, target: sink{number}/in}}}}
"""


def application():
    scheduler = """name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
"""
    probe = "name: probe\ncomponents:\n- {name: gaps, type: live::Gaps}\n"
    return "---\n".join([*[pair(i) for i in range(ENTITIES // 2)], probe, scheduler])


def timed(command, **options):
    begin = time.monotonic()
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout
    return (time.monotonic() - begin) * 1e3, output


class Run:
    """The application, until the block ends; then `gaps` has what live::Gaps found."""

    def __init__(self, build, file, executor, environment):
        self.command = [build / "gxr", "run", "-x", build / "tests/extensions/live.so", file, "--executor", executor]
        self.environment = environment

    def __enter__(self):
        self.process = subprocess.Popen(self.command, env=self.environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        return self

    def __exit__(self, *_error):
        self.process.terminate()
        log = self.process.communicate()[1].decode()
        found = re.search(r"longest gap (\d+) ns, in the thread (\d+) ns; (\d+) over 30 us, (\d+) over 100 us, in (\d+) ns", log)
        self.gaps = [int(each) for each in found.groups()]


def ask(build, environment, executor, file):
    gxr = build / "gxr"
    with Run(build, file, executor, environment) as quiet:
        time.sleep(6)
    with Run(build, file, executor, environment) as asked:
        while True:
            status = subprocess.run([gxr, "status", "--format", "json"], env=environment, capture_output=True)
            if status.returncode == 0 and len(json.loads(status.stdout)["entities"]) > ENTITIES:
                break
            time.sleep(0.1)
        time.sleep(1.5)
        times = [timed([gxr, "status"], env=environment)[0] for _ in range(ROUNDS)]
        whole = timed([gxr, "status"], env=environment)[1].decode()
    if whole.count("not known") or whole.count("waits for") < ENTITIES:
        raise SystemExit("the status is not whole")
    print(f"| {executor}: `gxr status` from start to end | {statistics.median(times):.1f} ms | "
          f"{min(times):.1f} to {max(times):.1f} ms |")
    for what, (clock, thread, over_30, over_100, time_ns) in (("without questions", quiet.gaps), ("with questions", asked.gaps)):
        seconds = time_ns * 1e-9 - 1
        print(f"| {executor}, {what}: longest gap between ticks by the clock | {clock / 1e3:.0f} us | |")
        if executor == "greedy":  # one thread alone ticks
            print(f"| the same in the thread's own time | {thread / 1e3:.0f} us | over 30 us {over_30 / seconds:.0f} a second, "
                  f"over 100 us {over_100 / seconds:.1f} |")


def start(build, environment, folder):
    file = folder / "small.yaml"
    file.write_text("name: a\ncomponents:\n- {type: gxr::sample::HelloWorld}\n"
                    "- {type: gxr::CountSchedulingTerm, parameters: {count: 1}}\n---\nname: s\ncomponents:\n"
                    "- {name: c, type: gxr::ManualClock}\n- {type: gxr::GreedyScheduler, parameters: {clock: c}}\n")
    command = [str(build / "gxr"), "run", "--log-level", "off", str(file)]
    times = {True: [], False: []}
    for _ in range(STARTS):
        for has_socket in times:
            options = [] if has_socket else ["--no-control"]
            process = subprocess.Popen([*command, *options], env=environment, stdout=subprocess.DEVNULL)
            usage = os.wait4(process.pid, 0)[2]
            times[has_socket].append((usage.ru_utime + usage.ru_stime) * 1e3)
    medians = {each: statistics.median(times[each]) for each in times}
    means = {each: statistics.mean(times[each]) for each in times}
    print(f"| processor time of `gxr run` with a control socket, with --no-control | {medians[True]:.2f} ms | {medians[False]:.2f} ms |")
    print(f"| the socket's part: median, mean | {(medians[True] - medians[False]) * 1e3:.0f} us | "
          f"{(means[True] - means[False]) * 1e3:.0f} us |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    build = parser.parse_args().build.resolve()
    print("| | | |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {**os.environ, "GXR_RUNTIME_DIR": str(folder / "run")}
        file = folder / "app.yaml"
        file.write_text(application())
        start(build, environment, folder)
        for executor in ("greedy", "threads"):
            ask(build, environment, executor, file)


if __name__ == "__main__":
    main()
