#pragma once

#include "gxr/export.hpp"

/// What the executables call in the libraries that they open: main() of `gxr` and `gxe`, in
/// libgxr_cli.so, and of `gxr-declare`, in libgxr.so.
extern "C" GXR_API int gxr_main(int argc, char** argv);
extern "C" GXR_API int gxr_declare_main(int argc, char** argv);
