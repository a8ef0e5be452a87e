#pragma once

#include <cstdint>

#include "demosaic_estimate.hpp"

namespace gxr::kernels {

/// Two sums of 8-bit samples in the halves of a word. Sums, differences and products with small
/// numbers are those of the word, because carries and borrows between the halves cancel once both
/// end between 0 and 65,535; sums that may be negative are lifted for that.
struct Pair {
  std::uint32_t bits;

  friend __device__ Pair operator+(Pair a, Pair b) { return {a.bits + b.bits}; }
  friend __device__ Pair operator-(Pair a, Pair b) { return {a.bits - b.bits}; }
  friend __device__ Pair operator*(int factor, Pair a) {
    return {static_cast<std::uint32_t>(factor) * a.bits};
  }
};

/// A result lies in bytes 1 and 3 of its word, and the other two mean nothing: multiplication,
/// unlike a shift to the right, is not work for the same units as all the byte permutations.
__device__ inline Pair as_result(Pair samples) { return {samples.bits * 256U}; }

template <class S>
__device__ S as_result(S sample) {
  return sample;
}

template <int Lift>
__device__ Pair lifted(Pair sum) {
  return {sum.bits + 0x00010001U * Lift};
}

template <int Shift, int Lift>
struct ScaleDown<std::uint8_t, Shift, Lift, Pair> {
  __device__ static Pair apply(Pair sum) {
    constexpr std::uint32_t both = 0x00010001U;
    constexpr int half = 1 << (Shift - 1);
    constexpr std::uint32_t top = (256U << Shift) - 1;
    const std::uint32_t clipped = __viaddmin_s16x2_relu(
        sum.bits, (static_cast<std::uint32_t>(half - Lift) & 0xffffU) * both, top * both);
    return {clipped * (1U << (8 - Shift))};
  }
};

template <int Shift>
struct Mean<std::uint8_t, Shift, Pair> {
  __device__ static Pair apply(Pair sum) {
    constexpr std::uint32_t half = 0x00800080U;  // of a step
    return {sum.bits * (1U << (8 - Shift)) + half};
  }
};

}  // namespace gxr::kernels
