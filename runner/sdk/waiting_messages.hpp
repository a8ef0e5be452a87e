#pragma once

#include <cstddef>
#include <string>

#include "document/number_text.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// Messages in both stages of a queue.
inline std::size_t waiting_in(const Queue& queue) { return queue.size() + queue.back_size(); }

/// "1 message", "2 messages".
inline std::string count_of_messages(std::size_t count) {
  return counted(count, "message", "messages");
}

}  // namespace gxr
