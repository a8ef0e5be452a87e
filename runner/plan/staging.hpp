#pragma once

#include <cstdint>

#include "plan/graph_region.hpp"

namespace gxr {

/// Bytes of each of the GraphOptions::slots staging buffers of an input: device memory to which
/// messages in host memory are copied while the graph works on earlier ones. 0: the input has none.
/// Large inputs of graphs that the host launches have them, but for those that another graph makes,
/// whose tensors are in device memory already.
std::uint64_t staging_buffer_bytes(const GraphRegion& region, const GraphInput& input);
/// Of all inputs together, with all their slots.
std::uint64_t staging_bytes(const GraphRegion& region);

}  // namespace gxr
