#include "map.cuh"
#include "raw_group.hpp"

namespace gxr::kernels {
namespace {

/// Groups of bytes to groups of pixels.
template <RawFormat Format, RawScale Scale>
struct UnpackRun {
  static constexpr int kPixels = static_cast<int>(raw_group_pixels(Format));
  static constexpr int kBytes = static_cast<int>(raw_group_bytes(Format));

  template <int InChunks, int OutChunks>
  __device__ void operator()(const Run<std::uint8_t, InChunks>& in,
                             Run<std::uint16_t, OutChunks>& out, Place) const {
    static_assert(in.kCount / kBytes == out.kCount / kPixels);
#pragma unroll
    for (int group = 0; group < out.kCount / kPixels; ++group) {
      std::uint32_t low = 0;
#pragma unroll
      for (int i = kPixels; i < kBytes; ++i) {
        low |= in.bits(group * kBytes + i) << (8 * (i - kPixels));
      }
#pragma unroll
      for (int i = 0; i < kPixels; ++i) {
        out.append_bits(group * kPixels + i,
                        raw_sample<Format, Scale>(in.bits(group * kBytes + i), low, i));
      }
    }
  }
};

}  // namespace

void unpack_raw(ImageView<const std::uint8_t> packed, ImageView<std::uint16_t> bayer,
                RawFormat format, RawScale scale, Stream stream) {
  const ImageView<const std::uint8_t> used = require_raw(packed, bayer, format);
  require_stream(stream);
  with_raw_format(format, scale, [&]<RawFormat Format, RawScale Scale>() {
    using Unpack = UnpackRun<Format, Scale>;
    map_anywhere<Unpack::kBytes, Unpack::kPixels>("unpack_raw", used, bayer, stream, Unpack{});
  });
}

}  // namespace gxr::kernels
