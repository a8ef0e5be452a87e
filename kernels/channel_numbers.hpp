#pragma once

#include <cmath>
#include <cstdint>

#include "contract.hpp"

namespace gxr::kernels {

/// A number for each channel, by value.
struct ChannelNumbers {
  float of[4] = {};
};

/// Throws std::invalid_argument unless there are `channels` finite numbers.
inline ChannelNumbers checked_numbers(const float* numbers, std::int64_t channels) {
  require(numbers != nullptr, "numbers of the channels must not be null");
  ChannelNumbers checked;
  for (std::int64_t c = 0; c < channels; ++c) {
    require(std::isfinite(numbers[c]), "numbers of the channels must be finite");
    checked.of[c] = numbers[c];
  }
  return checked;
}

}  // namespace gxr::kernels
