#pragma once

// The engine keeps parameters, resources and types; sources need no more than this.
#include "gxf/core/registrar.hpp"
