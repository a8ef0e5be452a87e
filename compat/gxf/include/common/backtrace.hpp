#pragma once

#include <cstdio>

#include "gxf/core/export.hpp"

namespace nvidia {

/// Writes the calls that led here, one a line.
GXR_GXF_API void PrintBacktrace(std::FILE* file = stderr);

}  // namespace nvidia
