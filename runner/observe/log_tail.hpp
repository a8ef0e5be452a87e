#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/log.hpp"
#include "internal_api.hpp"

namespace gxr {

/// The last lines of this process's log, for those who look at it from outside. Thread-safe.
class LogTail {
 public:
  static constexpr std::size_t kMostLines = 500;
  static constexpr std::size_t kLongestLine = 2000;  ///< bytes; the rest is cut off

  struct Line {
    std::uint64_t number = 0;  ///< from 1, in the order of the log
    std::int64_t time_ms = 0;  ///< of the Unix clock
    LogLevel level = LogLevel::Info;
    std::string text;  ///< printable
  };

  /// From now on lines are kept: nobody pays for them before.
  GXR_INTERNAL_API static void keep();
  /// Does nothing before keep().
  static void add(LogLevel level, std::string_view text);
  /// The kept lines behind the one of this number; 0: all.
  [[nodiscard]] GXR_INTERNAL_API static std::vector<Line> after(std::uint64_t number);
  /// The number of the last line; 0: there is none.
  [[nodiscard]] GXR_INTERNAL_API static std::uint64_t last() noexcept;
};

}  // namespace gxr
