#pragma once

// Where the header was before GXF 4.
#include "gxf/core/type_registry.hpp"
