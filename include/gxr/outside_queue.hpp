#pragma once

#include <cstddef>

#include "gxr/export.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr {

/// What a queue is, too, whose other end is outside of the application: messages come into it, or
/// room in it comes back, by what happens there. Connections do not lead to it or from it. Its
/// capacity(), size() and back_size() may be asked by any thread. Terms that wait for such a queue
/// answer WAIT_EVENT, and NEVER when nothing can come any more.
class GXR_API OutsideQueue {
 public:
  OutsideQueue() = default;
  OutsideQueue(const OutsideQueue&) = delete;
  OutsideQueue& operator=(const OutsideQueue&) = delete;
  virtual ~OutsideQueue();

  /// Can something still come from outside? What came before a false is counted by size(). Throws
  /// the Error that kept it from coming. Any thread.
  [[nodiscard]] virtual bool is_open() = 0;
  /// Context::notify is called for `term` whenever something has come from outside, until the queue
  /// is deinitialized. Any thread.
  virtual void watch(const Component& term) = 0;
};

/// The queue as such a one; nullptr for queues of the application itself.
[[nodiscard]] GXR_API OutsideQueue* outside_queue(Queue& queue) noexcept;

/// What a term answers while `queue` does not have the `needed` messages, or the room for them,
/// that it waits for: WAIT, or for an OutsideQueue WAIT_EVENT or NEVER. To be asked before the
/// messages are counted. Throws what is_open() throws.
[[nodiscard]] GXR_API ConditionType answer_while_waiting(Queue& queue, std::size_t needed);

}  // namespace gxr
