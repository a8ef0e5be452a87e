#pragma once

#include <cstdint>

#include "contract.hpp"
#include "gxr/kernels/remap.hpp"

/// One pixel between four, on host and device.

namespace gxr::kernels {

constexpr std::int64_t kMostRemapSide = std::int64_t{1} << 22;

/// In units of 2^-16, which add up to 1.
template <class T>
struct RemapSum {
  std::uint32_t sum = 0;

  GXR_HOST_DEVICE void add(T value, std::uint32_t weight) { sum += weight * value; }
  GXR_HOST_DEVICE T result() const {
    // The sum of the greatest values and the half is less than 2^32.
    return static_cast<T>((sum + (1U << (2 * kPlaceBits - 1))) >> (2 * kPlaceBits));
  }
};

template <>
struct RemapSum<float> {
  float sum = 0;

  GXR_HOST_DEVICE void add(float value, std::uint32_t weight) {
    sum += static_cast<float>(weight) * value;
  }
  GXR_HOST_DEVICE float result() const { return sum * (1.0F / (1U << (2 * kPlaceBits))); }
};

/// Writes the pixel at `place` in `in` to `out`.
template <int Channels, class T>
GXR_HOST_DEVICE inline void remap_pixel(const ImageView<const T>& in, PicturePlace place, T* out) {
  constexpr std::uint32_t kOne = 1U << kPlaceBits;
  const std::int32_t x = place.x >> kPlaceBits;
  const std::int32_t y = place.y >> kPlaceBits;
  const std::uint32_t right = static_cast<std::uint32_t>(place.x) % kOne;
  const std::uint32_t low = static_cast<std::uint32_t>(place.y) % kOne;
  const std::uint32_t weights[4] = {(kOne - right) * (kOne - low), right * (kOne - low),
                                    (kOne - right) * low, right * low};
  if (x >= 0 && y >= 0 && x + 1 < in.width && y + 1 < in.height) {
    const T* const upper = in.row(y) + static_cast<std::int64_t>(x) * Channels;
    const T* const lower = in.row(y + 1) + static_cast<std::int64_t>(x) * Channels;
    for (int c = 0; c < Channels; ++c) {
      RemapSum<T> sum;
      sum.add(upper[c], weights[0]);
      sum.add(upper[Channels + c], weights[1]);
      sum.add(lower[c], weights[2]);
      sum.add(lower[Channels + c], weights[3]);
      out[c] = sum.result();
    }
    return;
  }
  RemapSum<T> sums[Channels];
  for (int i = 0; i < 4; ++i) {
    const std::int64_t column = x + i % 2;
    const std::int64_t row = y + i / 2;
    if (column >= 0 && row >= 0 && column < in.width && row < in.height) {
      for (int c = 0; c < Channels; ++c) {
        sums[c].add(in.row(row)[column * Channels + c], weights[i]);
      }
    }
  }
  for (int c = 0; c < Channels; ++c) {
    out[c] = sums[c].result();
  }
}

template <class T>
void require_remap(ImageView<const T> in, ImageView<T> out, const PicturePlace* places) {
  require_image(in, "in");
  require_image(out, "out");
  require_same_channels(in, out);
  require(in.width <= kMostRemapSide && in.height <= kMostRemapSide, "in is larger than 2^22");
  require(places != nullptr, "places is null");
}

}  // namespace gxr::kernels
