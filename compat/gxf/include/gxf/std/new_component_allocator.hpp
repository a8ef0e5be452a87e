#pragma once

// The layer has one class for all that makes components.
#include "gxf/std/default_extension.hpp"
