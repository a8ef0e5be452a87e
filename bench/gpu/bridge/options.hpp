#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
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

/// Calls `set(key, value)` for each pair of arguments; the value of a key at the end is empty.
/// Throws std::invalid_argument when it returns false: nobody knows the key.
template <class Set>
void read_options(int argc, char** argv, Set set) {
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    if (!set(key, std::string(i + 1 < argc ? argv[i + 1] : ""))) {
      throw std::invalid_argument("unknown option '" + key + "'");
    }
  }
}

}  // namespace by_hand
