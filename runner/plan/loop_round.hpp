#pragma once

#include <cstdint>

#include "plan/graph_region.hpp"

namespace gxr {

/// With `loop: auto`: will messages be waiting for iterations? Whoever lets many wait, `slots`,
/// wants many a second.
bool is_driven_by_many(const GraphRegion& region);

/// Iterations in one round of a loop on the GPU, 1 to 64, begun at once when so many may. With
/// `loop: auto` it is more than `unroll: 1` says where iterations are short and nobody waits for a
/// single one.
std::uint32_t iterations_in_round(const GraphRegion& region);

}  // namespace gxr
