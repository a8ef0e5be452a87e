#include "gxr/outside_queue.hpp"

#include "sdk/engine_access.hpp"

namespace gxr {

OutsideQueue::~OutsideQueue() = default;

OutsideQueue* outside_queue(Queue& queue) noexcept {
  return EngineAccess::ring(queue) != nullptr ? nullptr : dynamic_cast<OutsideQueue*>(&queue);
}

ConditionType answer_while_waiting(Queue& queue, std::size_t needed) {
  OutsideQueue* const outside = outside_queue(queue);
  if (outside == nullptr) {
    return ConditionType::Wait;
  }
  if (!outside->is_open()) {
    return ConditionType::Never;
  }
  // More than it can ever hold: nothing from outside changes that. 0: not known yet.
  const std::size_t capacity = queue.capacity();
  return capacity != 0 && needed > capacity ? ConditionType::Wait : ConditionType::WaitEvent;
}

}  // namespace gxr
