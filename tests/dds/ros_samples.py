#!/usr/bin/env python3
"""Samples of ROS 2 as the package rosbags of PyPI writes them, for tests that have no such package.

  ros_samples.py --write FILE    writes a line for each sample: type, type hash, bytes in both byte orders
  ros_samples.py --check FILE    is what the file has what rosbags writes? Exit code 77 without rosbags.
"""

import argparse
import re
import sys
from pathlib import Path

try:
    import numpy
    from rosbags.typesys import Stores, get_typestore
    from rosbags.interfaces import Nodetype
except ImportError as error:
    print(f"skipped: {error}; pip install rosbags")
    sys.exit(77)

DEFINITIONS = Path(__file__).parents[2] / "extensions" / "dds" / "definitions.hpp"


def types():
    return re.findall(r'\{"(\w+/msg/\w+)"', DEFINITIONS.read_text(encoding="utf-8"))


class Maker:
    """Values that differ from field to field, the same in each run."""

    def __init__(self, store):
        self.store = store
        self.number = 0

    def primitive(self, kind):
        self.number += 1
        if kind == "string":
            return f"text {self.number}"
        if kind == "bool":
            return self.number % 2 == 1
        if kind.startswith("float"):
            return self.number + 0.5
        if kind.startswith("int"):
            return -(self.number % 100)
        return self.number % 200

    def value(self, descriptor):
        kind, content = descriptor
        if kind == Nodetype.BASE:
            return self.primitive(content[0])
        if kind == Nodetype.NAME:
            return self.message(content)
        element, count = content
        count = count or 3
        values = [self.value(element) for _ in range(count)]
        if element[0] == Nodetype.BASE and element[1][0] != "string":
            return numpy.array(values, dtype="uint8" if element[1][0] == "octet" else element[1][0])
        return values

    def message(self, name):
        fields = self.store.fielddefs[name][1]
        return self.store.types[name](**{field: self.value(descriptor) for field, descriptor in fields})


def picture(maker, encoding, elements, channels):
    image = maker.message("sensor_msgs/msg/Image")
    image.width, image.height, image.encoding, image.is_bigendian = 5, 3, encoding, 0
    image.step = image.width * channels * numpy.dtype(elements).itemsize
    image.data = numpy.arange(image.step * image.height, dtype="uint8")
    return image


def points(maker):
    cloud = maker.message("sensor_msgs/msg/PointCloud2")
    field = maker.store.types["sensor_msgs/msg/PointField"]
    cloud.height, cloud.width, cloud.point_step, cloud.row_step = 2, 4, 16, 64
    cloud.fields = [field("x", 0, 7, 1), field("y", 4, 7, 1), field("intensity", 8, 7, 1), field("ring", 12, 4, 2)]
    cloud.is_bigendian, cloud.is_dense = False, True
    cloud.data = numpy.arange(128, dtype="uint8")
    return cloud


def samples():
    store = get_typestore(Stores.ROS2_JAZZY)
    maker = Maker(store)
    for name in types():
        if name == "sensor_msgs/msg/Image":
            messages = [picture(maker, *each) for each in (("rgb8", "uint8", 3), ("bgr8", "uint8", 3),
                        ("mono16", "uint16", 1), ("bayer_grbg8", "uint8", 1), ("32FC2", "float32", 2))]
        elif name == "sensor_msgs/msg/PointCloud2":
            messages = [points(maker)]
        else:
            messages = [maker.message(name)]
        for message in messages:
            yield " ".join([name, store.hash_rihs01(name),
                            bytes(store.serialize_cdr(message, name, little_endian=True)).hex(),
                            bytes(store.serialize_cdr(message, name, little_endian=False)).hex()])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--check", type=Path)
    options = parser.parse_args()
    text = "".join(line + "\n" for line in samples())
    if options.write:
        options.write.write_text(text, encoding="utf-8")
        return 0
    if options.check.read_text(encoding="utf-8") != text:
        print(f"{options.check} is not what rosbags writes: run with --write")
        return 1
    print(f"{text.count(chr(10))} samples are as rosbags writes them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
