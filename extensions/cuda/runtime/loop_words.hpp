#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "owned.hpp"

namespace gxr::cuda {

// Words that the host and the control kernels of a loop share.

/// Beginnings of words, slots and tables are multiples of this.
constexpr std::size_t kAligned = 256;

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kAligned - 1) / kAligned * kAligned;
}

/// A word in page-locked memory, which the host reads and writes.
inline std::atomic_ref<std::uint64_t> shared(std::uint64_t* word) {
  return std::atomic_ref<std::uint64_t>(*word);
}

/// Writes a word in memory of any kind, in the order of a stream.
void write_word(std::uint64_t* word, std::uint64_t value, StreamRef stream);
/// Writes two words, the first one first.
void write_words(const std::array<std::pair<std::uint64_t*, std::uint64_t>, 2>& words,
                 StreamRef stream);

}  // namespace gxr::cuda
