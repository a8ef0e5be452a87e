"""Programs that the tests of topics start, and what they wait for."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 60  # seconds, for everything that must happen
DOMAINS = range(20, 100)  # transcripts use others
ON_LOOPBACK = ('<General><Interfaces><NetworkInterface name="lo"/></Interfaces><AllowMulticast>false</AllowMulticast>'
               "</General>")  # a CYCLONEDDS_URI, for what has no participant of its own


def own_domain():
    """A number that no other test on this machine uses as long as the socket is open that comes with it."""
    for count in range(len(DOMAINS)):
        domain = DOMAINS[(os.getpid() + count) % len(DOMAINS)]
        keeper = socket.socket(socket.AF_UNIX)
        try:
            keeper.bind(f"\0gxr tests of topics: domain {domain}")
            return domain, keeper
        except OSError:
            keeper.close()
    raise SystemExit("other tests use all domains")


def environment(configuration=None):
    """That of this process, in which only the test says how Cyclone DDS is configured."""
    others = {name: value for name, value in os.environ.items() if name != "CYCLONEDDS_URI"}
    return others if configuration is None else {**others, "CYCLONEDDS_URI": configuration}


def until(condition, what, limit=LIMIT):
    """The first value of `condition` that is true."""
    end = time.monotonic() + limit
    while not (value := condition()):
        if time.monotonic() > end:
            raise SystemExit(f"not within {limit} s: {what() if callable(what) else what}")
        time.sleep(0.02)
    return value


def check(condition, text):
    if not condition:
        raise SystemExit(f"wrong: {text}")


def number(pattern, log):
    found = re.search(pattern, log)
    check(found, f"there is no '{pattern}' in\n{log}")
    return float(found.group(1))


class Program:
    """Writes what it prints into files."""

    def __init__(self, folder, name, command):
        self.name = name
        self.out = folder / f"{name}.out"
        self.log = folder / f"{name}.log"
        with self.out.open("wb") as out, self.log.open("wb") as log:
            self.process = subprocess.Popen([str(each) for each in command], cwd=folder, env=environment(),
                                            stdin=subprocess.PIPE, stdout=out, stderr=log)

    def printed(self):
        return self.out.read_text(encoding="utf-8")

    def logged(self):
        """Without the times of the lines."""
        return re.sub(r"^[0-9:.]+ ", "", self.log.read_text(encoding="utf-8"), flags=re.MULTILINE)

    def said(self):
        return f"{self.name} said:\n{self.printed()[-4000:]}{self.logged()}"

    def until(self, condition, what):
        """Until that holds of what it has printed and logged so far, which must be before it ends."""
        def holds():
            ended = self.process.poll() is not None
            if value := condition(self):
                return value
            if ended:
                raise SystemExit(f"{self.name} has ended with {self.process.returncode} before {what}; {self.said()}")
            return None
        return until(holds, lambda: f"{what}; {self.said()}")

    def until_printed(self, pattern):
        return self.until(lambda each: re.search(pattern, each.printed(), re.MULTILINE), f"'{pattern}' is printed")

    def until_logged(self, pattern):
        return self.until(lambda each: re.search(pattern, each.logged(), re.MULTILINE), f"'{pattern}' is logged")

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def finish(self, codes=(0,)):
        """Closes its input, and waits for its end."""
        self.process.stdin.close()
        until(lambda: self.process.poll() is not None, lambda: f"the end of {self.said()}")
        check(self.process.returncode in codes, f"{self.name} ended with {self.process.returncode}; {self.said()}")
        return self.logged()

    def interrupt(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.finish((0, 130))


class Programs:
    """Those of a test, in a folder and a domain of their own; the end of the `with` ends them."""

    def __init__(self, gxr, lease="60s"):
        self.lease = lease
        self.gxr = Path(gxr).resolve()
        self.domain, self.keeper = own_domain()
        self.started = []
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)

    def start(self, name, command):
        program = Program(self.folder, name, command)
        self.started.append(program)
        return program

    def run(self, name, text, *more, prefix=()):
        """Starts gxr with an application, beside which a participant `network/dds` stays on loopback."""
        network = f"""
---
name: network
components:
- {{name: dds, type: gxr::dds::Participant, parameters: {{domain: {self.domain}, interfaces: [lo], lease: {self.lease}}}}}
"""
        return self.run_alone(name, text + network, *more, prefix=prefix)

    def run_alone(self, name, text, *more, prefix=()):
        path = self.folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return self.start(name, [*prefix, self.gxr, "run", "--no-control", *more, path.name])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.started:
            if program.process.poll() is None:
                program.kill()
            program.process.stdin.close()
        self.keeper.close()
        self.temporary.cleanup()


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)
