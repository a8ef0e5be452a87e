#!/usr/bin/env python3
"""gxr against Cyclone DDS's package for Python, another version of the library with types of ROS 2 declared by hand:
pictures in both directions and in files, gxr's own type by its IDL, what the client sees of gxr's ends, what gxr hears of a
type that only the client has, and programs that do not agree beside gxr. Exit code 77 without
the package."""

import argparse
import json
import signal
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

try:
    from cyclonedds.builtin import BuiltinDataReader, BuiltinTopicDcpsPublication
    from cyclonedds.core import Policy, Qos
    from cyclonedds.domain import Domain, DomainParticipant
    from cyclonedds.dynamic import get_types_for_typeid
    from cyclonedds.idl import IdlEnum, IdlStruct, IdlUnion
    from cyclonedds.idl.annotations import final, key
    from cyclonedds.idl.types import array, bounded_str, case, default, float64, int8, int32, int64, sequence, uint8, uint32, uint64
    from cyclonedds.pub import DataWriter
    from cyclonedds.sub import DataReader
    from cyclonedds.topic import Topic
    from cyclonedds.util import duration
except ImportError as error:
    print(f"skipped: {error}; pip install cyclonedds")
    sys.exit(77)

from programs import ON_LOOPBACK, environment, own_domain

LIMIT = 60  # seconds, for everything that must happen


@dataclass
@final
class Time(IdlStruct, typename="builtin_interfaces::msg::dds_::Time_"):
    sec: int32
    nanosec: uint32


@dataclass
@final
class Header(IdlStruct, typename="std_msgs::msg::dds_::Header_"):
    stamp: Time
    frame_id: str


@dataclass
@final
class Image(IdlStruct, typename="sensor_msgs::msg::dds_::Image_"):
    header: Header
    height: uint32
    width: uint32
    encoding: str
    is_bigendian: uint8
    step: uint32
    data: sequence[uint8]


@dataclass
@final
class OtherImage(IdlStruct, typename="sensor_msgs::msg::dds_::Image_"):
    header: Header
    level: uint8


class Mode(IdlEnum, typename="acme::msg::dds_::Mode_", default="Idle"):
    Idle = 0
    Busy = 5


class Value(IdlUnion, typename="acme::msg::dds_::Value_", discriminator=int32):
    whole: case[[1, 2], int32]
    text: default[str]


@dataclass
@final
class Arm(IdlStruct, typename="acme::msg::dds_::Arm_"):
    stamp: Time
    name: str
    key("name")
    mode: Mode
    value: Value
    joints: sequence[float64]
    pose: array[float64, 9]
    level: uint8  # of kinds that Cyclone DDS 0.10 does not know
    offset: int8
    mask: sequence[uint8]
    label: bounded_str[10]
    history: sequence[sequence[Time], 5]


DEFINITIONS = [
    ("acme/msg/Arm", "structure", [
        ("builtin_interfaces/msg/Time", "stamp", ""), ("string", "name", "key"), ("acme/msg/Mode", "mode", ""),
        ("acme/msg/Value", "value", ""), ("float64[]", "joints", ""), ("float64[9]", "pose", ""),
        ("uint8", "level", ""), ("int8", "offset", ""), ("uint8[]", "mask", ""),
        ("string<=10", "label", ""), ("builtin_interfaces/msg/Time[][<=5]", "history", "")]),
    ("builtin_interfaces/msg/Time", "structure", [("int32", "sec", ""), ("uint32", "nanosec", "")]),
    ("acme/msg/Mode", "enumeration", [("", "Idle", "0"), ("", "Busy", "5")]),
    ("acme/msg/Value", "union", [("int32", "", "chooses"), ("int32", "whole", "1, 2"), ("string", "text", "others")]),
]


@dataclass
@final
class Plane(IdlStruct, typename="gxr::v1::Plane"):
    color_space: str
    bytes_per_pixel: uint8
    stride: uint32
    offset: uint32
    width: uint32
    height: uint32


@dataclass
@final
class Tensor(IdlStruct, typename="gxr::v1::Tensor"):
    name: str
    element_type: int32
    bytes_per_element: uint64
    shape: sequence[int32]
    offset: uint64


@dataclass
@final
class Picture(IdlStruct, typename="gxr::v1::Picture"):
    name: str
    format: int64
    width: uint32
    height: uint32
    planes: sequence[Plane]
    offset: uint64
    size: uint64


@dataclass
@final
class Timestamp(IdlStruct, typename="gxr::v1::Timestamp"):
    name: str
    published: int64
    acquired: int64


@dataclass
@final
class Number(IdlStruct, typename="gxr::v1::Number"):
    name: str
    type: str
    value: array[uint8, 8]


@dataclass
@final
class Text(IdlStruct, typename="gxr::v1::Text"):
    name: str
    value: str


@dataclass
@final
class Message(IdlStruct, typename="gxr::v1::Message"):
    source_time: int64
    sequence: uint64
    tensors: sequence[Tensor]
    pictures: sequence[Picture]
    timestamps: sequence[Timestamp]
    numbers: sequence[Number]
    texts: sequence[Text]
    padding: sequence[uint8]
    data: sequence[uint8]


CAMERA = """
name: source
operator: gxr::image::Source
parameters: {{pattern: ColorBars, width: 16, height: 8, count: 3}}
---
name: to_ros
operator: gxr::dds::ToRos
inputs: {{in: source}}
parameters: {{type: sensor_msgs/msg/Image, frame_id: camera}}
---
name: publisher
operator: gxr::dds::Publisher
inputs: {{in: to_ros}}
parameters: {{topic: /camera/image, type: sensor_msgs/msg/Image, {common}, drain_timeout: 30s}}
---
name: own
operator: gxr::dds::Publisher
inputs: {{in: source}}
parameters: {{topic: /own, {common}, drain_timeout: 30s}}
---
name: waits                   # so that the topics stay
operator: gxr::dds::Subscriber
parameters: {{topic: /end, {common}, count: 1}}
---
name: end
operator: gxr::sample::PingRx
inputs: {{signal: waits}}
"""

VIEWER = """
name: subscriber
operator: gxr::dds::Subscriber
parameters: {{topic: /camera/image, type: sensor_msgs/msg/Image, {common}, count: 3}}
---
name: from_ros
operator: gxr::dds::FromRos
inputs: {{in: subscriber}}
---
name: writer
operator: gxr::image::Writer
inputs: {{in: from_ros}}
parameters: {{path: picture-%d.pnm}}
---
name: own
operator: gxr::dds::Subscriber
parameters: {{topic: /own, {common}, count: 1}}
---
name: own_writer
operator: gxr::image::Writer
inputs: {{in: own}}
parameters: {{path: own.pnm}}
"""


class Client:
    def __init__(self, domain):
        peers = (f'<CycloneDDS><Domain Id="any">{ON_LOOPBACK}<Discovery><ParticipantIndex>auto</ParticipantIndex>'
                 "<MaxAutoParticipantIndex>99</MaxAutoParticipantIndex>"
                 '<Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>')
        self.domain = Domain(domain, peers)
        self.participant = DomainParticipant(domain)
        self.qos = Qos(Policy.Reliability.Reliable(duration(seconds=10)), Policy.Durability.TransientLocal,
                       Policy.History.KeepLast(50),
                       Policy.DurabilityService(0, Policy.History.KeepLast(50), -1, -1, -1))

    def topic(self, name, kind):
        return Topic(self.participant, name, kind, qos=self.qos)

    def writer(self, name, kind):
        return DataWriter(self.participant, self.topic(name, kind), qos=self.qos)

    def take(self, name, kind, count):
        reader = DataReader(self.participant, self.topic(name, kind), qos=self.qos)
        samples = []
        until(lambda: samples.extend(reader.take(10)) or len(samples) >= count, f"{count} samples on {name}")
        return samples

    def publication(self, name):
        reader = BuiltinDataReader(self.participant, BuiltinTopicDcpsPublication)
        found = []
        until(lambda: found.extend(s for s in reader.take(50) if getattr(s, "topic_name", "") == name) or found,
              f"a publication on {name}")
        return found[0]


def until(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"not within {LIMIT} s: {what}")
        time.sleep(0.02)


def check(condition, text):
    if not condition:
        raise SystemExit(f"wrong: {text}")


def run(gxr, folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return subprocess.Popen([gxr, "run", name], cwd=folder, env=environment(ON_LOOPBACK), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def finish(process):
    try:
        text, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate()
        raise SystemExit(f"gxr did not end within {LIMIT} s: {text}")
    check(process.returncode == 0, f"gxr ended with {process.returncode}: {text}")


def from_gxr(options, folder, client, common):
    camera = run(options.gxr, folder, "camera.yaml", CAMERA.format(common=common))
    images = client.take("rt/camera/image", Image, 3)
    check(images[0].header.frame_id == "camera" and abs(images[0].header.stamp.sec - time.time()) < 600, images[0].header)
    check((images[0].width, images[0].height, images[0].encoding, images[0].step) == (16, 8, "rgb8", 48), images[0])
    check(len(images[0].data) == 16 * 8 * 3, len(images[0].data))
    seen = client.publication("rt/camera/image")
    check(seen.type_name == "sensor_msgs::msg::dds_::Image_", seen.type_name)
    data = seen.qos[Policy.Userdata].data
    check(data.startswith(b"typehash=RIHS01_d31d41a9"), data)
    message = client.take("own", Message, 3)[0]
    check([(t.name, list(t.shape), t.element_type) for t in message.tensors] == [("image", [8, 16, 3], 2)], message.tensors)
    offset = message.tensors[0].offset
    check(bytes(message.data[offset:offset + 384]) == bytes(images[0].data), "the same picture in both types")
    end = client.writer("end", Message)
    end.write(Message(0, 0, [], [], [], [], [], [], []))
    finish(camera)
    return bytes(images[0].data)


def to_gxr(options, folder, client, common, picture):
    viewer = run(options.gxr, folder, "viewer.yaml", VIEWER.format(common=common))
    writer = client.writer("rt/camera/image", Image)
    for number in range(3):
        writer.write(Image(Header(Time(number, 5), "map"), 8, 16, "rgb8", 0, 48, list(picture)))
    own = client.writer("own", Message)  # neither padded nor aligned
    own.write(Message(0, 0, [Tensor("image", 2, 1, [8, 16, 3], 1)], [], [], [], [], [], [0, *picture]))
    finish(viewer)
    for name in ("picture-1.pnm", "picture-2.pnm", "picture-3.pnm", "own.pnm"):
        check((folder / name).read_bytes().endswith(picture), name)


def shown(options, folder, client, domain):
    """Pictures that no file holds as they are: white and black in 2 x 2 pixels, and depth."""
    pictures = {
        "uyvy": (4, bytes([128, 235, 128, 16] * 2), bytes([255, 255, 255, 0, 0, 0] * 2)),
        "nv21": (2, bytes([235, 16, 235, 16, 128, 128]), bytes([255, 255, 255, 0, 0, 0] * 2)),
        "bgr8": (6, bytes([1, 2, 3] * 4), bytes([3, 2, 1] * 4)),
        "32FC1": (8, struct.pack("<4f", 0.5, 2.5, 0.5, 0.5), bytes([0, 0, 255, 255, 0, 0, 0, 0])),
    }
    for encoding, (step, data, expected) in pictures.items():
        writer = client.writer(f"rt/shown/_{encoding}", Image)
        writer.write(Image(Header(Time(1, 0), "map"), 2, 2, encoding, 0, step, list(data)))
        answer = subprocess.run([options.gxr, "echo", f"/shown/_{encoding}", "--domain", str(domain), "--wait",
                                 str(LIMIT * 1000), "--count", "1", "--pictures", f"{encoding}-%d.pnm"], cwd=folder,
                                env=environment(ON_LOOPBACK), capture_output=True, text=True, timeout=2 * LIMIT, check=False)
        check(answer.returncode == 0, answer.stderr)
        written = (folder / f"{encoding}-1.pnm").read_bytes()
        check(written.endswith(b"\n" + expected), f"{encoding}: {written}")


def described(options, client, domain):
    _kept = client.writer("rt/arm/state", Arm)

    def definitions(*more):
        answer = subprocess.run([options.gxr, "describe", "/arm/state", "--domain", str(domain), "--wait",
                                 str(LIMIT * 1000), "--format", "json", *more], env=environment(ON_LOOPBACK),
                                capture_output=True, text=True, timeout=2 * LIMIT, check=False)
        check(answer.returncode == 0, answer.stderr)
        return json.loads(answer.stdout)["definitions"]

    found = definitions()
    check([(d["name"], d["fields"]) for d in found] == [("acme/msg/Arm", [])], found)
    check(found[0]["unknown"] == "gxr does not know the type; --ask asks the program that has it", found)
    found = [(d["name"], d["kind"], [(f["type"], f["name"], f["note"]) for f in d["fields"]])
             for d in definitions("--ask")]
    check(found == DEFINITIONS, found)


def disagreeing(options, folder, client, domain, common):
    """Two other programs have two definitions of a type. One asks the other for its own, and every program of the
    domain hears the answer, on which Cyclone DDS 0.10 crashes."""
    camera = run(options.gxr, folder, "beside.yaml", CAMERA.format(common=common))
    _kept = client.writer("rt/other/image", Image)
    with subprocess.Popen([sys.executable, __file__, "--gxr", options.gxr, "--disagree", str(domain)],
                          stdout=subprocess.PIPE, text=True) as other:
        check(other.stdout.readline() == "it has heard of the definition\n", "the other program")
        end = client.writer("end", Message)
        end.write(Message(0, 0, [], [], [], [], [], [], []))
        finish(camera)
        other.terminate()


def disagree(domain):
    client = Client(domain)
    reader = DataReader(client.participant, client.topic("rt/other/image", OtherImage), qos=client.qos)
    publication = client.publication("rt/other/image")
    types, _ = get_types_for_typeid(client.participant, publication.type_id, duration(seconds=LIMIT))
    check("height" in str(types.__dataclass_fields__), types)
    print("it has heard of the definition", flush=True)
    signal.pause()
    del reader


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gxr", type=Path, required=True)
    parser.add_argument("--disagree", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.disagree is not None:
        return disagree(options.disagree)
    options.gxr = options.gxr.resolve()
    domain, _keeper = own_domain()
    common = f"domain: {domain}, durability: transient_local, depth: 50"
    with tempfile.TemporaryDirectory() as folder:
        client = Client(domain)
        picture = from_gxr(options, Path(folder), client, common)
        to_gxr(options, Path(folder), client, common, picture)
        shown(options, Path(folder), client, domain)
        described(options, client, domain)
        disagreeing(options, Path(folder), client, domain, common)
    print("gxr and the client understand each other")
    return 0


if __name__ == "__main__":
    sys.exit(main())
