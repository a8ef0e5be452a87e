#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace by_hand {

/// Whole numbers with commas between. Throws std::invalid_argument or std::out_of_range.
inline std::vector<std::int64_t> numbers(const std::string& text) {
  std::vector<std::int64_t> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    found.push_back(std::stoll(text.substr(at, comma - at)));
    at = comma + 1;
  }
  return found;
}

}  // namespace by_hand
