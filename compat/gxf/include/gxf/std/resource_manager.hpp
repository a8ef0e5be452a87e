#pragma once

// Where the header was before GXF 4.
#include "gxf/core/resource_manager.hpp"
