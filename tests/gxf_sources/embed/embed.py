#!/usr/bin/env python3
"""Embeds an application through GXF's C interface and ctypes.

    embed.py LIBRARY EXTENSION FOLDER     # libgxf_core.so, libgxf_embed_ext.so, the folder of the applications
"""
import ctypes
import pathlib
import sys

SUCCESS = 0
INVALID_EXECUTION_SEQUENCE = 43
Context = ctypes.c_void_p
Uid = ctypes.c_int64


class Gxf:
    """The functions of the library; a call that returns another code than `expected` is an error."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.GxfResultStr.restype = ctypes.c_char_p

    def __call__(self, name, *arguments, expected=SUCCESS):
        code = getattr(self.library, name)(*arguments)
        if code != expected:
            sys.exit(f"{name}() returned {self.library.GxfResultStr(code).decode()} instead of "
                     f"{self.library.GxfResultStr(expected).decode()}")


class LoadExtensionsInfo(ctypes.Structure):
    _fields_ = [("files", ctypes.POINTER(ctypes.c_char_p)), ("file_count", ctypes.c_uint32),
                ("manifests", ctypes.POINTER(ctypes.c_char_p)), ("manifest_count", ctypes.c_uint32),
                ("base_directory", ctypes.c_char_p)]


class Tid(ctypes.Structure):
    _fields_ = [("hash1", ctypes.c_uint64), ("hash2", ctypes.c_uint64)]


def run(gxf, extension, folder, step):
    """The life of one context; `step` is what the counter adds."""
    context = Context()
    gxf("GxfContextCreate", ctypes.byref(context))
    name = extension.name.encode()
    info = LoadExtensionsInfo((ctypes.c_char_p * 1)(name), 1, None, 0, str(extension.parent).encode())
    gxf("GxfLoadExtensions", context, ctypes.byref(info))
    overrides = (ctypes.c_char_p * 1)(b"counting/counter/label=python")
    gxf("GxfGraphLoadFile", context, str(folder / "embed.yaml").encode(), overrides, 1)
    entity, counter = Uid(), Uid()
    gxf("GxfEntityFind", context, b"counting", ctypes.byref(entity))
    gxf("GxfComponentFind", context, entity, Tid(), b"counter", None, ctypes.byref(counter))
    gxf("GxfParameterSetInt64", context, counter, b"step", Uid(step))
    gxf("GxfGraphRunAsync", context, expected=INVALID_EXECUTION_SEQUENCE)
    gxf("GxfGraphActivate", context)
    gxf("GxfGraphRunAsync", context)
    gxf("GxfGraphWait", context)
    label = ctypes.c_char_p()
    gxf("GxfParameterGetStr", context, counter, b"label", ctypes.byref(label))
    value = Uid()
    gxf("GxfParameterGetInt64", context, counter, b"step", ctypes.byref(value))
    print(f"{label.value.decode()} has counted in steps of {value.value}", flush=True)
    gxf("GxfGraphDeactivate", context)
    gxf("GxfContextDestroy", context)


def main():
    if len(sys.argv) != 4:
        sys.exit("embed.py LIBRARY EXTENSION FOLDER")
    gxf = Gxf(sys.argv[1])
    for step in (1, 2):
        run(gxf, pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), step)


main()
