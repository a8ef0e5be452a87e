#pragma once

#include <string_view>

#include "internal_api.hpp"

namespace gxr {

/// One line on the terminal that standard error is, which renews itself below everything else that
/// gxr writes there. Thread-safe.
class ProgressLine {
 public:
  /// Writes the line, or takes its place. `text` is printable, and shorter than the terminal is
  /// wide.
  GXR_INTERNAL_API static void show(std::string_view text);
  /// Erases it.
  GXR_INTERNAL_API static void end();
  /// Is it there? Async-signal-safe.
  [[nodiscard]] static bool is_shown() noexcept;

  /// The line is not there as long as this lives, in which the calling thread alone writes to
  /// standard error.
  class Hidden {
   public:
    Hidden();
    Hidden(const Hidden&) = delete;
    Hidden& operator=(const Hidden&) = delete;
    ~Hidden();
  };
};

/// Moves to the beginning of the terminal's line, and erases it.
inline constexpr std::string_view kEraseLine = "\r\x1b[K";

}  // namespace gxr
