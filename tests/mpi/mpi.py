#!/usr/bin/env python3
"""An application in the processes of an MPI job: what passes between them, and what becomes of it when one is lost. One test
per name; see CMakeLists.txt."""
import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 240  # seconds, for slow machines
SKIPPED = 77

sys.path.insert(0, str(SOURCE / "tests" / "ranks"))
import applications  # noqa: E402
from applications import check  # noqa: E402


def application(count, ranks, kind="Greedy", shape=(16,)):
    return applications.application(count, ranks - 2, kind, shape=shape)


def ranks_among(pids):
    """Processes by rank."""
    found = {}
    for pid in pids:
        try:
            environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        for variable in environment:
            if variable.startswith(b"OMPI_COMM_WORLD_RANK="):
                found[int(variable.split(b"=")[1])] = pid
    return found


def running(world, log, ranks):
    """The ranks that have begun to run the application, by their log files."""
    found = []
    for rank in range(ranks):
        name = log if rank == 0 else log.replace(".log", f".rank{rank}.log")
        with contextlib.suppress(OSError):
            if f"rank {rank}: gxr" in pathlib.Path(world.folder, name).read_text(encoding="utf-8"):
                found.append(rank)
    return found


def wait_for_run(world, job, log, ranks):
    end = time.monotonic() + PATIENCE
    while len(running(world, log, ranks)) < ranks:
        check(time.monotonic() < end and job.process.poll() is None, f"not all run: {running(world, log, ranks)}")
        time.sleep(0.02)


class Job:
    """A gxr mpirun with its ranks. `enter`: words before it."""

    def __init__(self, world, ranks, *arguments, enter=()):
        self.process = subprocess.Popen([*enter, world.gxr, "mpirun", "-n", str(ranks), *arguments], cwd=world.folder,
                                        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.number = ranks

    def _children(self, pid):
        try:
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
                own = [int(child) for child in file.read().split()]
        except OSError:
            return []
        return own + [each for child in own for each in self._children(child)]

    def ranks(self):
        """Their processes by rank, once all are there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            found = ranks_among(self._children(self.process.pid))
            if len(found) == self.number:
                return found
            time.sleep(0.01)
        check(False, f"there are no {self.number} ranks")

    def end(self, status=0):
        """Its output and its errors; `status`: nothing for any but 0."""
        output, errors = self.process.communicate(timeout=PATIENCE)
        code = self.process.returncode
        check(code != 0 if status is None else code == status, f"it ended with {code}, not {status}:\n{output}{errors}")
        return output, errors


class World:
    def __init__(self, options, folder):
        self.gxr, self.folder = options.gxr, folder
        self.times, self.within = getattr(options, "times", 1), getattr(options, "within", PATIENCE)

    def write(self, entities, name="app.yaml"):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write("\n---\n".join(json.dumps(entity) for entity in entities))
        return name

    def gxr_run(self, *arguments, status=0):
        done = subprocess.run([self.gxr, "run", *arguments], cwd=self.folder, text=True, capture_output=True,
                              timeout=PATIENCE)
        check(done.returncode == status, f"gxr run {arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


def ticks(report):
    return [(entity["entity"], entity["ticks"]) for entity in report["entities"]]


def same(world):
    """With each scheduler and 2 to 4 ranks, the report is that of a run on sockets."""
    for kind in ["Greedy", "MultiThread", "EventBased"]:
        for ranks in [2, 3, 4]:
            file = world.write(application(50, ranks, kind))
            output, _ = Job(world, ranks, file, "--format", "json").end()
            joined = json.loads(output)
            other = json.loads(world.gxr_run(file, "--ranks", str(ranks), "--format", "json"))
            check((joined["reason"], ticks(joined)) == (other["reason"], ticks(other)),
                  f"{kind}, {ranks} ranks: {joined['reason']} {ticks(joined)}, not {ticks(other)}")


def pictures(world):
    """The same pictures as in one process, byte for byte."""
    def files():
        return {path.name: path.read_bytes() for path in pathlib.Path(world.folder, "out/develop").iterdir()}

    place = os.path.join(world.folder, "place.yaml")
    with open(place, "w", encoding="utf-8") as file:
        file.write("0: [source, scene, sensor, demosaic, balance, tone]\n1: [resize, writer, histogram, chart]\n")
    develop = str(SOURCE / "apps/develop/develop.yaml")
    world.gxr_run(develop)
    alone = files()
    for path in alone:
        os.remove(os.path.join(world.folder, "out/develop", path))
    Job(world, 2, develop, "--place", place).end()
    check(files() == alone and alone, f"other pictures: {sorted(files())}, not {sorted(alone)}")


def large(world):
    """Tensors that go by rendezvous."""
    file = world.write(application(12, 3, shape=(1024, 1025)))
    output, _ = Job(world, 3, file, "--format", "json").end()
    check(json.loads(output)["reason"] == "completed", output)


def killed(world):
    """The others end, the lowest of them says which rank is gone, and nothing is left."""
    file = world.write(application(100_000_000, 3))
    longest = 0
    before = named = 0
    for time_no in range(world.times):
        for log in pathlib.Path(world.folder).glob("run*.log"):
            log.unlink()
        job = Job(world, 3, file, "--format", "json", "--log-file", "run.log")
        pids = job.ranks()
        victim = random.randrange(3)
        time.sleep(random.uniform(0, 3))  # from MPI's start to amid the run
        os.kill(pids[victim], signal.SIGKILL)
        begin = time.monotonic()
        began = running(world, "run.log", 3)
        output, errors = job.end(None)
        seconds = time.monotonic() - begin
        longest = max(longest, seconds)
        print(f"{time_no}: rank {victim} killed, {len(began)} ran, mpirun ended after {seconds:.2f} s", flush=True)
        if len(began) == 3:
            check(f"rank {victim} is lost" in output, f"rank {victim} was killed:\n{output}{errors}")
            check(json.loads(output[:output.rindex("}") + 1])["reason"] == "failed", output)
        else:  # while MPI starts, mpirun alone knows of it, and does not always say which one it was
            before += 1
            named += re.search(rf"rank {victim}\b", output + errors) is not None
            check("mpirun ended with exit code" in errors, f"rank {victim} was killed before the run:\n{output}{errors}")
        check(seconds < world.within, f"mpirun took {seconds} s to end")
        for rank, pid in pids.items():
            check(has_gone(pid), f"the process of rank {rank} is left")
    print(f"{world.times} times, {before} of them before the run, of which {named} name the rank; mpirun took {longest:.2f} s at most")


def has_gone(pid):
    """Soon; what its parent has not asked about has ended."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            if pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def interrupted(world):
    """Ctrl-C at mpirun, and a signal for 'gxr mpirun', end in order."""
    file = world.write(application(100_000_000, 2))
    for number in [signal.SIGINT, signal.SIGTERM]:
        job = Job(world, 2, file, "--format", "json")
        job.ranks()
        time.sleep(2)
        job.process.send_signal(number)
        output, errors = job.end(None)
        check('"reason": "interrupted"' in output, f"signal {number}:\n{output}{errors}")


def mistakes(world):
    """Are told once."""
    file = world.write(application(5, 2))
    with open(os.path.join(world.folder, "bad.yaml"), "w", encoding="utf-8") as place:
        place.write("0: [generator]\n7: [sink]\n")
    for arguments, status, text in [
            ([file, "--place", "bad.yaml"], 3, "there is no rank 7: with 2 ranks, the last is 1"),
            ([file, "--place", "none.yaml"], 2, "place file 'none.yaml' does not exist"),
            (["none.yaml", "--place", "bad.yaml"], 2, "'none.yaml' does not exist"),
            ([file, "--trace", "no/such/folder"], 2, "there is no folder 'no/such'")]:
        _, errors = Job(world, 2, *arguments).end(status)
        told = [line for line in errors.splitlines() if line.startswith("error") and text in line
                and "it was started as" not in line]
        check(len(told) == 1, f"{arguments}: {text} is told {len(told)} times:\n{errors}")
    done = subprocess.run([world.gxr, "run", file, "--place", "bad.yaml"], cwd=world.folder, text=True, capture_output=True)
    check(done.returncode == 2 and "--place requires --ranks" in done.stderr, done.stderr)


def alone(world):
    """Nothing says which rank runs what: each process runs the whole application; one rank needs no others."""
    entities = application(5, 2)
    for entity in entities:
        entity.pop("rank", None)
    file = world.write(entities)
    output, errors = Job(world, 2, file).end()
    check(output.count("completed after") == 2, output)
    check("each of the 2 processes of this job runs the whole application" in errors, errors)
    with open(os.path.join(world.folder, "all.yaml"), "w", encoding="utf-8") as place:
        place.write('0: ["*"]\n')
    output, _ = Job(world, 1, file, "--place", "all.yaml").end()
    check(output.count("completed after") == 1, output)


def launch_line(world):
    """As a shell takes it, with the options of `gxr run`."""
    output, _ = Job(world, 3, "--mpi=--host", "--mpi", "here", "my app.yaml", "--stats", "--dry-run", "-p", "a/b=1").end()
    root = " --allow-run-as-root" if os.geteuid() == 0 else ""
    check(re.fullmatch(r"mpirun -n 3 --oversubscribe --bind-to none --mca odls_base_sigkill_timeout 2 "
                       r"--mca oob_tcp_keepalive_time 1 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 2" + root +
                       r" --host here \S*gxr run 'my app\.yaml' --stats -p a/b=1\n", output), output)
    done = subprocess.run([world.gxr, "mpirun", "-n", "2", "a.yaml"], text=True, capture_output=True, env={"PATH": "/none"})
    check(done.returncode == 2 and "mpirun cannot be started" in done.stderr, done.stderr)


def strangers(world):
    """Who calls a rank without the secret is not heard, and does not disturb."""
    file = world.write(application(1000, 3))
    job = Job(world, 3, file, "--format", "json")
    called = 0
    while job.process.poll() is None:
        for pid in job._children(job.process.pid):
            for port in listening_ports(pid):
                try:
                    with socket.create_connection(("127.0.0.1", port), 1) as stranger:
                        stranger.sendall(b"GXR1" * 16)
                        called += 1
                except OSError:
                    pass
    output, _ = job.end()
    check(json.loads(output)["reason"] == "completed", output)
    print(f"strangers called {called} times")


def listening_ports(pid):
    """Of TCP sockets of a process on the loopback."""
    try:
        links = {os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")}
        lines = pathlib.Path(f"/proc/{pid}/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return []
    fields = [line.split() for line in lines]
    return [int(each[1].split(":")[1], 16) for each in fields
            if each[3] == "0A" and each[1].startswith("0100007F") and f"socket:[{each[9]}]" in links]


TESTS = [same, pictures, large, killed, interrupted, mistakes, alone, launch_line, strangers]


def skip_without_mpi():
    try:
        words = ["mpirun", "-n", "2", "--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else []), "true"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
        reason = done.stderr.strip().splitlines()[:3] if done.returncode != 0 else None
    except OSError as error:
        reason = error
    if reason is not None:
        print(f"skipped: mpirun does not start processes here: {reason}")
        sys.exit(SKIPPED)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=[test.__name__ for test in TESTS])
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--within", type=float, default=30, metavar="SECONDS", help="of 'killed': how long mpirun may go on")
    options = parser.parse_args()
    options.gxr = os.path.abspath(options.gxr)
    skip_without_mpi()
    with tempfile.TemporaryDirectory(prefix="gxr_mpi_") as folder:
        next(test for test in TESTS if test.__name__ == options.name)(World(options, folder))


if __name__ == "__main__":
    main()
