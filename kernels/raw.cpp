#include "gxr/kernels/raw.hpp"

#include "raw_group.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <RawFormat Format, RawScale Scale>
void unpack_row(const std::uint8_t* __restrict packed, std::uint16_t* __restrict bayer,
                std::int64_t groups) {
  constexpr int pixels = static_cast<int>(raw_group_pixels(Format));
  constexpr int bytes = static_cast<int>(raw_group_bytes(Format));
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::uint8_t* const from = packed + group * bytes;
    std::uint32_t low = 0;
    for (int i = pixels; i < bytes; ++i) {
      low |= std::uint32_t{from[i]} << (8 * (i - pixels));
    }
    for (int i = 0; i < pixels; ++i) {
      bayer[group * pixels + i] =
          static_cast<std::uint16_t>(raw_sample<Format, Scale>(from[i], low, i));
    }
  }
}

}  // namespace

void unpack_raw(ImageView<const std::uint8_t> packed, ImageView<std::uint16_t> bayer,
                RawFormat format, RawScale scale) {
  const ImageView<const std::uint8_t> used = require_raw(packed, bayer, format);
  const std::int64_t groups = bayer.width / raw_group_pixels(format);
  with_raw_format(format, scale, [&]<RawFormat Format, RawScale Scale>() {
    for (std::int64_t y = 0; y < bayer.height; ++y) {
      run_vectorized<&unpack_row<Format, Scale>>(used.row(y), bayer.row(y), groups);
    }
  });
}

}  // namespace gxr::kernels
