#!/usr/bin/env python3
"""Checks what the libraries of a build export and link.

libgxr.so exports namespace gxr and its C functions, every other library the few C symbols that somebody looks up, and
none of them anything of a library that gxr is made with: an extension would be bound to it in the place of its own.
libgxr.so is linked with the system alone, for what it is linked with is in the scope of every extension; and the
executables are not linked with it.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

# Of an executable: copies of variables of the system's libraries.
EXECUTABLES = ("gxr", "gxr-declare")
ENTRIES = {
    "libgxr_cli.so": {"gxr_main"},
    "libgxr_yaml.so": {"gxr_read_yaml", "gxr_write_yaml"},
    "libgxr_cuda.so": {"gxr_device_runtime"},
}
EXTENSION = {"gxr_extension", "gxr_extension_descriptor"}
# Mangled names of namespace gxr: entities, type information and tables of classes, thunks, static variables of
# functions, guards.
NAMESPACE_GXR = re.compile(r"_Z(T[ISVT]|T[hvc].*_|GV|GVZ|Z)?N[KRO]*3gxr")
SYSTEM = re.compile(r"(lib(stdc\+\+|m|gcc_s|c|dl|pthread|rt|asan|ubsan|tsan)|ld-linux[-\w]*)\.so")
SANITIZER = re.compile(r"_*(asan|ubsan|tsan|odr_asan|sanitizer|lsan)")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exports(library):
    """Names of the symbols that others find, without the version of a symbol."""
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return [line.split()[-1].split("@")[0] for line in lines if line.strip()]


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", library))


def namespaces(symbols):
    """How many symbols there are of each namespace, in words."""
    names = subprocess.run(["c++filt"], check=True, capture_output=True, text=True, input="\n".join(symbols)).stdout
    counts = collections.Counter()
    for name in names.splitlines():
        name = re.sub(r"^(typeinfo( name)?|vtable|VTT|guard variable|construction vtable) for ", "", name)
        found = re.search(r"(\w+)::", name)
        counts[found.group(1) + "::" if found else name] += 1
    return ", ".join(f"{name} ({count})" for name, count in counts.most_common(8))


def is_allowed(symbol, library):
    if library.name == "libgxr.so":
        return bool(NAMESPACE_GXR.match(symbol)) or symbol == "gxr_declare_main"
    if library.name in ENTRIES:
        return symbol in ENTRIES[library.name]
    if library.name.endswith("_cuda.so"):
        return symbol == f"gxr_{library.stem.removesuffix('_cuda')}_device_kernels"
    return symbol in EXTENSION


def check_exports(library):
    foreign = [s for s in exports(library) if not is_allowed(s, library) and not SANITIZER.match(s)]
    if foreign:
        yield f"{library.name} exports {len(foreign)} symbols that it should keep to itself: {namespaces(foreign)}"
    unique = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines() if " u " in line]
    if unique:
        yield f"{library.name} has symbols that are one in the whole process (-fno-gnu-unique): {namespaces(unique)}"


def check_links(build):
    for name in needed(build / "libgxr.so"):
        if not SYSTEM.match(name):
            yield f"libgxr.so is linked with {name}, which comes into the scope of every extension"
    for program in EXECUTABLES:
        for name in needed(build / program):
            if not SYSTEM.match(name):
                yield f"{program} is linked with {name}, which comes into the global scope"
        own = [s for s in exports(build / program) if s.startswith("_Z") and NAMESPACE_GXR.match(s)]
        if own:
            yield f"{program} exports {namespaces(own)}"


def libraries(build, test_extensions):
    yield build / "libgxr.so"
    for name in ENTRIES:
        if (build / name).exists():
            yield build / name
    yield from sorted((build / "extensions").glob("*.so"))
    for name in test_extensions:
        yield build / "tests" / "extensions" / f"{name}.so"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--extension", action="append", default=[], help="of tests/extensions, looked at as well")
    arguments = parser.parse_args()
    problems = list(check_links(arguments.build))
    count = 0
    for library in libraries(arguments.build, arguments.extension):
        problems += check_exports(library)
        count += 1
    print("\n".join(problems) if problems else f"exports: {count} libraries in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
