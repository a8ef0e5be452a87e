#!/usr/bin/env python3
"""Writes and compares small recordings, from the description of the format alone (docs/recordings.md).

    recording.py write BASE [--entities N] [--start NS] [--step NS] [--storage 0|1|2] [--shape 2,3] [--parts] [--stamps]
                            [--name TEXT]
    recording.py times BASE NS…     new times in the index
    recording.py same A B           both files of two recordings are equal
    recording.py sequence BASE N…   the entities' sequence numbers
"""
import argparse
import os
import struct
import sys

TENSOR = (0x377501D69ABF447C, 0xA6170114D4F33AB8)
TIMESTAMP = (0xD1095B105C904BBC, 0xBC89601134CB4E03)
NUMBERS = {
    "b": ((0x83905C6ACA344F40, 0xB474CF2CDE8274DE), "b", -8),
    "B": ((0xD4299E150006D0BF, 0x8CBD9B743575E155), "B", 200),
    "h": ((0x9E1DDE793550307D, 0xE81AB864890B3685), "h", -300),
    "H": ((0x958CBDEFB505BCC7, 0x8A43DC4B23F8CEAD), "H", 60000),
    "i": ((0xB557EC7F49A508F7, 0xA35E086E9D1EA767), "i", -70000),
    "I": ((0xD5506B685C86FEDB, 0xA2A2A7BAE38FF3EF), "I", 4000000000),
    "q": ((0xC611627B6393365F, 0xD2341F26BFA8D28F), "q", -(2**40)),
    "Q": ((0xC4385F5B6E2501D9, 0xD7B56E7CADC704E8), "Q", 2**63),
    "f": ((0xA81BF295421F49EF, 0xF24AF59E9EA0D5D6), "f", 1.5),
    "d": ((0xD57CEE59686FE26D, 0x95BE659C126B02EA), "d", -2.25),
    "?": ((0xC02F9E93D01B1D29, 0xF52378D2A9195128), "?", True),
}


def component(type_id, name, payload):
    name = os.fsencode(name)  # the bytes of the command line, UTF-8 or not
    return struct.pack("<QQQQ", 0, *type_id, len(name)) + name + payload


def tensor(shape, storage, fill):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    pad = 8 - len(shape)
    head = struct.pack("<iiQI", storage, 2, 1, len(shape))
    head += struct.pack("<8i", *shape, *[1 if shape else 0] * pad)
    head += struct.pack("<8Q", *strides, *[0] * pad)
    return head + bytes((fill + i) % 256 for i in range(step))


def parts(number, arguments):
    yield component(TENSOR, arguments.name, tensor(arguments.shape, arguments.storage, number))
    if arguments.stamps:
        time = arguments.start + number * arguments.step
        yield component(TIMESTAMP, "timestamp", struct.pack("<qq", 0, time))
    if arguments.parts:
        yield component(TIMESTAMP, "timestamp", struct.pack("<qq", number, -number))
        for key, (type_id, form, value) in NUMBERS.items():
            yield component(type_id, "number " + key, struct.pack("<" + form, value))


def entity(number, arguments):
    components = list(parts(number, arguments))
    return struct.pack("<QIQIQQ", 0, 0, number, 0, len(components), 0) + b"".join(components)


def write(arguments):
    offset = 0
    with open(arguments.base + ".gxf_index", "wb") as index, open(arguments.base + ".gxf_entities", "wb") as data:
        for number in range(arguments.entities):
            record = entity(number, arguments)
            time = arguments.start + number * arguments.step
            index.write(struct.pack("<QQQ", time, len(record), offset))
            data.write(record)
            offset += len(record)


def same(arguments):
    for ending in (".gxf_index", ".gxf_entities"):
        with open(arguments.a + ending, "rb") as a, open(arguments.b + ending, "rb") as b:
            if a.read() != b.read():
                sys.exit(f"{arguments.a + ending} and {arguments.b + ending} differ")
    print("the recordings are equal")


def sequence(arguments):
    with open(arguments.base + ".gxf_index", "rb") as index, open(arguments.base + ".gxf_entities", "rb") as data:
        records, content = index.read(), data.read()
    offsets = [struct.unpack_from("<QQQ", records, at)[2] for at in range(0, len(records), 24)]
    print(*[struct.unpack_from("<Q", content, offset + 12)[0] for offset in offsets])


def times(arguments):
    with open(arguments.base + ".gxf_index", "r+b") as index:
        for number, time in enumerate(arguments.times):
            index.seek(24 * number)
            index.write(struct.pack("<Q", time))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("write")
    one.add_argument("base")
    one.add_argument("--entities", type=int, default=3)
    one.add_argument("--start", type=int, default=1_600_000_000_000_000_000)
    one.add_argument("--step", type=int, default=100_000_000)
    one.add_argument("--storage", type=int, default=1)
    one.add_argument("--shape", type=lambda text: [int(x) for x in text.split(",")], default=[2, 3])
    one.add_argument("--parts", action="store_true")
    one.add_argument("--stamps", action="store_true")
    one.add_argument("--name", default="")
    one.set_defaults(run=write)
    one = commands.add_parser("same")
    one.add_argument("a")
    one.add_argument("b")
    one.set_defaults(run=same)
    one = commands.add_parser("sequence")
    one.add_argument("base")
    one.set_defaults(run=sequence)
    one = commands.add_parser("times")
    one.add_argument("base")
    one.add_argument("times", type=int, nargs="+")
    one.set_defaults(run=times)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
