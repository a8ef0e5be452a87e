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
