#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace gxr::dds {

/// The text without its digits: texts that differ only in numbers are of one kind.
[[nodiscard]] std::string kind_of_text(std::string_view text);

/// Which texts of a library are told: each kind of text once in a minute, and of those behind the
/// first 256 kinds, one in a minute. Thread-safe.
class RepeatedTexts {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// True: it is to be told.
  bool add(std::string_view text, Time now);

 private:
  static constexpr std::size_t kMostKinds = 256;

  std::mutex mutex_;  // guards the member below
  std::map<std::string, Time, std::less<>> told_;
};

}  // namespace gxr::dds
