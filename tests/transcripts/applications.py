"""The applications that a transcript runs, for tests that run them in other ways.

A Workshop carries out a transcript with a `gxr` that notes every `gxr run` and keeps the files as they are at
that time; each different one becomes an Application, put together to one file by `gxr expand`.
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

import run as transcripts

RECORDING_GXR = """#!/bin/bash
if [ "$1" = run ] && [ -n "$GXR_NOTED_RUNS" ]; then
  noted=$(mktemp -d "$GXR_NOTED_RUNS/XXXXXXXX")
  cp -a . "$noted/files"
  printf '%s\\0' "$@" > "$noted/arguments"
fi
exec "$GXR_NOTED" "$@"
"""

# Options of `gxr run` with a value. Expanding applies some once and for all, running needs some again.
APPLIED = ("-p", "--param", "--params", "--executor", "--device")
NEEDED_AGAIN = ("-x", "--extension", "-m", "--manifest", "--app-root", "--compat")
OF_OUTPUT = ("--log-level", "--log-file", "--format", "--max-diagnostics")
FLAGS = ("--stats", "--strict-end", "--deadlock-ok", "--verify")

SCHEDULER = re.compile(
    r"(?P<first>- |  )type: (?:nvidia::gxf|gxr)::(?:Greedy|MultiThread|EventBased|Epoch)Scheduler\n"
    r"(?:  parameters:\n(?P<parameters>(?:    .*\n)*))?"
)
ENDS = {"clock", "max_duration_ms", "stop_on_deadlock", "stop_on_deadlock_timeout"}
PARAMETERS = {
    "Greedy": ENDS | {"check_recession_period_ms"},
    "MultiThread": ENDS | {"check_recession_period_ms", "worker_thread_number", "strict_job_thread_pinning"},
    "EventBased": ENDS | {"worker_thread_number"},
    "Epoch": {"clock"},
}


# A document that logs each execution of an entity, with its time.
WATCH = "---\nname: watch\ncomponents:\n- type: nvidia::gxf::test::EntityMonitor\n"


def standing(text):
    """The application with clocks that move only when nothing else is to be done."""
    return re.sub("(Realtime|Synthetic)Clock", "ManualClock", text)


@dataclasses.dataclass
class Application:
    """One application file and the folder that it runs in."""

    command: str  # as the transcript runs it
    text: str  # from `gxr expand`
    options: list  # that `gxr run` needs: extensions, manifest, compatibility
    files: pathlib.Path  # its folder; copied for each run

    def on(self, kind, workers=1):
        """The text with another scheduler; None when it does not have exactly one."""
        found = list(SCHEDULER.finditer(self.text))
        if len(found) != 1:
            return None
        parameters = dict(re.findall(r"    (\w+): (.*)\n", found[0]["parameters"] or ""))
        clock = ""
        if "clock" not in parameters:
            type_name = "Manual" if parameters.get("realtime") == "false" else "Realtime"
            clock = f"{found[0]['first']}name: its_clock\n  type: gxr::{type_name}Clock\n- "
            parameters["clock"] = "its_clock"
        parameters["worker_thread_number"] = workers
        kept = "".join(f"    {k}: {v}\n" for k, v in parameters.items() if k in PARAMETERS[kind])
        scheduler = (clock or found[0]["first"]) + f"type: gxr::{kind}Scheduler\n  parameters:\n{kept}"
        return self.text[: found[0].start()] + scheduler + self.text[found[0].end() :]


@dataclasses.dataclass
class Run:
    """What one run of an application left."""

    status: int
    report: dict  # as `--format json` prints it; None when there is none
    log: list  # lines without the time of day
    output: str  # all of it, for people

    def counts(self):
        """All that a report counts."""
        return {
            "ticks": {entity["entity"]: entity["ticks"] for entity in self.report["entities"]},
            "unread messages": {queue["queue"]: queue["count"] for queue in self.report["unread"]},
            "dropped messages": {queue["queue"]: queue["count"] for queue in self.report["dropped"]},
        }

    def cause(self):
        """The failure that ended the run, or None."""
        failures = self.report["failures"]
        return " ".join(failures[0][k] for k in ("method", "entity", "component", "text")) if failures else None


class NotingRunner(transcripts.Runner):
    """Carries out a transcript and notes its runs."""

    def prepare(self, noted):
        self.noted = str(noted)
        noting = self.folder / "bin" / "gxr"
        noting.unlink()
        noting.write_text(RECORDING_GXR)
        noting.chmod(0o755)
        self.environment.update(GXR_NOTED=str(self.options.gxr))

    def do_run(self, transcript, section):
        # What is ended by a signal would not end without one.
        self.environment["GXR_NOTED_RUNS"] = "" if "kill -" in section.argument else self.noted
        super().do_run(transcript, section)


class Workshop:
    """A temporary folder with the applications of one transcript and all that runs them."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.runner = NotingRunner(options, folder)
        self.environment = dict(self.runner.environment)

    def collect(self, transcript):
        """The applications of a transcript, each once."""
        noted = self.folder / "noted"
        noted.mkdir()
        self.runner.prepare(noted)
        self.runner.run(transcript)
        applications = {}
        for place in sorted(noted.iterdir(), key=lambda p: (p / "arguments").stat().st_mtime_ns):
            application = self.application(place)
            if application and application.on("Greedy"):
                applications.setdefault(digest(application), application)
        return list(applications.values())

    def application(self, place):
        arguments = (place / "arguments").read_text().split("\0")[1:-1]
        expand, options = split_options(arguments)
        if "-" in expand:
            return None  # standard input
        flat = subprocess.run(
            [self.options.gxr, "expand", *expand],
            cwd=place / "files",
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if flat.returncode != 0:
            return None  # its mistake is what the transcript is about
        return Application("gxr run " + " ".join(arguments), flat.stdout, options, place / "files")

    def run(self, application, text):
        """Runs `text` in the place of the application's files."""
        return self.execute(
            application,
            text,
            [self.options.gxr, "run", "application.yaml", "--format", "json", "--log-file", "application.log"],
        )

    def execute(self, application, text, command):
        """The same with another program; the application's options are added."""
        work = self.folder / "run"
        shutil.copytree(application.files, work, symlinks=True)
        (work / "application.yaml").write_text(text)
        process = subprocess.Popen(
            [*command, *application.options],
            cwd=work,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
            errors="replace",
        )
        try:
            output, errors = process.communicate(timeout=self.options.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            errors += f"[ended by the test after {self.options.timeout} s]\n"
        log = work / "application.log"
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        shutil.rmtree(work)
        return Run(process.returncode, parse_report(output), lines_of_run(lines), output + errors)


# With these lines gxr begins the log file and tells the report at its end.
START = re.compile(r"info +gxr \S+ \(process \d+\) runs ")
REPORT = re.compile(
    r"error +\S+ of (entity|component) '|error +an extension|warning (deadlock: |'.*' dropped |\d+ messages? in '.*' w\w+ never read)"
    r"|\w+ +(completed|deadlock|duration|interrupted|failed)( by a signal)? (after|before) "
)


def lines_of_run(lines):
    """What components logged, without the time of day."""
    found = []
    for line in lines:
        line = re.sub(r"^[-0-9]+ [:.0-9]+ [-+:0-9]+ ", "", line)
        if REPORT.match(line):
            break
        if not START.match(line):
            found.append(line)
    return found


def split_options(arguments):
    """What `gxr expand` gets, and which of it `gxr run` needs again."""
    expand, again = [], []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in FLAGS:
            continue
        if word not in APPLIED + NEEDED_AGAIN + OF_OUTPUT:
            expand.append(word)
            continue
        words = [word, rest.pop(0)]
        if word not in OF_OUTPUT:
            expand += words
        if word in NEEDED_AGAIN:
            again += words
    return expand, again


def parse_report(output):
    """The report of a run in its output; None when nothing ran."""
    found = re.search(r"^\{\n.*^\}$", output, re.MULTILINE | re.DOTALL)
    report = json.loads(found[0]) if found else {}
    return report if "reason" in report else None


def digest(application):
    """The same for applications that do the same."""
    parts = [application.text, repr(application.options)]
    for path in sorted(application.files.rglob("*")):
        if path.is_file() and path.suffix not in (".yaml", ".log"):
            parts.append(f"{path.relative_to(application.files)} {path.stat().st_size}")
    return hashlib.sha256("\0".join(parts).encode()).digest()


def main(arguments, check, add_options=None):
    """`check(workshop, application, name)` gives what is wrong with one application, as lines.

    Exit status as that of run.py.
    """
    options = transcripts.parse_arguments(arguments, add_options)
    seen = failed = 0
    for path in options.files:
        transcript = transcripts.parse(path, path.read_text(encoding="utf-8"))
        name = str(path.resolve().relative_to(options.source_dir / "tests").with_suffix(""))
        if word := transcripts.missing_requirement(transcript, options.have):
            print(f"SKIP {path}: requires {word}")
            continue
        with tempfile.TemporaryDirectory(prefix="gxr-test-") as folder:
            workshop = Workshop(options, pathlib.Path(folder).resolve())
            for application in workshop.collect(transcript):
                seen += 1
                problems = check(workshop, application, name)
                if problems:
                    failed += 1
                    print(f"FAIL {path}: {application.command}", *problems, sep="\n  ", flush=True)
    print(f"applications: {seen - failed} passed, {failed} failed")
    if failed:
        return 1
    return 0 if seen else transcripts.SKIPPED
