#include "gxr/kernels/orient.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "orientation_steps.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class P>
void mirror_row(const P* __restrict from, P* __restrict to, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    std::memcpy(to + x, from + (width - 1 - x), sizeof(P));
  }
}

template <class P, class T>
void mirror(ImageView<const T> in, ImageView<T> out) {
  for (std::int64_t y = 0; y < in.height; ++y) {
    run_vectorized<&mirror_row<P>>(reinterpret_cast<const P*>(in.row(y)),
                                   reinterpret_cast<P*>(out.row(y)), in.width);
  }
}

constexpr std::int64_t kSide = 32;

/// The pixels from (left, top) to (right, bottom) of `out`.
template <class P, class T>
void transpose_part(ImageView<const T> in, ImageView<T> out, std::int64_t left, std::int64_t top,
                    std::int64_t right, std::int64_t bottom) {
  for (std::int64_t y = top; y < bottom; ++y) {
    auto* const to = reinterpret_cast<P*>(out.row(y));
    const auto* from =
        reinterpret_cast<const std::byte*>(in.row(left)) + y * static_cast<std::int64_t>(sizeof(P));
    for (std::int64_t x = left; x < right; ++x, from += in.row_stride) {
      std::memcpy(to + x, from, sizeof(P));
    }
  }
}

/// Exchanges the parts of a and b that `mask` names, those of b `shift` bits further up.
void exchange(std::uint64_t& a, std::uint64_t& b, int shift, std::uint64_t mask) {
  const std::uint64_t differing = ((a >> shift) ^ b) & mask;
  a ^= differing << shift;
  b ^= differing;
}

/// 8 x 8 bytes in registers: first halves change places, then quarters, then bytes.
void transpose_bytes(const std::byte* from, std::ptrdiff_t from_stride, std::byte* to,
                     std::ptrdiff_t to_stride) {
  std::uint64_t rows[8];
  for (std::ptrdiff_t i = 0; i < 8; ++i) {
    std::memcpy(&rows[i], from + i * from_stride, 8);
  }
  for (const int i : {0, 1, 2, 3}) {
    exchange(rows[i], rows[i + 4], 32, 0x00000000FFFFFFFFU);
  }
  for (const int i : {0, 1, 4, 5}) {
    exchange(rows[i], rows[i + 2], 16, 0x0000FFFF0000FFFFU);
  }
  for (const int i : {0, 2, 4, 6}) {
    exchange(rows[i], rows[i + 1], 8, 0x00FF00FF00FF00FFU);
  }
  for (std::ptrdiff_t i = 0; i < 8; ++i) {
    std::memcpy(to + i * to_stride, &rows[i], 8);
  }
}

using FourNumbers [[gnu::vector_size(16)]] = std::uint32_t;

/// 4 x 4 pixels of 4 bytes: pairs change places, then halves.
void transpose_numbers(const std::byte* from, std::ptrdiff_t from_stride, std::byte* to,
                       std::ptrdiff_t to_stride) {
  FourNumbers rows[4];
  for (std::ptrdiff_t i = 0; i < 4; ++i) {
    std::memcpy(&rows[i], from + i * from_stride, sizeof(rows[i]));
  }
  const FourNumbers a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
  const FourNumbers b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const FourNumbers c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
  const FourNumbers d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  rows[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  rows[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  rows[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
  for (std::ptrdiff_t i = 0; i < 4; ++i) {
    std::memcpy(to + i * to_stride, &rows[i], sizeof(rows[i]));
  }
}

/// A whole square of out at (left, top), in blocks of `side` pixels.
template <class P, class T, class Block>
void transpose_blocks(ImageView<const T> in, ImageView<T> out, std::int64_t left, std::int64_t top,
                      std::int64_t side, const Block& block) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(P));
  for (std::int64_t y = top; y < top + kSide; y += side) {
    for (std::int64_t x = left; x < left + kSide; x += side) {
      block(reinterpret_cast<const std::byte*>(in.row(x)) + y * kBytes, in.row_stride,
            reinterpret_cast<std::byte*>(out.row(y)) + x * kBytes, out.row_stride);
    }
  }
}

/// A whole square of out at (left, top).
template <class P, class T>
void transpose_square(ImageView<const T> in, ImageView<T> out, std::int64_t left,
                      std::int64_t top) {
  if constexpr (sizeof(P) == 1) {
    transpose_blocks<P>(in, out, left, top, 8, transpose_bytes);
  } else if constexpr (sizeof(P) == 4) {
    transpose_blocks<P>(in, out, left, top, 4, transpose_numbers);
  } else if constexpr (sizeof(P) == 3) {
    // Four bytes at once; the fourth is the next pixel's, which is written next.
    for (std::int64_t y = top; y < top + kSide; ++y) {
      auto* to = reinterpret_cast<std::byte*>(out.row(y)) + 3 * left;
      const auto* from = reinterpret_cast<const std::byte*>(in.row(left)) + 3 * y;
      for (std::int64_t x = 0; x + 1 < kSide; ++x, to += 3, from += in.row_stride) {
        std::memcpy(to, from, 4);
      }
      std::memcpy(to, from, 3);
    }
  } else {
    transpose_part<P>(in, out, left, top, left + kSide, top + kSide);
  }
}

/// In squares, so that what is read and what is written fits into the first cache.
template <class P, class T>
void transpose(ImageView<const T> in, ImageView<T> out) {
  for (std::int64_t top = 0; top < out.height; top += kSide) {
    const std::int64_t bottom = std::min(top + kSide, out.height);
    for (std::int64_t left = 0; left < out.width; left += kSide) {
      const std::int64_t right = std::min(left + kSide, out.width);
      // Squares at the border have no pixels behind them.
      if (right < out.width && bottom < out.height) {
        transpose_square<P>(in, out, left, top);
      } else {
        transpose_part<P>(in, out, left, top, right, bottom);
      }
    }
  }
}

}  // namespace

template <class T>
void orient(ImageInput<T> in, ImageView<T> out, Orientation orientation) {
  require_orientable<T>(in, out, orientation);
  const OrientationStep step = split_orientation<T>(in, out, orientation);
  if (step == OrientationStep::kCopy) {
    for (std::int64_t y = 0; y < in.height; ++y) {
      std::memcpy(out.row(y), in.row(y), static_cast<std::size_t>(in.row_elements()) * sizeof(T));
    }
    return;
  }
  with_pixel<T>(in.channels, [&](auto pixel) {
    using P = decltype(pixel);
    step == OrientationStep::kMirror ? mirror<P>(in, out) : transpose<P>(in, out);
  });
}

template void orient(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, Orientation);
template void orient(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, Orientation);
template void orient(ImageView<const float>, ImageView<float>, Orientation);

}  // namespace gxr::kernels
