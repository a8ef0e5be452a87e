#!/usr/bin/env python3
"""The fingerprint of the SDK: what tells an extension that was built with other headers.

It is a digest of the tokens of all public headers with their paths, so it is the same on every machine and with every
compiler. Comments and layout do not count. No preprocessor runs: what stands in an #if that is off here counts, too.

    cmake/abi_fingerprint.py include                                   # prints the fingerprint
    cmake/abi_fingerprint.py include --header FILE --version 1.2.3     # writes gxr/version.hpp, if it would change

With the headers of runner/device behind it, it is the version of the interface between libgxr.so and libgxr_cuda.so:

    cmake/abi_fingerprint.py include runner/device --device-header FILE

With those of runner/rank_run behind it, it is that of the interface between libgxr.so and libgxr_mpi.so:

    cmake/abi_fingerprint.py include runner/rank_run --mpi-header FILE

With the headers of the layer for GXF's sources behind it, it is what an extension that the layer compiled is checked by:

    cmake/abi_fingerprint.py include compat/gxf/include --layer-header FILE
"""

import argparse
import hashlib
import pathlib
import re
import sys

GENERATED = "gxr/version.hpp"
DIGITS = 16

TOKEN = re.compile(
    r"""
    (?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)")
  | (?P<text>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?\d(?:'?[\w.]|[eEpP][+-])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<end>\n)
  | (?P<blank>[^\S\n]+|\\\n)
  | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)

HEADER = """#pragma once

// Written by cmake/abi_fingerprint.py when gxr is built.

#include <cstdint>
#include <string_view>

namespace gxr {{

inline constexpr std::uint32_t kSdkVersionMajor = {0};
inline constexpr std::uint32_t kSdkVersionMinor = {1};
inline constexpr std::uint32_t kSdkVersionPatch = {2};

/// A digest of the code of all public headers. An extension with another one was built with other headers: its calls
/// would reach the wrong functions.
inline constexpr std::string_view kSdkFingerprint = "{3}";

}}  // namespace gxr
"""

INTERFACE_HEADER = """#pragma once

// Written by cmake/abi_fingerprint.py when gxr is built.

namespace gxr {{

/// The version of the interface between libgxr.so and {0}: a digest of the code of the public headers and of
/// those of {1}.
inline constexpr const char* {2} = "{3}";

}}  // namespace gxr
"""

LAYER_HEADER = """#pragma once

// Written by cmake/abi_fingerprint.py when gxr is built.

#include <cstdint>

namespace nvidia {{
namespace gxf {{
namespace layer {{

/// A digest of the code of gxr's public headers and of those of the layer.
constexpr std::uint64_t kLayerFingerprint = 0x{0};

}}  // namespace layer
}}  // namespace gxf
}}  // namespace nvidia
"""


def tokens(code):
    """The tokens of C++ code. A directive of the preprocessor ends with its line, other lines do not count."""
    directive = False
    begins_line = True
    for found in TOKEN.finditer(code):
        kind = found.lastgroup if found.lastgroup != "mark" else "raw"
        if kind == "end":
            if directive:
                yield "\n"
            directive = False
            begins_line = True
        elif kind not in ("comment", "blank"):
            directive = directive or (begins_line and found.group() == "#")
            begins_line = False
            yield found.group()


def fingerprint(*folders):
    """Of all headers below the folders but the generated one."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.hpp"), key=lambda each: each.relative_to(folder).as_posix()):
            name = path.relative_to(folder).as_posix()
            if name == GENERATED:
                continue
            for token in [name, *tokens(path.read_text(encoding="utf-8"))]:
                digest.update(token.encode() + b"\0")
            digest.update(b"\0")
    return digest.hexdigest()[:DIGITS]


def write_if_changed(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=pathlib.Path, nargs="+",
                        help="what programs include from: its headers are gxr/*.hpp; and further folders of headers")
    parser.add_argument("--device-header", type=pathlib.Path, help="write the header with the interface's version there")
    parser.add_argument("--mpi-header", type=pathlib.Path, help="the same of MPI's")
    parser.add_argument("--layer-header", type=pathlib.Path, help="write the header of the layer for GXF there")
    parser.add_argument("--header", type=pathlib.Path, help="write the header there")
    parser.add_argument("--version", help="of gxr: major.minor.patch")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        if not any(folder.rglob("*.hpp")):
            parser.error(f"there are no headers in {folder}")
    digest = fingerprint(*arguments.folders)
    for header, interface in ((arguments.device_header, ("libgxr_cuda.so", "runner/device", "kDeviceInterface")),
                              (arguments.mpi_header, ("libgxr_mpi.so", "runner/rank_run", "kMpiInterface"))):
        if header is not None:
            write_if_changed(header, INTERFACE_HEADER.format(*interface, digest))
            return 0
    if arguments.layer_header is not None:
        write_if_changed(arguments.layer_header, LAYER_HEADER.format(digest))
        return 0
    if arguments.header is None:
        print(digest)
        return 0
    numbers = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)", arguments.version or "")
    if not numbers:
        parser.error("--header needs --version MAJOR.MINOR.PATCH")
    write_if_changed(arguments.header, HEADER.format(*numbers.groups(), digest))
    return 0


if __name__ == "__main__":
    sys.exit(main())
