#!/usr/bin/env python3
"""Messages from one process to another, without a GPU. One test per name; see CMakeLists.txt."""
import os
import re
import signal
import stat
import struct

from two_processes import (BUSY, BYE, END, HEADER, HELLO, MEMORY_FRAME, MESSAGE, RECEIVER, RETURNED,
                           TRANSMITTER, accept, camera, check, connect, expect, frame, hello, listen, main, receive,
                           receive_frame, ticks, viewer)

HERE = "IPC address '.*here.sock'"


def run_both(world, first, count, sender, reader):
    """Everything that is sent arrives, in order and byte for byte."""
    applications = {"camera": sender, "viewer": reader}
    started = {first: world.start(first, applications.pop(first))}
    if first == "camera":
        world.wait_for_socket()
        check(stat.S_IMODE(os.stat(world.address).st_mode) == 0o600, "others may open the socket")
    ((second, entities),) = applications.items()
    started[second] = world.start(second, entities)
    reports = {name: application.end() for name, application in started.items()}
    check(ticks(reports["camera"], "generator") == count, f"the camera: {reports['camera']}")
    check(ticks(reports["viewer"], "sink") == count, f"the viewer: {reports['viewer']}")
    check(reports["viewer"]["reason"] == "completed", f"the viewer: {reports['viewer']}")
    check(not os.path.exists(world.address), "the socket is left")


def orders(world):
    """Either process may start first."""
    for first in ["camera", "viewer"]:
        for count in [1, 300]:
            run_both(world, first, count, camera(world.address, count=count), viewer(world.address, count=count))


def schedulers(world):
    for kind in ["Greedy", "EventBased", "MultiThread"]:
        run_both(world, "viewer", 300, camera(world.address, kind, count=300), viewer(world.address, kind, count=300))


def large(world):
    """More than a socket takes at once, several tensors in a message."""
    shape = {"shape": (512, 1024), "tensors": 3, "count": 20}
    run_both(world, "camera", 20, camera(world.address, **shape), viewer(world.address, **shape))


def slots(world):
    """Few and many, and a consumer that is slower than its producer."""
    for number in [1, 2, 128]:
        run_both(world, "camera", 60, camera(world.address, count=60, parameters={"slots": number}),
                 viewer(world.address, count=60, period="1ms"))


def back_pressure(world):
    """Nobody takes anything: the producer stops when no slot is free, and fails in the end."""
    sender = world.start("camera", camera(world.address, parameters={"slots": 3, "connect_timeout_ms": 2000}))
    report = sender.end(1)
    expect(text_of(report), f"nobody received at {HERE} within 2000 ms")
    check(ticks(report, "generator") == 3, f"{report}")


def overflow(world):
    """Without a term that waits, a message without room is an error, and not lost."""
    sender = world.start("camera", camera(world.address, guarded=False, parameters={"slots": 2, "drain_timeout_ms": 100}))
    report = sender.end(1)
    expect(text_of(report), "has not given back any of 2 slots; a DownstreamReceptiveSchedulingTerm",
           f"2 messages published at {HERE} were not taken, .* after 100 ms")


def text_of(report):
    return "\n".join(each["text"] for each in report["failures"])


def fake_receiver(world, messages):
    """A receiver that has so many messages and has said nothing of them."""
    world.wait_for_socket()
    peer = connect(world.address)
    peer.sendall(hello(RECEIVER))
    check(HELLO.unpack(receive(peer, HELLO.size))[2] == TRANSMITTER, "the transmitter's hello")
    for slot in range(messages):
        kind, got, _ = receive_frame(peer)
        check((kind, got) == (MESSAGE, slot), f"frame of kind {kind}, slot {got}")
    return peer


def fake_transmitter(world, greeting):
    server = listen(world.address)
    reader = world.start("viewer", viewer(world.address))
    peer = accept(server)
    peer.sendall(greeting)
    return server, peer, reader


def killed_receiver(world):
    """The transmitter fails, and says which address."""
    sender = world.start("camera", camera(world.address))
    fake_receiver(world, 4).close()
    expect(text_of(sender.end(1)), f"the receiver at {HERE} went away while 4 messages were not taken, or in use there")
    # In earnest: a viewer that takes one message and then waits, so that some are always under way.
    sender = world.start("camera", camera(world.address))
    reader = world.start("viewer", viewer(world.address, period="3600s"))
    reader.wait_for_transmitter()
    reader.signal(signal.SIGKILL)
    reader.end(-signal.SIGKILL)
    expect(text_of(sender.end(1)), f"the receiver at {HERE} went away while|nobody received at {HERE}")  # if it was early


def killed_transmitter(world):
    """What has arrived is received, and then the flow ends."""
    _server, peer, reader = fake_transmitter(world, hello(TRANSMITTER, 4))
    receive(peer, HELLO.size)
    peer.sendall(HEADER.pack(MESSAGE, 0, 1000) + b"half")
    peer.close()
    report = reader.end()
    expect(reader.log(), f"the transmitter at {HERE} ended without saying so, in the middle of a message")
    check(ticks(report, "sink") == 0, f"{report}")
    os.unlink(world.address)
    # In earnest.
    sender = world.start("camera", camera(world.address))
    reader = world.start("viewer", viewer(world.address))
    reader.wait_for_transmitter()
    sender.signal(signal.SIGKILL)
    sender.end(-signal.SIGKILL)
    reader.end()
    expect(reader.log(), f"the transmitter at {HERE} ended without saying so")
    # What it left is replaced.
    check(os.path.exists(world.address), "no socket is left")
    run_both(world, "viewer", 20, camera(world.address, count=20), viewer(world.address, count=20))


def interrupted(world):
    """Ctrl-C: a transmitter waits until all is taken; a receiver that goes early is missed."""
    sender = world.start("camera", camera(world.address))
    reader = world.start("viewer", viewer(world.address))
    reader.wait_for_transmitter()
    sender.signal(signal.SIGINT)
    sent = ticks(sender.end(130), "generator")
    report = reader.end()
    check(ticks(report, "sink") == sent, f"{sent} sent, {report}")
    check("warn" not in reader.log(), reader.log())
    sender = world.start("camera", camera(world.address))
    reader = world.start("viewer", viewer(world.address, period="3600s"))
    reader.wait_for_transmitter()
    reader.signal(signal.SIGINT)
    reader.end(130)
    expect(text_of(sender.end(1)), f"the receiver at {HERE} ended before it took [1-9]|nobody received at {HERE}")  # if it was early


def enough(world):
    """A receiver that has had enough is an error for who still sends."""
    sender = world.start("camera", camera(world.address))
    reader = world.start("viewer", viewer(world.address, parameters={"connect_timeout_ms": 0}, limit=5))
    check(ticks(reader.end(), "sink") == 5, "the viewer takes 5 messages")
    # Or, when it had just taken all that was sent, who still sends waits for the next receiver.
    expect(text_of(sender.end(1)), f"the receiver at {HERE} ended before it took [1-9]|nobody received at {HERE}")


def one_after_the_other(world):
    """A receiver that took all it got may go; the next one gets what follows."""
    sender = world.start("camera", camera(world.address, count=20, parameters={"slots": 3}))
    peer = fake_receiver(world, 3)
    peer.sendall(b"".join(frame(RETURNED, slot) for slot in range(3)) + frame(BYE, 0, struct.pack("<Q", 3)))
    peer.close()
    peer = fake_receiver(world, 3)
    busy = connect(world.address)
    check(HELLO.unpack(receive(busy, HELLO.size))[2] == BUSY, "a second receiver is welcome")
    for slot in range(3):
        peer.sendall(frame(RETURNED, slot))
    for number in range(14):
        kind, slot, _ = receive_frame(peer)
        check(kind == MESSAGE, f"message {number} is of kind {kind}")
        peer.sendall(frame(RETURNED, slot))
    check(receive_frame(peer)[0] == END, "nothing follows")
    check(ticks(sender.end(), "generator") == 20, "20 messages")


def nobody_there(world):
    for address in [world.address, os.path.join(world.folder, "no", "folder.sock")]:
        reader = world.start("viewer", viewer(address, parameters={"connect_timeout_ms": 300}))
        expect(text_of(reader.end(1)), "nobody sends at IPC address '.*sock': no gxr::cuda::IpcTransmitter was there within 300 ms")


def taken_address(world):
    """A second transmitter, a second receiver, another file, and names that are no paths."""
    sender = world.start("camera", camera(world.address))
    world.wait_for_socket()
    expect(text_of(world.start("second", camera(world.address)).end(1)), f"{HERE}: another application that runs listens there")
    peer = fake_receiver(world, 4)
    expect(text_of(world.start("viewer", viewer(world.address)).end(1)), f"another process receives at {HERE} already")
    peer.close()
    sender.end(1)
    with open(world.address, "w", encoding="utf-8") as file:
        file.write("stays")
    expect(text_of(world.start("camera", camera(world.address)).end(1)), f"{HERE}: a file of that name exists, and is no socket")
    for address in ["", "x" * 108]:
        for application in [camera(address), viewer(address)]:
            expect(text_of(world.start("long", application).end(1)), f"the path has {len(address)} bytes, and may have 1 to 107")


def strangers(world):
    """Who speaks another language, or version, is refused, and keeps nobody from anything."""
    wrong = {"another language": b"GET / HTTP/1.1\r\nHost: here\r\nAccept: everything\r\n\r\n",
             "speaks version 7, this gxr 1": hello(RECEIVER, version=7),
             "elements of tensors or frames have other sizes": hello(RECEIVER, sizes=bytes(16)),
             "make no sense": hello(9), "it is a transmitter, too": hello(TRANSMITTER, 4)}
    sender = world.start("camera", camera(world.address, count=20))
    world.wait_for_socket()
    for text, words in wrong.items():
        peer = connect(world.address)
        peer.sendall(words)
        sender.wait_for(re.escape(text))
        peer.close()
    silent = connect(world.address)
    reader = world.start("viewer", viewer(world.address, count=20))
    check(ticks(reader.end(), "sink") == 20, "the viewer that came last takes all")
    silent.close()
    sender.end()
    wrong = {**wrong, "make no sense": hello(TRANSMITTER, 129), "it is a receiver, too": hello(RECEIVER, 4),
             "it says that it has 0 slots": hello(TRANSMITTER, 0)}
    del wrong["it is a transmitter, too"]
    for text, words in wrong.items():
        _server, _peer, reader = fake_transmitter(world, words)
        expect(text_of(reader.end(1)), f"who listens at {HERE} is no gxr::cuda::IpcTransmitter of this gxr: .*{re.escape(text)}")
        os.unlink(world.address)


def silent_transmitter(world):
    _server = listen(world.address)
    reader = world.start("viewer", viewer(world.address, parameters={"connect_timeout_ms": 300}))
    expect(text_of(reader.end(1)), f"nobody sends at {HERE}: who listens there said nothing within 300 ms")


def nonsense(world):
    """Frames that cannot be are errors, whatever their sizes say."""
    envelope = bytes(16)
    cannot_come = "cannot come now"
    frames = {
        HEADER.pack(99, 0, 0): "no frame of kind 99", HEADER.pack(MESSAGE, 4, 100): cannot_come,
        HEADER.pack(MESSAGE, 0, 15): cannot_come, HEADER.pack(MESSAGE, 0, 1 << 63): "a frame cannot have",
        HEADER.pack(MEMORY_FRAME, 0, 5): cannot_come, HEADER.pack(END, 0, 1): cannot_come, frame(RETURNED): cannot_come,
        frame(MESSAGE, 1, envelope + b"x" * 40) + frame(MESSAGE, 1, envelope + b"x"):
            f"{cannot_come}|cannot be taken in",  # whichever is noticed first
        frame(MESSAGE, 0, envelope + b"\xff" * 200): "a message from .* cannot be taken in",
        frame(MESSAGE, 0, envelope): "a message from .* cannot be taken in",
        frame(MEMORY_FRAME, 0, bytes(88)): "cannot have 0 bytes",
        frame(MEMORY_FRAME, 0, bytes(80) + b"\xff" * 8): "cannot have 18446744073709551615 bytes"}
    for words, text in frames.items():
        _server, _peer, reader = fake_transmitter(world, hello(TRANSMITTER, 4) + words)
        said = text_of(reader.end(1))
        expect(said, text)
        expect(said, HERE)  # also when it came together with the hello
        os.unlink(world.address)
    for words, text in {frame(RETURNED, 0) * 2: "slot 0 cannot be given back", frame(RETURNED, 77): "slot 77 cannot be given back",
                        frame(MESSAGE): "a receiver does not say that", frame(BYE): "a receiver does not say that",
                        frame(BYE, 0, struct.pack("<Q", 99)): "more messages were taken than sent",
                        HEADER.pack(RETURNED, 0, 1 << 60): "a frame cannot have"}.items():
        sender = world.start("camera", camera(world.address))
        peer = fake_receiver(world, 4)
        peer.sendall(words)
        expect(text_of(sender.end(1)), f"what the receiver at {HERE} sent makes no sense: .*{text}")
        peer.close()


def device_tensor(world):
    """A tensor in device memory, for a process that has no GPU."""
    words = (struct.pack("<qQ", 1, 2) + struct.pack("<QIQIQQ", 0, 0, 0, 0, 1, 0) +  # envelope, entity with one part
             struct.pack("<Q", 0) + bytes.fromhex("7c44bf9ad6017537b83af3d4140117a6") + struct.pack("<Q", 6) + b"tensor" +
             struct.pack("<Q", 1) + struct.pack("<iiQI8i8Q", 1, 2, 1, 1, 100, *[1] * 7, 1, *[0] * 7) + struct.pack("<Q", 0))
    for memory, text in {b"": "100 bytes of device memory is not in its slot",
                         frame(MEMORY_FRAME, 0, bytes(80) + struct.pack("<Q", 99)): "100 bytes of device memory is not in its slot",
                         frame(MEMORY_FRAME, 0, bytes(80) + struct.pack("<Q", 256)): "no GPU can be used|GPU that this process"}.items():
        _server, _peer, reader = fake_transmitter(world, hello(TRANSMITTER, 4) + memory + frame(MESSAGE, 0, words))
        expect(text_of(reader.end(1)), f"a message from {HERE} cannot be taken in: .*({text})")
        os.unlink(world.address)


def never_enough(world):
    """A term that wants more messages than there are slots waits in vain, and says so."""
    sender = world.start("camera", camera(world.address, parameters={"slots": 2}))
    reader = world.start("viewer", viewer(world.address, min_size=3))
    report = reader.end()
    check(report["reason"] == "deadlock", f"{report}")
    expect(str(report["waiting"]), r"waits for 3 messages on 'sink/actual' \(has [0-2]\)")
    sender.end(1)


def pair(world):
    """The applications of apps/ipc."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "apps", "ipc")
    started = [world.start(name, os.path.join(folder, f"{name}.yaml")) for name in ["viewer", "camera"]]
    for application in started:
        application.end()
    pictures = os.listdir(os.path.join(world.folder, "out", "ipc"))
    check(len(pictures) == 60, f"{len(pictures)} pictures")


if __name__ == "__main__":
    main([orders, schedulers, large, slots, back_pressure, overflow, killed_receiver, killed_transmitter, interrupted, enough,
          one_after_the_other, nobody_there, taken_address, strangers, silent_transmitter, nonsense, device_tensor, never_enough, pair])
