#pragma once

// Where the header was before GXF 4.
#include "gxf/core/parameter_parser_std.hpp"
