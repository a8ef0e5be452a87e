#!/usr/bin/env python3
"""Frames of rings that a loop on the GPU polls for. One test per name; see CMakeLists.txt."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from applications import MEMORY, NO_GPU, SKIPPED, check, connections, executor, expect, main, receiver, scheduler, transmitter

ROOT = pathlib.Path(__file__).resolve().parents[3]
PATIENCE = 60  # seconds


def ring(kind="DeviceRing", **parameters):
    return {"name": "ring", "components": [{"name": "ring", "type": f"gxr::cuda::{kind}", "parameters": parameters}]}


def receive(size, handler=True, terms=(), **parameters):
    handlers = [{"type": "gxr::cuda::DataReadyHandler", "parameters": {"source": "add/add"}}] if handler else []
    return {"name": "receive", "components": [*transmitter(), *handlers, *terms, {
        "name": "receive", "type": "gxr::cuda::RingReceiver",
        "parameters": {"out": "out", "pool": "memory/pool", "ring": "ring/ring", "tensor": f"int32 [{size}]", **parameters}}]}


def fill(frames, size, spoils=False):
    return {"name": "fill", "components": [
        {"type": "gxr::CountSchedulingTerm", "parameters": {"count": 1}},
        {"name": "fill", "type": "gpu::FillRing",
         "parameters": {"ring": "ring/ring", "frames": frames, "elements": size, "spoils": spoils}}]}


def add():
    return {"name": "add", "components": receiver() + transmitter() + [
        {"name": "add", "type": "gxr::arithmetic::Add", "parameters": {"in": "in", "out": "out", "pool": "memory/pool", "value": 5}}]}


def sink():
    return {"name": "sink", "components": receiver() + [
        {"name": "check", "type": "gxr::arithmetic::Check", "parameters": {"in": "in", "offset": 5}}]}


def loop(first, *others, milliseconds=4000, **options):
    """The loop never ends by itself, because frames may come."""
    return [*others, first, add(), sink(), connections(("receive", "add"), ("add", "sink")),
            executor(entities=["receive", "add"], **options), MEMORY, scheduler(max_duration_ms=milliseconds)]


def device_ring(runner):
    """Every frame of a kernel comes, in order; in a ring that is larger than all of them, and in the smallest."""
    for slots, frames in [(4096, 3000), (2, 3000), (64, 100_000)]:
        output = runner.run(loop(receive(16), ring(slots=slots, frame_bytes=72), fill(frames, 16), milliseconds=8000))
        expect(output, f"sink/check: {frames} tensors right", f"receive: received {frames} frames, published {frames}\n")
        check("discarded" not in output and "never read" not in output, output)


def spoilt_frames(runner):
    """Of each ten, 3 is lost, 5 comes twice, 7 behind 8, and 9 is too short."""
    output = runner.run(loop(receive(16), ring(slots=64, frame_bytes=72), fill(1000, 16, spoils=True)))
    # 100 are missing, and the 100 that are too short have no number. Behind the last number nothing tells what is lost.
    expect(output, "sink/check: 700 tensors right",
           "received 1000 frames, published 700, 199 lost, 100 late, 100 repeated, 100 malformed")
    output = runner.run(loop(receive(16, number="none"), ring(slots=64, frame_bytes=72), fill(1000, 16)))
    expect(output, "sink/check: 1000 tensors right", "received 1000 frames, published 1000\n")


def sizes(runner):
    """Frames from one element to many, with headers that leave the elements at any address that is a multiple of 4."""
    for size in [1, 3, 4, 5, 255, 2048, 20_000]:
        output = runner.run(loop(receive(size), ring(slots=8, frame_bytes=8 + 4 * size), fill(500, size), milliseconds=2500))
        expect(output, "sink/check: 500 tensors right")


def shared_ring(runner):
    """Another process fills page-locked memory, and the term for the CPU is no hindrance."""
    name = f"gxr-gpu-test-{os.getpid()}"
    term = {"name": "frames", "type": "gxr::cuda::RingSchedulingTerm", "parameters": {"ring": "ring/ring"}}
    writer = subprocess.Popen([os.path.join(runner.extensions, "ring_writer"), name, "5000"])
    try:
        output = runner.run(loop(receive(4, terms=[term]), ring("SharedRing", slots=16, frame_bytes=24, name=name), milliseconds=15_000))
        check(writer.wait(PATIENCE) == 0, "the writer failed")
    finally:
        writer.kill()
        pathlib.Path("/dev/shm", name).unlink(missing_ok=True)
    expect(output, "sink/check: 5000 tensors right", "received 5000 frames, published 5000\n")


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def udp(runner):
    """apps/packets with its loop on the GPU: frames come and go without a codelet of the CPU."""
    ports = free_port(), free_port()
    log_path = pathlib.Path(runner.folder, "log")
    with open(log_path, "w") as log:
        application = subprocess.Popen(
            [os.path.abspath(runner.gxr), "run", ROOT / "apps/packets/packets.yaml", "-p", f"incoming/udp/port={ports[0]}", "-p",
             f"outgoing/udp/port={ports[1]}"], stdout=log, stderr=log, cwd=runner.folder)
    try:
        until = time.monotonic() + PATIENCE
        while "receives at" not in log_path.read_text() and application.poll() is None:
            check(time.monotonic() < until, log_path.read_text())
            time.sleep(0.05)
        time.sleep(1)
        if application.poll() is not None and (found := NO_GPU.search(log_path.read_text())):
            print(f"skipped: {found[0]}")
            sys.exit(SKIPPED)
        exchange = subprocess.run(
            [ROOT / "apps/packets/exchange.py", "--to", str(ports[0]), "--answers", str(ports[1]), "--frames", "20000", "--lose", "10",
             "20-29", "--repeat", "40", "--delay", "50", "--spoil", "60"], text=True, capture_output=True, timeout=PATIENCE)
        application.send_signal(signal.SIGINT)
        status = application.wait(PATIENCE)
    finally:
        application.kill()
    output = log_path.read_text()
    expect(exchange.stdout, "19990 datagrams, 19987 answers, all right")
    check(status == 130, output)
    expect(output, "receive/operator: received 19989 frames, published 19987, 12 lost, 1 late, 1 repeated", "send/operator: wrote 19987 frames",
           "outgoing/udp: sent 19987 datagrams", "'incoming/udp' discarded 1 of 19990 messages: they are not 72 bytes long")


def without_handler(runner):
    """It says what is missing."""
    output = runner.run(loop(receive(16, handler=False), ring(slots=16, frame_bytes=72), fill(10, 16)), status=1)
    expect(output, "put a gxr::cuda::DataReadyHandler beside it")


def other_gpu(runner):
    """A ring in the memory of one GPU is none for another: only where there are two."""
    tool = shutil.which("nvidia-smi")
    devices = subprocess.run([tool, "-L"], text=True, capture_output=True, check=False).stdout if tool else ""
    if len(devices.splitlines()) < 2:
        print("skipped: no second GPU")
        sys.exit(SKIPPED)
    output = runner.run(loop(receive(16), ring(slots=16, frame_bytes=72), fill(10, 16), device=1), status=1)
    expect(output, "lies on GPU")


if __name__ == "__main__":
    main([device_ring, spoilt_frames, sizes, shared_ring, udp, without_handler, other_gpu])
