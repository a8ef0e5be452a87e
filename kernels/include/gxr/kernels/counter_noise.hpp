#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"

/// Counter-based random numbers: each is a pure function of (seed, frame, row, sample), so that the
/// result does not depend on the order, the thread or the device that asks.

namespace gxr::kernels {

/// What stays the same along one row of one frame.
struct NoiseKey {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// Finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014, with Stafford's mix 13).
GXR_HOST_DEVICE constexpr std::uint64_t mix_bits(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// 32-bit bijection with low bias (C. Wellons, "hash-prospector", 16-15-15 variant); 32 bits wide
/// because that is what vector units multiply.
GXR_HOST_DEVICE constexpr std::uint32_t mix_bits(std::uint32_t value) {
  value = (value ^ (value >> 16U)) * 0x21f0aaadU;
  value = (value ^ (value >> 15U)) * 0xd35a2d97U;
  return value ^ (value >> 15U);
}

GXR_HOST_DEVICE constexpr NoiseKey noise_key(std::uint64_t seed, std::uint64_t frame,
                                             std::uint64_t row) {
  const std::uint64_t bits = mix_bits(mix_bits(mix_bits(seed) ^ frame) ^ row);
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32U)};
}

/// 32 uniformly distributed bits for sample number `sample` of the row that `key` stands for.
GXR_HOST_DEVICE constexpr std::uint32_t noise_bits(NoiseKey key, std::uint32_t sample) {
  return mix_bits(mix_bits(sample ^ key.first) ^ key.second);
}

/// Gaussian-like, mean 0, standard deviation 1: the sum of four uniform 16-bit numbers
/// (Irwin-Hall), hence within +-3.47.
GXR_HOST_DEVICE constexpr float noise_normal(NoiseKey key, std::uint32_t sample) {
  const std::uint32_t a = noise_bits(key, 2U * sample);
  const std::uint32_t b = noise_bits(key, 2U * sample + 1U);
  const std::uint32_t sum = (a & 0xffffU) + (a >> 16U) + (b & 0xffffU) + (b >> 16U);
  constexpr int mean = 2 * 65535;
  constexpr float deviation = 37837.227F;  // sqrt(4 * (65536^2 - 1) / 12)
  return static_cast<float>(static_cast<int>(sum) - mean) / deviation;
}

}  // namespace gxr::kernels
