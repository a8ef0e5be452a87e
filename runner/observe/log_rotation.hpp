#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "internal_api.hpp"

namespace gxr {

/// When a log file makes room for a new one, and how many old ones stay.
struct LogRotation {
  std::uint64_t bytes = 0;  ///< of a file at most, unless one line has more; 0: no limit
  int count = 5;            ///< old files: FILE.1 is the last one, FILE.5 the oldest
};

/// Reads "SIZE[,COUNT]", such as "10MB" or "512KiB,3". SIZE has a unit, as parameters have it, and
/// is 1 KB or more; COUNT is 1 to 999. Empty when it is none.
GXR_INTERNAL_API std::optional<LogRotation> parse_log_rotation(std::string_view text);

}  // namespace gxr
