#include "gxr/kernels/white_balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "arguments.hpp"
#include "color_sums.hpp"
#include "element.hpp"
#include "grey_world_gain.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

/// A multiple of 3 and of 4 channels and of all vector lengths.
constexpr std::int64_t kBlock = 96;
using GainBlock = std::array<float, kBlock>;

GainBlock repeat_gains(const float* gains, std::int64_t channels) {
  GainBlock block;
  for (std::int64_t i = 0; i < kBlock; ++i) {
    const std::int64_t channel = i % channels;
    block[static_cast<std::size_t>(i)] = channel < 3 ? gains[channel] : 1.0F;
  }
  return block;
}

/// Results go through a local block, because `in` and `out` may be the same row.
template <class T>
void gain_row(const T* in, T* out, const float* gains, std::int64_t count) {
  T block[kBlock];
  for (; count >= kBlock; count -= kBlock, in += kBlock, out += kBlock) {
    for (std::int64_t i = 0; i < kBlock; ++i) {
      block[i] = quantize<T>(static_cast<float>(in[i]) * gains[i]);
    }
    std::copy_n(block, kBlock, out);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = quantize<T>(static_cast<float>(in[i]) * gains[i]);
  }
}

template <class T>
void compute_gains(ImageView<const T> image, float* gains) {
  require_color(image, gains);
  const auto totals = color_totals<PlainSample<T>>(image);
  for (std::size_t c = 0; c < totals.size(); ++c) {
    gains[c] = gain_between(static_cast<double>(totals[1]), static_cast<double>(totals[c]));
  }
}

void require_gains(const float* gains) {
  require(std::all_of(gains, gains + 3, [](float g) { return std::isfinite(g) && g >= 0.0F; }),
          "gains must be finite and not below 0");
}

}  // namespace

void grey_world_gains(ImageView<const std::uint8_t> image, float* gains) {
  compute_gains(image, gains);
}

void grey_world_gains(ImageView<const std::uint16_t> image, float* gains) {
  compute_gains(image, gains);
}

void grey_world_gains(ImageView<const float> image, float* gains) { compute_gains(image, gains); }

template <class T>
void apply_gains(ImageInput<T> in, ImageView<T> out, const float* gains) {
  require_balance<T>(in, out, gains);
  require_gains(gains);
  const GainBlock block = repeat_gains(gains, in.channels);
  for (std::int64_t y = 0; y < in.height; ++y) {
    run_vectorized<&gain_row<T>>(in.row(y), out.row(y), block.data(), in.row_elements());
  }
}

template void apply_gains(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const float*);
template void apply_gains(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, const float*);
template void apply_gains(ImageView<const float>, ImageView<float>, const float*);

}  // namespace gxr::kernels
