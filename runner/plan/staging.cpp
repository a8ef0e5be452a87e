#include "plan/staging.hpp"

namespace gxr {

std::uint64_t staging_buffer_bytes(const GraphRegion& region, const GraphInput& input) {
  const std::optional<TensorSpec>& spec = region.tensors[input.tensor].spec;
  const bool is_large = spec && spec->bytes() > kMostSmallTensorBytes;
  return region.options.mode == GraphMode::Graph && is_large && !input.from_graph ? spec->bytes()
                                                                                  : 0;
}

std::uint64_t staging_bytes(const GraphRegion& region) {
  std::uint64_t sum = 0;
  for (const GraphInput& input : region.inputs) {
    sum += region.options.slots * staging_buffer_bytes(region, input);
  }
  return sum;
}

}  // namespace gxr
