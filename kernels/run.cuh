#pragma once

#include <cstdint>
#include <type_traits>

namespace gxr::kernels {

/// Consecutive elements that one thread works on: Chunks times 16 bytes, in registers. Indices
/// must be known at compile time once loops are unrolled.
template <class T, int Chunks>
struct Run {
  static constexpr int kCount = Chunks * 16 / static_cast<int>(sizeof(T));
  static constexpr int kPerWord = 4 / static_cast<int>(sizeof(T));
  static constexpr int kBits = 8 * static_cast<int>(sizeof(T));

  std::uint32_t words[4 * Chunks];

  __device__ T get(int i) const {
    if constexpr (std::is_same_v<T, float>) {
      return __uint_as_float(words[i]);
    } else {
      return static_cast<T>(bits(i));
    }
  }

  __device__ std::uint32_t bits(int i) const {
    constexpr std::uint32_t mask = 0xffffffffU >> (32 - kBits);
    return words[i / kPerWord] >> (i % kPerWord * kBits) & mask;
  }

  /// Elements must come in order, and all of them.
  __device__ void append(int i, T value) {
    if constexpr (std::is_same_v<T, float>) {
      words[i] = __float_as_uint(value);
    } else {
      append_bits(i, value);
    }
  }

  __device__ void append_bits(int i, std::uint32_t value) {
    if (i % kPerWord == 0) {
      words[i / kPerWord] = value;
    } else {
      words[i / kPerWord] |= value << (i % kPerWord * kBits);
    }
  }
};

template <class T, int Chunks>
__device__ void set_chunk(Run<T, Chunks>& run, int j, uint4 chunk) {
  run.words[4 * j] = chunk.x;
  run.words[4 * j + 1] = chunk.y;
  run.words[4 * j + 2] = chunk.z;
  run.words[4 * j + 3] = chunk.w;
}

template <class T, int Chunks>
__device__ uint4 chunk_of(const Run<T, Chunks>& run, int j) {
  return make_uint4(run.words[4 * j], run.words[4 * j + 1], run.words[4 * j + 2],
                    run.words[4 * j + 3]);
}

}  // namespace gxr::kernels
