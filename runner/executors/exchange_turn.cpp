#include "executors/exchange_turn.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gxr {

void take_turn(Instance& instance, Turn& turn) {
  LiveEntity& entity = turn.entity;
  PendingChanges::Changes changes = instance.changes().take(entity.id, !entity.hold.empty());
  instance.put(changes.values);
  if (changes.task != nullptr) {
    if (!entity.started && !turn.has_finished) {
      instance.changes().add(entity.id, std::move(changes.task));  // behind its start
    } else {
      changes.task->run(turn);
    }
  }
  if (entity.broken) {
    throw ComponentFailure(*entity.broken);
  }
}

bool is_guarded(LiveEntity& entity) noexcept {
  if (entity.probation != nullptr && entity.probation->is_over()) {
    entity.probation.reset();
  }
  return entity.probation != nullptr || entity.restarts != nullptr;
}

std::uint64_t messages_for(const LiveEntity& entity) {
  std::uint64_t messages = 0;
  for (const Receiver* const receiver : entity.receivers) {
    messages += receiver->size();
  }
  return messages;
}

bool rescue_tick(Instance& instance, Turn& turn, const Failure& failure, std::uint64_t before) {
  if (failure.method != "tick") {
    return false;
  }
  LiveEntity& entity = turn.entity;
  const std::uint64_t after = messages_for(entity);
  const std::uint64_t lost = before > after ? before - after : 0;
  for (const std::shared_ptr<TickGuard>& guard : {entity.probation, entity.restarts}) {
    if (guard != nullptr && guard->rescue(turn, failure, lost)) {
      instance.exchange_facts(entity.id).lost.fetch_add(lost, std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

}  // namespace gxr
