#pragma once

// What messages of the bridge benchmark are told apart by.

#include <cstddef>
#include <cstdint>

namespace bridge {

/// Elements that carry the number of their message; the others are whatever they were. Writing all
/// of a large message would take longer than moving it.
constexpr std::size_t kMarks = 16;

/// Index of mark `i` in a message of `count` elements, at least 2: from the first element to the
/// last.
constexpr std::size_t mark_index(std::size_t i, std::size_t count) {
  return i * (count - 1) / (kMarks - 1);
}

inline void write_marks(std::int32_t* data, std::size_t count, std::int32_t number) {
  for (std::size_t i = 0; i < kMarks; ++i) {
    data[mark_index(i, count)] = number;
  }
}

inline bool has_marks(const std::int32_t* data, std::size_t count, std::int32_t number) {
  for (std::size_t i = 0; i < kMarks; ++i) {
    if (data[mark_index(i, count)] != number) {
      return false;
    }
  }
  return true;
}

}  // namespace bridge
