#pragma once

#include <cstddef>
#include <string>

#include "document/number_text.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// Messages in both stages of a queue.
inline std::size_t waiting_in(const Queue& queue) { return queue.size() + queue.back_size(); }

/// What the context of an application that runs on several threads says about receivers.
class ReceiverCounts {
 public:
  virtual ~ReceiverCounts() = default;
  /// Messages in both stages, and on their way to them. Any thread, also while another one runs the
  /// receiver's entity.
  [[nodiscard]] virtual std::size_t messages_in(const Receiver& receiver) const = 0;
};

/// "1 message", "2 messages".
inline std::string count_of_messages(std::size_t count) {
  return counted(count, "message", "messages");
}

}  // namespace gxr
