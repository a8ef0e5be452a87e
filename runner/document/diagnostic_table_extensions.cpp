#include <array>

#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

constexpr std::array kExtensionTable = {
    DiagnosticInfo{
        DiagnosticCode::ManifestInvalid, "manifest-invalid", kError, false,
        "a manifest is not in order",
        R"(A manifest is a YAML file with one document and the key 'extensions', a list of paths of
extension libraries.

wrong:
    extensions: libmine.so

right:
    extensions:
    - libmine.so)"},
    DiagnosticInfo{
        DiagnosticCode::ExtensionNotFound, "extension-not-found", kError, false,
        "an extension library does not exist",
        R"(The file of an extension was not found: not as it is written, and not by its name in
the folders of LD_LIBRARY_PATH. The message lists where gxr looked. An extension that is installed
with gxr needs no path at all: its types are found by themselves. With --compat gxf, libraries of GXF
(libgxf_*) in a manifest or in 'extensions' are passed over, and others that are missing are warnings.

wrong:
    gxr run -x libmine.so app.yaml        # it is in build/

right:
    gxr run -x build/libmine.so app.yaml)"},
    DiagnosticInfo{
        DiagnosticCode::ExtensionInvalid, "extension-invalid", kError, false,
        "a file is not an extension of gxr",
        R"(The file is not a shared library, or has no description of an extension, or its
description is damaged. Extensions are built with gxr_add_extension() of gxr's CMake package;
extensions of GXF have to be built anew from their source.

wrong:
    add_library(mine SHARED mine.cpp)

right:
    gxr_add_extension(mine SOURCES mine.cpp))"},
    DiagnosticInfo{
        DiagnosticCode::ExtensionIncompatible, "extension-incompatible", kError, false,
        "an extension was built for another gxr",
        R"(The extension was built with another version of gxr's headers, for another processor,
another standard library, or with other sanitizers, so loading it could crash. The message says
which. Nothing of the extension was run.

wrong:
    gxr run -x build-asan/libmine.so app.yaml      # with a gxr without AddressSanitizer

right:
    gxr run -x build/libmine.so app.yaml           # both built the same way)"},
    DiagnosticInfo{
        DiagnosticCode::PythonPackage, "python-package", kError, false,
        "there is no Python with the package of this gxr",
        R"(An extension is written in Python (its name ends in '.py'). gxr asks a Python interpreter what
it declares, and that needs the Python package gxr of the same version. gxr takes the interpreter of the variable
GXR_PYTHON, else that of the virtual environment VIRTUAL_ENV, else 'python3' in the folders of PATH.

wrong:
    gxr run -x my_ops.py app.yaml      # python3 does not have the package

right:
    python3 -m pip install gxr
    gxr run -x my_ops.py app.yaml
    GXR_PYTHON=env/bin/python gxr run -x my_ops.py app.yaml      # another interpreter has it)"},
    DiagnosticInfo{
        DiagnosticCode::PythonModule, "python-module", kError, false,
        "an extension in Python cannot be used",
        R"(Python cannot import the file, or the file declares an operator that is not in order: a port
without its type, a default outside of its range. The message has the line in the Python file, and the end of what
Python wrote. Importing the file must end by itself within 30 seconds, or GXR_PYTHON_TIMEOUT seconds; it should
define operators and do nothing else.

wrong:
    class Blur(gxr.Operator):
        size: int = gxr.parameter(0, minimum=1)

right:
    class Blur(gxr.Operator):
        size: int = gxr.parameter(5, minimum=1))"},
    DiagnosticInfo{
        DiagnosticCode::TypeInTwoExtensions, "type-in-two-extensions", kError, false,
        "two extensions have a type of the same name",
        R"(Two extensions of equal rank hold the type, so it is not clear which one is meant.
Extensions that are named (-x, a manifest, 'extensions' in the app) go before those that
GXR_EXTENSION_PATH lists, and these before installed ones.

wrong:
    gxr run -x old/libmine.so -x new/libmine.so app.yaml

right:
    gxr run -x new/libmine.so app.yaml)"},
};

}  // namespace

std::span<const DiagnosticInfo> extension_diagnostics() { return kExtensionTable; }

}  // namespace gxr
