#include "arguments.hpp"

#include <stdexcept>
#include <string>

namespace gxr::kernels {
namespace {

void require_entry(int entry, std::int64_t index, std::int64_t in_channels) {
  if (entry < 0 || entry >= in_channels) {
    throw std::invalid_argument("channel order: entry " + std::to_string(index) + " is " +
                                std::to_string(entry) + ", the input has channels 0 to " +
                                std::to_string(in_channels - 1));
  }
}

}  // namespace

ChannelOrder checked_order(const int* order, std::int64_t in_channels, std::int64_t out_channels) {
  require(order != nullptr, "channel order must not be null");
  ChannelOrder checked{};
  for (std::int64_t c = 0; c < out_channels; ++c) {
    require_entry(order[c], c, in_channels);
    checked.of[c] = order[c];
  }
  return checked;
}

}  // namespace gxr::kernels
