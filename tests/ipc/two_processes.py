"""Applications for two processes that a gxr::cuda::IpcTransmitter and IpcReceiver join."""
import argparse
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

SYSTEM, DEVICE = 2, 1  # where tensors lie, as TensorGenerator numbers it
PATIENCE = 120  # seconds, for slow machines
TIMEOUTS = {"connect_timeout_ms": 30000, "drain_timeout_ms": 30000}  # likewise
SKIPPED = 77
NO_GPU = re.compile(r"no GPU can be used: [^\"\n]*")


def check(condition, message):
    if not condition:
        print(message, file=sys.stderr)
        sys.exit(1)


def expect(text, *patterns):
    for pattern in patterns:
        check(re.search(pattern, text), f"'{pattern}' is not in:\n{text}")


def scheduler(kind="Greedy"):
    return {"name": "scheduler", "components": [
        {"name": "clock", "type": "gxr::RealtimeClock"},
        {"name": "run", "type": f"gxr::{kind}Scheduler", "parameters": {"clock": "clock"}}]}


def generator(queue, storage=SYSTEM, shape=(100,), tensors=1, count=None, guarded=True):
    """Its tensors are the same in both processes."""
    parts = [queue, {"name": "generator", "type": "nvidia::gxf::test::TensorGenerator", "parameters": {
        "output": "out", "allocator": "memory/any", "shape": list(shape), "storage_type": storage, "number_of_tensors": tensors}}]
    if guarded:
        parts.append({"type": "gxr::DownstreamReceptiveSchedulingTerm", "parameters": {"transmitter": "out"}})
    if count is not None:
        parts.append({"type": "gxr::CountSchedulingTerm", "parameters": {"count": count}})
    return {"name": "generator", "components": parts}


MEMORY = {"name": "memory", "components": [{"name": "any", "type": "gxr::UnboundedAllocator"}]}


def camera(address, kind="Greedy", parameters=None, **options):
    """Sends what it generates."""
    queue = {"name": "out", "type": "gxr::cuda::IpcTransmitter", "parameters": {"address": address, **TIMEOUTS, **(parameters or {})}}
    return [generator(queue, **options), MEMORY, scheduler(kind)]


def viewer(address, kind="Greedy", parameters=None, period=None, limit=None, min_size=1, **options):
    """Generates the same, and fails when a byte of what it receives differs."""
    sink = [
        {"name": "expected", "type": "gxr::DoubleBufferReceiver"},
        {"type": "gxr::MessageAvailableSchedulingTerm", "parameters": {"receiver": "expected"}},
        {"name": "actual", "type": "gxr::cuda::IpcReceiver",
         "parameters": {"address": address, "connect_timeout_ms": TIMEOUTS["connect_timeout_ms"], **(parameters or {})}},
        {"type": "gxr::MessageAvailableSchedulingTerm", "parameters": {"receiver": "actual", "min_size": min_size}},
        {"name": "compare", "type": "nvidia::gxf::test::TensorComparator",
         "parameters": {"expected": "expected", "actual": "actual", "compare_timestamp": "None"}}]
    if period:
        sink.append({"type": "gxr::PeriodicSchedulingTerm", "parameters": {"recess_period": period}})
    if limit:
        sink.append({"type": "gxr::CountSchedulingTerm", "parameters": {"count": limit}})
    return [generator({"name": "out", "type": "gxr::DoubleBufferTransmitter"}, **options), MEMORY,
            {"name": "sink", "components": sink},
            {"components": [{"type": "gxr::Connection", "parameters": {"source": "generator/out", "target": "sink/expected"}}]},
            scheduler(kind)]


class Application:
    """A gxr that runs."""

    def __init__(self, world, name, entities, environment):
        self.name, self.skip = name, world.skip
        self.log_path = os.path.join(world.folder, f"{name}-{world.number()}.log")
        path = self.log_path.replace(".log", ".yaml")
        if isinstance(entities, str):
            path = entities  # a file
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n---\n".join(json.dumps(entity) for entity in entities))
        with open(self.log_path, "w", encoding="utf-8") as log:
            # A generator of expected messages is ahead of what came from the other process, which leaves a message.
            command = [world.gxr, "run", *world.options, path, "--format", "json", "--log-level", "debug", "--deadlock-ok"]
            # As a shell does for commands in the foreground; this test may run in the background.
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, cwd=world.folder, text=True,
                                            env={**os.environ, **environment},
                                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def wait_for(self, pattern):
        """Until this stands in the log."""
        until(lambda: re.search(pattern, self.log()) or self.process.poll() is not None, f"{self.name} says nothing")
        check(re.search(pattern, self.log()), f"{self.name} does not say '{pattern}':\n{self.log()}")

    def wait_for_transmitter(self):
        self.wait_for("found the transmitter")

    def end(self, status=0):
        """Its report, when it has ended in this way."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        code = self.process.returncode
        if self.skip and (found := NO_GPU.search(self.log() + output)):
            print(f"skipped: {found[0]}")
            sys.exit(SKIPPED)
        check(code == status, f"{self.name} ended with {code}, not {status}:\n{self.log()}{output}")
        return json.loads(output) if output.strip().startswith("{") else None

    def signal(self, number):
        self.process.send_signal(number)


def ticks(report, entity):
    return next(each["ticks"] for each in report["entities"] if each["entity"] == entity)


def until(condition, message):
    end = time.monotonic() + PATIENCE
    while not condition():
        check(time.monotonic() < end, message)
        time.sleep(0.01)


class World:
    """A folder, and the applications in it."""

    def __init__(self, gxr, folder, options=(), skip=False):
        self.gxr, self.folder, self.options, self.skip = gxr, folder, options, skip
        self.count, self.started = 0, []
        self.address = os.path.join(folder, "here.sock")

    def number(self):
        self.count += 1
        return self.count

    def start(self, name, entities, **environment):
        self.started.append(Application(self, name, entities, environment))
        return self.started[-1]

    def kill_all(self):
        for application in self.started:
            if application.process.poll() is None:
                application.process.kill()
                application.process.wait()

    def wait_for_socket(self):
        until(lambda: os.path.exists(self.address), "nobody made the socket")


# The protocol, as runner/ipc/ipc_protocol.hpp describes it.
HELLO = struct.Struct("<8sIII16sI")
HEADER = struct.Struct("<IIQ")
ELEMENT_SIZES = bytes([0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 16, 2, 0, 0])
TRANSMITTER, RECEIVER, BUSY = 1, 2, 3
MESSAGE, MEMORY_FRAME, END, RETURNED, BYE = 1, 2, 3, 4, 5


def hello(role, slots=0, version=1, sizes=ELEMENT_SIZES):
    return HELLO.pack(b"gxr-ipc\n", version, role, slots, sizes, HEADER.size)


def frame(kind, slot=0, body=b""):
    return HEADER.pack(kind, slot, len(body)) + body


def receive(peer, size):
    data = b""
    while len(data) < size:
        more = peer.recv(size - len(data))
        check(more, "the other side has gone")
        data += more
    return data


def receive_frame(peer):
    kind, slot, size = HEADER.unpack(receive(peer, HEADER.size))
    return kind, slot, receive(peer, size)


def connect(address):
    """The file of a socket is there for a moment before somebody listens."""
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(PATIENCE)

    def is_connected():
        try:
            peer.connect(address)
        except ConnectionRefusedError:
            return False
        return True

    until(is_connected, "nobody listens")
    return peer


def listen(address):
    server = socket.socket(socket.AF_UNIX)
    server.settimeout(PATIENCE)
    server.bind(address)
    server.listen()
    return server


def accept(server):
    peer, _ = server.accept()
    peer.settimeout(PATIENCE)
    return peer


def main(tests, skip=False):
    """`skip`: without a GPU, the test is skipped."""
    parser = argparse.ArgumentParser()
    parser.add_argument("test", choices=[each.__name__ for each in tests])
    parser.add_argument("--gxr", required=True)
    parser.add_argument("--extensions", nargs="*", default=[], help="libraries to use beside the installed ones")
    arguments = parser.parse_args()
    options = [word for path in arguments.extensions for word in ("-x", os.path.abspath(path))]
    with tempfile.TemporaryDirectory(prefix="gxr-ipc-") as folder:
        world = World(os.path.abspath(arguments.gxr), folder, options, skip)
        try:
            next(each for each in tests if each.__name__ == arguments.test)(world)
        finally:
            world.kill_all()
