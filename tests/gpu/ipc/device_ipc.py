#!/usr/bin/env python3
"""Tensors in device memory from one process to another. One test per name; see CMakeLists.txt."""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "ipc"))
from two_processes import DEVICE, MEMORY, camera, check, expect, main, scheduler, ticks, until, viewer

COUNT = 1000


def quiet_end(application):
    """Nothing is lost, and no device memory is left: the log would say so."""
    report = application.end()
    check("warning" not in application.log(), application.log())
    return report


def run_both(world, sender, reader, producer="generator", consumer="sink", count=COUNT):
    first = world.start("camera", sender)
    second = world.start("viewer", reader)
    check(ticks(quiet_end(first), producer) == count, "the camera sends all")
    check(ticks(quiet_end(second), consumer) == count, "the viewer gets all")


def tensors(world):
    """Every byte of every tensor, on every scheduler."""
    for kind in ["Greedy", "EventBased", "MultiThread"]:
        options = {"storage": DEVICE, "count": COUNT, "tensors": 3, "shape": (33, 65)}
        run_both(world, camera(world.address, kind, **options), viewer(world.address, kind, **options))
    for number in [1, 128]:
        run_both(world, camera(world.address, storage=DEVICE, count=COUNT, parameters={"slots": number, "slot_bytes": 4096}),
                 viewer(world.address, storage=DEVICE, count=COUNT))


def counting(address, **parameters):
    """Its kernels fill tensors with 1, 2, …; each takes a while, so that what is read too early is wrong."""
    return [{"name": "source", "components": [
        {"name": "out", "type": "gxr::cuda::IpcTransmitter", "parameters": {"address": address}},
        {"type": "gxr::DownstreamReceptiveSchedulingTerm", "parameters": {"transmitter": "out"}},
        {"type": "gxr::CountSchedulingTerm", "parameters": {"count": COUNT}},
        {"name": "count", "type": "gpu::Count", "parameters": {"out": "out", "pool": "memory/any", "size": 5000, "work_us": 200}}]},
        MEMORY, scheduler(**parameters)]


def receiver(address):
    return [{"name": "in", "type": "gxr::cuda::IpcReceiver", "parameters": {"address": address}},
            {"type": "gxr::MessageAvailableSchedulingTerm", "parameters": {"receiver": "in"}}]


def local_receiver():
    return [{"name": "in", "type": "gxr::DoubleBufferReceiver"},
            {"type": "gxr::MessageAvailableSchedulingTerm", "parameters": {"receiver": "in"}}]


def transmitter():
    return [{"name": "out", "type": "gxr::DoubleBufferTransmitter"},
            {"type": "gxr::DownstreamReceptiveSchedulingTerm", "parameters": {"transmitter": "out"}}]


def checking(first):
    return {"name": "check", "type": "gpu::Check", "parameters": {"in": "in", "first": first}}


def connection(source, target):
    return {"type": "gxr::Connection", "parameters": {"source": f"{source}/out", "target": f"{target}/in"}}


def adding(value, **parameters):
    return {"name": "add", "type": "gpu::Add",
            "parameters": {"in": "in", "out": "out", "pool": "memory/any", "value": value, **parameters}}


def kernels(world):
    """Work of streams on both sides: what a slot is given is done before it is read, and read before it is given more."""
    run_both(world, counting(world.address), [{"name": "sink", "components": receiver(world.address) + [checking(1)]}, MEMORY,
                                              scheduler()], producer="source")
    late = [{"name": "late", "components": receiver(world.address) + transmitter() + [adding(10, work_us=200)]},
            {"name": "sink", "components": local_receiver() + [checking(11)]},
            {"components": [connection("late", "sink")]}, MEMORY, scheduler("EventBased")]
    run_both(world, counting(world.address), late, producer="source")


def graphs(world):
    """A CUDA graph behind a receiver, with an entity that passes messages on between them."""
    for mode in ["graph", "resident"]:
        reader = [{"name": "pass", "components": receiver(world.address) + transmitter() + [
            {"type": "gxr::Forward", "parameters": {"in": "in", "out": "out"}}]},
            {"name": "work", "components": local_receiver() + transmitter() + [adding(10)]},
            {"name": "sink", "components": local_receiver() + [checking(11)]},
            {"components": [connection("pass", "work"), connection("work", "sink"), {
                "type": "gxr::cuda::GraphExecutor", "parameters": {"mode": mode, "entities": ["work"]}}]}, MEMORY, scheduler()]
        run_both(world, counting(world.address), reader, producer="source")


def small_slots(world):
    sender = world.start("camera", camera(world.address, storage=DEVICE, shape=(1000,), parameters={"slot_bytes": 300}))
    expect(str(sender.end(1)), "the device tensors of a message need 4096 bytes, but each slot has 512: set 'slot_bytes'")


def killed(world):
    """Each side when the other one goes with device memory in its hands."""
    sender, reader = joined(world, viewer(world.address, storage=DEVICE, period="3600s"))
    reader.signal(signal.SIGKILL)
    reader.end(-signal.SIGKILL)
    expect(str(sender.end(1)), "went away while|nobody received")  # if it was early
    sender, reader = joined(world, viewer(world.address, storage=DEVICE))
    sender.signal(signal.SIGINT)
    sent = ticks(sender.end(130), "generator")
    check(ticks(quiet_end(reader), "sink") == sent, f"not all {sent} arrived")
    sender, reader = joined(world, viewer(world.address, storage=DEVICE))
    sender.signal(signal.SIGKILL)
    sender.end(-signal.SIGKILL)
    reader.end()
    expect(reader.log(), "the transmitter at .* ended without saying so")


def joined(world, entities):
    """A camera without end, and this viewer, which have found each other."""
    sender = world.start("camera", camera(world.address, storage=DEVICE))
    reader = world.start("viewer", entities)
    until(lambda: "found the transmitter" in reader.log() or None not in (sender.process.poll(), reader.process.poll()),
          "they do not find each other")
    if sender.process.poll() is not None:
        sender.end()  # there is no GPU
    return sender, reader


def hidden_gpu(world):
    """A receiver that does not see the GPU says so."""
    sender = world.start("camera", camera(world.address, storage=DEVICE, parameters={"connect_timeout_ms": 60000}))
    world.skip = False
    reader = world.start("viewer", viewer(world.address), CUDA_VISIBLE_DEVICES="")
    sender.end(1)  # without a GPU: skips
    expect(str(reader.end(1)), "no GPU can be used")


if __name__ == "__main__":
    main([tensors, kernels, graphs, small_slots, killed, hidden_gpu], skip=True)
