#pragma once

#include <string_view>

#include "gxr/message.hpp"

namespace gxr::dds {

/// Name of the bool of messages that follow a gap.
inline constexpr std::string_view kDiscontinuity = "discontinuity";

[[nodiscard]] inline bool follows_gap(const Message& message) {
  const bool* const found = message.find<bool>(kDiscontinuity);
  return found != nullptr && *found;
}

/// Whatever its sender said.
inline void mark_gap(Message& message) {
  if (message.find<bool>(kDiscontinuity) != nullptr) {
    message.make_writable<bool>(kDiscontinuity) = true;
  } else {
    message.add<bool>(kDiscontinuity, true);
  }
}

}  // namespace gxr::dds
