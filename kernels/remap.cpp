#include "gxr/kernels/remap.hpp"

#include <cstring>
#include <type_traits>

#include "remap_sample.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

using EightBytes [[gnu::vector_size(8)]] = std::uint8_t;
using EightWords [[gnu::vector_size(16)]] = std::uint16_t;
using FourWords [[gnu::vector_size(8)]] = std::uint16_t;
using FourNumbers [[gnu::vector_size(16)]] = std::uint32_t;
using FourBytes [[gnu::vector_size(4)]] = std::uint8_t;

/// Two pixels side by side, of 4 channels each; of 3, the fourth means nothing.
template <int Channels>
EightWords two_pixels(const std::uint8_t* at) {
  EightBytes bytes;
  std::memcpy(&bytes, at, sizeof(bytes));
  if constexpr (Channels == 3) {
    bytes = __builtin_shufflevector(bytes, bytes, 0, 1, 2, 6, 3, 4, 5, 6);
  }
  return __builtin_convertvector(bytes, EightWords);
}

/// The values between two pixels, in 256ths: at most 255 * 256.
FourNumbers between(EightWords pixels, EightWords weights) {
  const EightWords weighted = pixels * weights;
  const FourWords sum = __builtin_shufflevector(weighted, weighted, 0, 1, 2, 3) +
                        __builtin_shufflevector(weighted, weighted, 4, 5, 6, 7);
  return __builtin_convertvector(sum, FourNumbers);
}

/// As remap_pixel() for 3 or 4 bytes, where eight bytes can be read from each of two rows: the same
/// sums, of all channels at once.
template <int Channels>
void remap_bytes(const ImageView<const std::uint8_t>& in, PicturePlace place, std::uint8_t* out) {
  constexpr std::uint32_t kOne = 1U << kPlaceBits;
  const auto right = static_cast<std::uint16_t>(static_cast<std::uint32_t>(place.x) % kOne);
  const auto left = static_cast<std::uint16_t>(kOne - right);
  const std::uint32_t low = static_cast<std::uint32_t>(place.y) % kOne;
  const EightWords weights{left, left, left, left, right, right, right, right};
  const std::uint8_t* const upper =
      in.row(place.y >> kPlaceBits) + std::int64_t{place.x >> kPlaceBits} * Channels;
  const FourNumbers sums = between(two_pixels<Channels>(upper), weights) * (kOne - low) +
                           between(two_pixels<Channels>(upper + in.row_stride), weights) * low;
  const FourBytes result =
      __builtin_convertvector((sums + (1U << (2 * kPlaceBits - 1))) >> (2 * kPlaceBits), FourBytes);
  std::memcpy(out, &result, Channels);
}

/// Are the pixel at a place, the one to the right, and more where they are not eight bytes, in the
/// picture, and the ones below?
template <int Channels, class T>
bool is_inside(const ImageView<const T>& in, PicturePlace place) {
  const std::int64_t x = place.x >> kPlaceBits;
  const std::int64_t y = place.y >> kPlaceBits;
  return x >= 0 && y >= 0 && x + (Channels == 4 ? 1 : 2) < in.width && y + 1 < in.height;
}

template <int Channels, class T>
void remap_row(ImageView<const T> in, T* row, const PicturePlace* places, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x, row += Channels) {
    if constexpr (std::is_same_v<T, std::uint8_t> && Channels >= 3) {
      if (is_inside<Channels>(in, places[x])) {
        remap_bytes<Channels>(in, places[x], row);
        continue;
      }
    }
    remap_pixel<Channels>(in, places[x], row);
  }
}

template <int Channels, class T>
void remap(ImageView<const T> in, ImageView<T> out, const PicturePlace* places) {
  for (std::int64_t y = 0; y < out.height; ++y, places += out.width) {
    run_vectorized<&remap_row<Channels, T>>(in, out.row(y), places, out.width);
  }
}

}  // namespace

template <class T>
void remap_bilinear(ImageInput<T> in, ImageView<T> out, const PicturePlace* places) {
  require_remap<T>(in, out, places);
  switch (in.channels) {
    case 1:
      return remap<1>(in, out, places);
    case 2:
      return remap<2>(in, out, places);
    case 3:
      return remap<3>(in, out, places);
    default:
      return remap<4>(in, out, places);
  }
}

template void remap_bilinear(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                             const PicturePlace*);
template void remap_bilinear(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                             const PicturePlace*);
template void remap_bilinear(ImageView<const float>, ImageView<float>, const PicturePlace*);

}  // namespace gxr::kernels
