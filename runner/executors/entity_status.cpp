#include "executors/entity_status.hpp"

#include <utility>

#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

/// Queues of an extension's own may throw; then it is not known.
void tell(QueueStatus& status, const Queue& queue) {
  const StagedRing* const ring = EngineAccess::content(queue);
  status.dropped = EngineAccess::lost(queue) + (ring != nullptr ? ring->dropped() : 0);
  try {
    status.messages = ring != nullptr ? ring->total() : queue.size() + queue.back_size();
    status.capacity = queue.capacity();
    if (ring != nullptr && status.is_input) {
      status.peak = ring->peak();
      status.arrived = ring->arrived();
    }
  } catch (...) {
    status.messages.reset();
  }
}

}  // namespace

EntityStatus entity_frame(const LiveEntity& entity, std::uint64_t ticks) {
  EntityStatus status;
  status.entity = entity.graph->name;
  status.ticks = ticks;
  status.queues.reserve(entity.receivers.size() + entity.transmitters.size());
  for (const Receiver* receiver : entity.receivers) {
    status.queues.emplace_back().queue = receiver->full_name();
  }
  for (const Transmitter* transmitter : entity.transmitters) {
    QueueStatus& queue = status.queues.emplace_back();
    queue.queue = transmitter->full_name();
    queue.is_input = false;
  }
  return status;
}

void tell_queues(EntityStatus& status, const LiveEntity& entity) {
  std::size_t index = 0;
  for (const Receiver* receiver : entity.receivers) {
    tell(status.queues[index++], *receiver);
  }
  for (const Transmitter* transmitter : entity.transmitters) {
    tell(status.queues[index++], *transmitter);
  }
}

void tell_last(EntityStatus& status, const LiveEntity& entity, bool has_finished) {
  tell_queues(status, entity);
  status.state = has_finished ? EntityState::Finished : EntityState::Waiting;
}

void tell_waiting(EntityStatus& status, std::vector<std::string> reasons) {
  status.state = reasons.empty() ? EntityState::Ready : EntityState::Waiting;
  status.reasons = std::move(reasons);
}

}  // namespace gxr
