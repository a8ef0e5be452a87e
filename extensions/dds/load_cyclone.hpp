#pragma once

#include "dds/transport.hpp"

namespace gxr::dds {

/// Loads dds_cyclone.so from beside dds.so, once. Throws Error(NotSupported), which says what to
/// install, when that or the library of Cyclone DDS is missing.
Library& library();

}  // namespace gxr::dds
