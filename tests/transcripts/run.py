#!/usr/bin/env python3
"""Runs transcript tests: files that hold input, commands and the output they must print.

docs/transcripts.md describes the format (share/doc/gxr/docs/transcripts.md where gxr is installed). Exit status: 0 all passed, 1 something differed,
2 wrong usage, 77 everything was skipped.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
NO_MULTICAST = "<General><AllowMulticast>false</AllowMulticast></General>"
GLIB_LEAKS = REPOSITORY / "tests/transcripts/media/glib.supp"
SKIPPED = 77


class FormatError(Exception):
    """The transcript itself is wrong."""


@dataclasses.dataclass
class Section:
    """One `== KEYWORD ARGUMENT` line and the lines that belong to it."""

    line: int  # of the `== ` line, from 1
    keyword: str
    argument: str
    body: list  # of str, escapes not resolved


@dataclasses.dataclass
class Transcript:
    path: pathlib.Path
    comment: list  # lines before the first section
    sections: list


# ---- reading and writing -------------------------------------------------------------------------

KEYWORDS = ("file", "run", "exit", "output", "requires", "label")


def parse(path, text):
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    transcript = Transcript(path, [], [])
    for number, line in enumerate(lines, 1):
        if line.startswith("== "):
            keyword, _, argument = line[3:].strip().partition(" ")
            if keyword not in KEYWORDS:
                raise FormatError(f"{path}:{number}: '== {keyword}' is none of {', '.join(KEYWORDS)}")
            transcript.sections.append(Section(number, keyword, argument.strip(), []))
        elif transcript.sections:
            transcript.sections[-1].body.append(line)
        elif line.startswith("#") or not line.strip():
            transcript.comment.append(line)
        else:
            raise FormatError(f"{path}:{number}: text before the first '== ' line must start with '#'")
    check(transcript)
    return transcript


def check(transcript):
    seen_run = False
    for section in transcript.sections:
        where = f"{transcript.path}:{section.line}"
        if not section.argument:
            raise FormatError(f"{where}: '== {section.keyword}' needs something after it")
        seen_run = seen_run or section.keyword == "run"
        if section.keyword == "exit":
            if not seen_run or not section.argument.isdigit():
                raise FormatError(f"{where}: '== exit N' follows a command and gives a number")
        if section.keyword in ("exit", "requires", "label") and any(l.strip() for l in section.body):
            raise FormatError(f"{where}: nothing may stand under '== {section.keyword}'")
    if not seen_run:
        raise FormatError(f"{transcript.path}: no '== run' line")


def render(transcript):
    lines = list(transcript.comment)
    for section in transcript.sections:
        lines.append(f"== {section.keyword} {section.argument}")
        lines.extend(section.body)
    return "\n".join(lines) + "\n"


def unescape(line):
    return line[1:] if re.match(r"\\+(== |\.\.\.$)", line) else line


def escape(line):
    line = line.replace("{{", r"{{\{\{}}")
    return "\\" + line if re.match(r"\\*(== |\.\.\.$)", line) else line


def without_blank_end(lines):
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


# ---- comparing -----------------------------------------------------------------------------------

ANY_LINES = "..."


def matches(expected, actual):
    """Whether one expected line, with its {{regex}} parts, stands for the actual line."""
    pattern = ""
    position = 0
    expected = unescape(expected)
    for part in re.finditer(r"\{\{(.+?)\}\}(?!\})", expected):
        pattern += re.escape(expected[position : part.start()]) + "(?:" + part.group(1) + ")"
        position = part.end()
    if position == 0:
        return expected == actual
    return re.fullmatch(pattern + re.escape(expected[position:]), actual) is not None


def align(expected, actual):
    """The cheapest way from expected to actual: (mark, expected line, actual line) per step.

    Marks: ' ' same, '.' a `...` line, '-' missing in actual, '+' only in actual. Equal ends are cut off
    first, so that the table stays small for long outputs.
    """
    head = []
    while expected and actual and expected[0] != ANY_LINES and matches(expected[0], actual[0]):
        head.append((" ", expected[0], actual[0]))
        expected, actual = expected[1:], actual[1:]
    tail = []
    while expected and actual and expected[-1] != ANY_LINES and matches(expected[-1], actual[-1]):
        tail.insert(0, (" ", expected[-1], actual[-1]))
        expected, actual = expected[:-1], actual[:-1]
    return head + align_middle(expected, actual) + tail


def align_middle(expected, actual):
    rows, columns = len(expected), len(actual)
    cost = [[0] * (columns + 1) for _ in range(rows + 1)]
    step = [[""] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows, -1, -1):
        for j in range(columns, -1, -1):
            cost[i][j], step[i][j] = min(choices(expected, actual, cost, i, j))
    steps = []
    i = j = 0
    while i < rows or j < columns:
        mark = step[i][j]
        if mark == "0same":
            steps.append((" ", expected[i], actual[j]))
            i, j = i + 1, j + 1
        elif mark == "1end":
            steps.append((".", expected[i], None))
            i += 1
        elif mark == "2absorb":
            j += 1
        elif mark == "3missing":
            steps.append(("-", expected[i], None))
            i += 1
        else:
            steps.append(("+", None, actual[j]))
            j += 1
    return steps


def choices(expected, actual, cost, i, j):
    """(cost, step) of each way to go on from expected line i and actual line j."""
    more_expected, more_actual = i < len(expected), j < len(actual)
    if not more_expected and not more_actual:
        yield 0, "0same"
    if more_expected and expected[i] == ANY_LINES:
        yield cost[i + 1][j], "1end"
        if more_actual:
            yield cost[i][j + 1], "2absorb"
        return
    if more_expected and more_actual and matches(expected[i], actual[j]):
        yield cost[i + 1][j + 1], "0same"
    if more_expected:
        yield cost[i + 1][j] + 1, "3missing"
    if more_actual:
        yield cost[i][j + 1] + 1, "4extra"


# ---- running -------------------------------------------------------------------------------------


def handle_all_signals():
    """What a command starts with, also where whoever runs the tests ignores or blocks signals, as nohup does."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for each in signal.valid_signals():
        if signal.getsignal(each) == signal.SIG_IGN:
            signal.signal(each, signal.SIG_DFL)


class Runner:
    """Runs one transcript in a folder of its own and collects what differs."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir()
        self.home = folder / "home"
        self.home.mkdir()
        self.environment = self.make_environment()
        self.failures = []
        self.status = 0  # of the last command
        self.command = None  # its section
        self.exit_checked = True

    def make_environment(self):
        binaries = self.folder / "bin"
        binaries.mkdir()
        gxr = self.options.gxr
        for name, target in (("gxr", gxr), ("gxe", gxr), ("gxr-declare", gxr.parent / "gxr-declare")):
            if target.exists():
                (binaries / name).symlink_to(target)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GXR_", "LC_", "XDG_"))}
        kept.update(
            PATH=f"{binaries}:{kept.get('PATH', '/usr/bin:/bin')}",
            HOME=str(self.home),
            XDG_CACHE_HOME=str(self.home / "cache"),
            GXR_RUNTIME_DIR=str(self.folder / "sockets"),  # of each test its own: tests run at the same time
            TMPDIR=str(self.folder),
            NO_COLOR="1",
            TERM="dumb",
            COLUMNS="80",
            LANG="C.UTF-8",
            TZ="UTC",
            GXR_SOURCE_DIR=str(self.options.source_dir),
            GXR_TEST_EXTENSIONS=str(self.options.extensions),
            CYCLONEDDS_URI=NO_MULTICAST,  # topics stay on this machine, by loopback
            CUDA_VISIBLE_DEVICES="",  # the same on all machines, but for transcripts that require a GPU
        )
        if "python-gxr" in self.options.have:
            kept["GXR_PYTHON"] = os.environ["GXR_PYTHON"]
            python = binaries / "python3"  # a link would not find the packages of a virtual environment
            python.write_text('#!/bin/sh\nexec "$GXR_PYTHON" "$@"\n')
            python.chmod(0o755)
        if self.options.extension_path and self.options.extension_path.is_dir():
            kept["GXR_EXTENSION_PATH"] = str(self.options.extension_path)
        return kept

    def run(self, transcript):
        for section in transcript.sections:
            getattr(self, "do_" + section.keyword)(transcript, section)
        self.check_exit(None)
        return not self.failures

    def do_requires(self, _transcript, section):
        required = section.argument.split()
        if "gpu" in required:
            del self.environment["CUDA_VISIBLE_DEVICES"]
        if "media" in required:
            self.environment["LSAN_OPTIONS"] = f"suppressions={GLIB_LEAKS}:print_suppressions=0"

    def do_label(self, _transcript, _section):
        """It is for CTest, see GxrAddTranscripts.cmake."""

    def do_file(self, _transcript, section):
        path = self.work / section.argument
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [unescape(line) for line in without_blank_end(section.body)]
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    def do_run(self, _transcript, section):
        self.check_exit(None)
        self.command, self.exit_checked = section, False
        command, folder = section.argument, self.work
        inside = re.match(r"in (\S+) (.*)", command)
        if inside:
            folder = self.work / self.expand(inside.group(1))
            command = inside.group(2)
        output, self.status = self.execute(command, folder)
        self.compare(section, self.normalise(output))

    def do_exit(self, _transcript, section):
        self.check_exit(section)

    def do_output(self, _transcript, section):
        self.check_exit(None)
        path = self.work / self.expand(section.argument)
        if path.is_file():
            self.compare(section, self.normalise(path.read_text(encoding="utf-8", errors="replace")))
        else:
            self.failures.append((section, [f"  no file {section.argument} was written"]))

    def expand(self, text):
        return re.sub(r"\$(\w+)", lambda m: self.environment.get(m.group(1), ""), text)

    def execute(self, command, folder):
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=handle_all_signals,
        )
        try:
            output, _ = process.communicate(timeout=self.options.timeout)
            status = process.returncode
            status = 128 - status if status < 0 else status
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            output += f"\n[ended by the test after {self.options.timeout} s]\n".encode()
            status = 128 + signal.SIGKILL
        return output.decode("utf-8", "replace"), status

    def normalise(self, text):
        """Output as lines, with the folders of this run by name."""
        places = {
            str(self.work): "<work>",
            str(self.home): "<home>",
            str(self.folder): "<temporary>",
            str(self.options.extensions): "<test extensions>",
            str(self.options.build): "<build>",
            str(self.options.source_dir): "<source>",
        }
        for place in sorted(places, key=len, reverse=True):
            text = text.replace(place, places[place])
        return without_blank_end(text.split("\n"))

    def compare(self, section, actual):
        expected = without_blank_end(section.body)
        blank_end = section.body[len(expected) :]
        steps = align(expected, actual)
        if all(mark in " ." for mark, _, _ in steps):
            return
        report = [f"  {m} {a if e is None else e}" for m, e, a in steps]
        self.failures.append((section, report))
        if self.options.accept:
            kept = [escape(a) if e is None else e for m, e, a in steps if m != "-"]
            section.body = kept + blank_end

    def check_exit(self, section):
        """Compares the last command's status with an `== exit` section, or with 0 without one."""
        if self.exit_checked:
            return
        self.exit_checked = True
        expected = int(section.argument) if section else 0
        if self.status == expected:
            return
        report = [f"  exit status: {self.status}, expected {expected}"]
        self.failures.append((self.command, report))
        self.command.accepted_status = self.status
        if self.options.accept and section:
            section.argument = str(self.status)


def accept(transcript):
    """Adds the `== exit` lines that were missing and writes the file."""
    sections = []
    for section in transcript.sections:
        follows_exit = section.keyword == "exit"
        if sections and hasattr(sections[-1], "accepted_status") and not follows_exit:
            sections.append(exit_section(sections[-1]))
        sections.append(section)
    if hasattr(sections[-1], "accepted_status"):
        sections.append(exit_section(sections[-1]))
    transcript.sections = [s for s in sections if (s.keyword, s.argument) != ("exit", "0")]
    transcript.path.write_text(render(transcript), encoding="utf-8")


def exit_section(command):
    """An `== exit` line after a command; blank lines that ended the command's output move behind it."""
    body = without_blank_end(command.body)
    blank_end = command.body[len(body) :]
    command.body = body
    return Section(0, "exit", str(command.accepted_status), blank_end)


def words_of_machine():
    count = len(list(pathlib.Path("/dev").glob("nvidia[0-9]*")))
    return ["gpu"] * (count > 0) + ["gpus"] * (count > 1)


def missing_requirement(transcript, have):
    if "cuda" in have:
        have = [*have, *words_of_machine()]
    for section in transcript.sections:
        if section.keyword == "requires":
            for word in section.argument.split():
                unwanted = word.startswith("!")
                present = word.lstrip("!") in have or shutil.which(word.lstrip("!")) is not None
                if present == unwanted:
                    return word
    return None


def run_file(path, options):
    """'passed', 'failed' or 'skipped', after printing why it is not the first."""
    transcript = parse(path, path.read_text(encoding="utf-8"))
    word = missing_requirement(transcript, options.have)
    if word:
        print(f"SKIP {path}: requires {word}")
        return "skipped"
    with tempfile.TemporaryDirectory(prefix="gxr-test-") as folder:
        runner = Runner(options, pathlib.Path(folder).resolve())
        passed = runner.run(transcript)
    if passed:
        return "passed"
    for section, report in runner.failures:
        print(f"{path}:{section.line}: {section.keyword} {section.argument}")
        print("\n".join(report))
    if options.accept:
        accept(transcript)
        print(f"ACCEPTED {path}")
        return "passed"
    print(f"FAIL {path} (lines with '-' were expected, lines with '+' were printed)")
    return "failed"


def parse_arguments(arguments, add_options=None):
    parser = argparse.ArgumentParser(description="Runs transcript tests.")
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="transcripts, or folders of them")
    parser.add_argument("--gxr", type=pathlib.Path, default=REPOSITORY / "build/release/gxr")
    parser.add_argument("--build", type=pathlib.Path, help="folder of libgxr.so and extensions/, if not that of gxr")
    parser.add_argument("--source-dir", type=pathlib.Path, default=REPOSITORY)
    parser.add_argument("--extensions", type=pathlib.Path, help="folder of the test extensions")
    parser.add_argument("--extension-path", type=pathlib.Path, help="folder of extensions that need no -x")
    parser.add_argument("--have", action="append", default=[], help="a word that `requires` asks for")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each command")
    parser.add_argument("--accept", action="store_true", help="write what was printed into the files")
    if add_options:
        add_options(parser)
    options = parser.parse_args(arguments)
    options.gxr = pathlib.Path(os.path.abspath(options.gxr))
    options.build = pathlib.Path(os.path.abspath(options.build or options.gxr.parent))
    options.source_dir = options.source_dir.resolve()
    if options.extension_path:
        options.extension_path = options.extension_path.resolve()
    extensions = options.extensions or options.extension_path or options.gxr.parent / "tests/extensions"
    options.extensions = pathlib.Path(os.path.abspath(extensions))
    return options


def main(arguments):
    options = parse_arguments(arguments)
    if not options.gxr.exists():
        print(f"run.py: {options.gxr} does not exist; build it or give --gxr", file=sys.stderr)
        return 2
    files = []
    for path in options.files:
        files.extend(sorted(path.rglob("*.test")) if path.is_dir() else [path])
    results = {"passed": 0, "failed": 0, "skipped": 0}
    for path in files:
        try:
            results[run_file(path, options)] += 1
        except FormatError as error:
            print(error)
            results["failed"] += 1
        except OSError as error:
            print(f"{path}: {error}")
            results["failed"] += 1
    print("transcripts: " + ", ".join(f"{count} {what}" for what, count in results.items()))
    if results["failed"]:
        return 1
    return 0 if results["passed"] else SKIPPED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
