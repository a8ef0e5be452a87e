#pragma once

#include <cstdint>

#include "demosaic_estimate.hpp"

namespace gxr::kernels {

/// Two sums of 8-bit samples in the halves of a word. Sums, differences and products with small
/// numbers are those of the word, because carries and borrows between the halves cancel once both
/// end between 0 and 65,535; scale_down sees to that before it looks at the halves.
struct Pair {
  std::uint32_t bits;

  friend __device__ Pair operator+(Pair a, Pair b) { return {a.bits + b.bits}; }
  friend __device__ Pair operator-(Pair a, Pair b) { return {a.bits - b.bits}; }
  friend __device__ Pair operator*(int factor, Pair a) {
    return {static_cast<std::uint32_t>(factor) * a.bits};
  }
};

/// The results are bytes 0 and 2 of the word; the other two mean nothing.
template <int Shift>
struct ScaleDown<std::uint8_t, Shift, Pair> {
  __device__ static Pair apply(Pair sum) {
    constexpr std::uint32_t both = 0x00010001U;
    constexpr std::uint32_t lift = 4096;  // no sum is below -3,060
    constexpr std::uint32_t half = 1U << (Shift - 1);
    constexpr std::uint32_t top = (256U << Shift) - 1;
    const std::uint32_t above = sum.bits + lift * both;
    const std::uint32_t clipped =
        __viaddmin_s16x2_relu(above, ((half - lift) & 0xffffU) * both, top * both);
    return {clipped >> Shift};
  }
};

/// Likewise; what is shifted out of the upper half lands in the bytes that mean nothing.
template <int Shift>
struct Mean<std::uint8_t, Shift, Pair> {
  __device__ static Pair apply(Pair sum) {
    constexpr std::uint32_t half = 0x00010001U << (Shift - 1);
    return {(sum.bits + half) >> Shift};
  }
};

}  // namespace gxr::kernels
