#!/usr/bin/env python3
"""Checks what the libraries of a build export and link.

libgxr.so exports the SDK (GXR_API) and what gxr's own libraries use beyond it (GXR_INTERNAL_API); the lists in
tests/structure/exports/ say which symbols these are. Every other library exports the few C symbols that somebody looks
up, and none of them anything of a library that gxr is made with: an extension would be bound to it in the place of its
own. libgxr.so is linked with the system alone, for what it is linked with is in the scope of every extension; the
executables are not linked with it; and no extension uses a symbol of the second list.

    tests/structure/check_exports.py BUILD             # as the test runs it
    tests/structure/check_exports.py BUILD --accept    # writes both lists anew: look at the difference before a commit

The lists are the same for every compiler and configuration. They leave out what compilers emit as they need it (weak
symbols: inline functions and templates, but not tables of classes) and what follows from other symbols (thunks, names of types).
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
    "libgxr_cuda.so": {"gxr_device_interface", "gxr_device_runtime"},
    # The second takes the place of a function of the library that it is linked with.
    "dds_cyclone.so": {"gxr_dds_cyclone", "ddsi_tl_handle_reply"},
    "libgxr_mpi.so": {"gxr_mpi_interface", "gxr_start_mpi", "gxr_describe_mpi"},
}
# Exports what sources of GXF extensions use: functions of C, and namespace nvidia.
FOR_GXF = "libgxr_gxf.so"
# The name by which programs that embed GXF know it, and the headers that declare its functions of C.
FOR_GXF_PROGRAMS = "libgxf_core.so"
GXF_HEADERS = ("gxf/core/gxf.h", "gxf/core/gxf_ext.h")
GXF_FUNCTION = re.compile(r"GXR_GXF_API\s[^;(]*?\b(Gxf\w+)\(")
FOR_GXF_SYMBOL = re.compile(r"Gxf|_Z(T[ISVT]|T[hvc].*_)?N[KRO]*6nvidia")
EXTENSION = {"gxr_extension", "gxr_extension_descriptor"}
# Mangled names of namespace gxr: entities, type information and tables of classes, thunks, static variables of
# functions, guards.
NAMESPACE_GXR = re.compile(r"_Z(T[ISVT]|T[hvc].*_|GV|GVZ|Z)?N[KRO]*3gxr")
ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = ROOT / "tests/structure/exports"
SDK = LISTS / "libgxr.txt"
INTERNAL = LISTS / "libgxr_internal.txt"
STRONG = "TDBR"
CLASSES = re.compile(r"(typeinfo|vtable) for [\w:]+$")
FOLLOWS = ("non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ", "typeinfo name for ", "VTT for ",
           "construction vtable for ", "guard variable for ", "TLS ")
# Its version is a part of the names, and adds arguments to the template.
JSON = re.compile(r"nlohmann::json_abi_v[0-9_]+::")
JSON_TYPE = re.compile(r"nlohmann::basic_json<std::map, .*?, std::allocator<unsigned char> >(?:, void)? ?>")
STRING = re.compile(r"std::(?:__cxx11::)?basic_string(_view)?<char, std::char_traits<char>"
                    r"(?:, std::allocator<char>)? ?>")
CLASS = re.compile(r"(?:class|struct)\s+(?:(GXR_INTERNAL_API)\s+)?(\w+)[^;]*\{")
FUNCTION = re.compile(r"(~?\w+)\(")
SYSTEM = re.compile(r"(lib(stdc\+\+|m|gcc_s|c|dl|pthread|rt|asan|ubsan|tsan)|ld-linux[-\w]*)\.so")
SANITIZER = re.compile(r"_*(asan|ubsan|tsan|odr_asan|sanitizer|lsan)")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exports(library):
    """Names of the symbols that others find, without the version of a symbol."""
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return [line.split()[-1].split("@")[0] for line in lines if line.strip()]


def demangled(symbols):
    """As people write them, one for each symbol."""
    text = subprocess.run(["c++filt"], check=True, capture_output=True, text=True, input="\n".join(symbols)).stdout
    for pattern, short in ((STRING, r"std::string\1"), (JSON, "nlohmann::"), (JSON_TYPE, "nlohmann::json")):
        text = pattern.sub(short, text.replace("[abi:cxx11]", ""))
    return text.splitlines()


def strong_exports(library):
    """Sorted names of the symbols that every build exports, without those that follow from others."""
    lines = [line.split() for line in run("nm", "-D", "--defined-only", library).splitlines()]
    found = [(fields[1], fields[2].split("@")[0]) for fields in lines if len(fields) == 3]
    found = [(kind, symbol) for kind, symbol in found if not SANITIZER.match(symbol)]
    named = zip((kind for kind, _ in found), demangled([symbol for _, symbol in found]))
    return sorted({name for kind, name in named
                   if CLASSES.match(name) or (kind in STRONG and not name.startswith(FOLLOWS))})


def internal_names():
    """Qualified names of what GXR_INTERNAL_API marks in the headers of runner/, and of whole classes "NAME::"."""
    names = set()
    for header in sorted((ROOT / "runner").rglob("*.hpp")):
        inside = ""
        for line in header.read_text(encoding="utf-8").splitlines():
            opened = CLASS.match(line)
            if opened:
                inside = opened.group(2) + "::"
                if opened.group(1):
                    names.add(inside)
            elif line.startswith("};"):
                inside = ""
            elif "GXR_INTERNAL_API" in line and not line.startswith("#define"):
                found = FUNCTION.search(line.split("GXR_INTERNAL_API", 1)[1])
                if found:
                    names.add(("" if not line.startswith(" ") else inside) + found.group(1))
    return names


def is_internal(name, marked):
    name = re.sub(r"^(typeinfo|vtable) for ", "", name)
    name = name.split("(")[0].removeprefix("gxr::")
    return name in marked or name.split("::")[0] + "::" in marked


def check_lists(library, accept):
    """The two lists against what the library exports; or writes them."""
    marked = internal_names()
    exported = strong_exports(library)
    for path, names in ((SDK, [n for n in exported if not is_internal(n, marked)]),
                        (INTERNAL, [n for n in exported if is_internal(n, marked)])):
        if accept:
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(names) + "\n", encoding="utf-8")
        listed = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        where = path.relative_to(ROOT)
        for name in sorted(set(names) - set(listed)):
            yield f"{library.name} exports {name}, which is not in {where}"
        for name in sorted(set(listed) - set(names)):
            yield f"{library.name} does not export {name}, which is in {where}"


def check_use(library, internal):
    """An extension has the SDK alone."""
    lines = [line.split() for line in run("nm", "-D", "--undefined-only", library).splitlines()]
    used = set(demangled([fields[-1].split("@")[0] for fields in lines if fields]))
    for name in sorted(used & internal):
        yield f"{library.name} uses {name}, which is no part of the SDK"


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", library))


def namespaces(symbols):
    """How many symbols there are of each namespace, in words."""
    counts = collections.Counter()
    for name in demangled(symbols):
        name = re.sub(r"^(typeinfo( name)?|vtable|VTT|guard variable|construction vtable) for ", "", name)
        found = re.search(r"(\w+)::", name)
        counts[found.group(1) + "::" if found else name] += 1
    return ", ".join(f"{name} ({count})" for name, count in counts.most_common(8))


def is_allowed(symbol, library):
    if library.name == "libgxr.so":
        return bool(NAMESPACE_GXR.match(symbol)) or symbol == "gxr_declare_main"
    if library.name == FOR_GXF:
        return bool(FOR_GXF_SYMBOL.match(symbol))
    if library.name in ENTRIES:
        return symbol in ENTRIES[library.name]
    if library.name.endswith("_cuda.so"):
        return symbol == f"gxr_{library.stem.removesuffix('_cuda')}_device_kernels"
    if library.name.endswith(("_gstreamer.so", "_cyclone.so")):
        return symbol == f"gxr_{library.stem}"
    return symbol in EXTENSION


def check_exports(library):
    foreign = [s for s in exports(library) if not is_allowed(s, library) and not SANITIZER.match(s)]
    if foreign:
        yield f"{library.name} exports {len(foreign)} symbols that it should keep to itself: {namespaces(foreign)}"
    unique = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines() if " u " in line]
    if unique:
        yield f"{library.name} has symbols that are one in the whole process (-fno-gnu-unique): {namespaces(unique)}"


def check_gxf_functions(build):
    """Whatever the headers of GXF's names declare is there, for programs, too."""
    if not (build / FOR_GXF).exists():
        return
    exported = set(exports(build / FOR_GXF))
    for header in GXF_HEADERS:
        text = (ROOT / "compat/gxf/include" / header).read_text(encoding="utf-8")
        for name in GXF_FUNCTION.findall(text):
            if name not in exported:
                yield f"{FOR_GXF} does not export {name}(), which {header} declares"
    link = build / FOR_GXF_PROGRAMS
    if not link.exists() or link.resolve() != (build / FOR_GXF).resolve():
        yield f"{FOR_GXF_PROGRAMS} is not {FOR_GXF}"


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
    for name in (*ENTRIES, FOR_GXF):
        if (build / name).exists():
            yield build / name
    yield from sorted((build / "extensions").glob("*.so"))
    for name in test_extensions:
        yield build / "tests" / "extensions" / f"{name}.so"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--accept", action="store_true", help="write the lists of the symbols of libgxr.so")
    parser.add_argument("--extension", action="append", default=[], help="of tests/extensions, looked at as well")
    arguments = parser.parse_args()
    problems = list(check_links(arguments.build))
    problems += check_gxf_functions(arguments.build)
    problems += check_lists(arguments.build / "libgxr.so", arguments.accept)
    internal = set(INTERNAL.read_text(encoding="utf-8").splitlines())
    count = 0
    for library in libraries(arguments.build, arguments.extension):
        problems += check_exports(library)
        if library.name not in ENTRIES and library.name not in ("libgxr.so", FOR_GXF):
            problems += check_use(library, internal)
        count += 1
    print("\n".join(problems) if problems else f"exports: {count} libraries in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
