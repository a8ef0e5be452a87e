#!/usr/bin/env python3
"""Says whether two PNG files hold the same picture. Their bytes may differ, since versions of zlib compress differently.

    same_picture.py A B
"""
import pathlib
import struct
import sys
import zlib


def chunks(data):
    position = 8
    while position < len(data):
        (length,) = struct.unpack_from(">I", data, position)
        yield data[position + 4 : position + 8], data[position + 8 : position + 8 + length]
        position += length + 12


def picture(path):
    """The header, and the rows as libpng filtered them."""
    found = list(chunks(pathlib.Path(path).read_bytes()))
    header = next(body for kind, body in found if kind == b"IHDR")
    return header, zlib.decompress(b"".join(body for kind, body in found if kind == b"IDAT"))


one, other = sys.argv[1:]
same = picture(one) == picture(other)
print(one, "is" if same else "is not", other)
sys.exit(0 if same else 1)
