#include "runtime/pending_changes.hpp"

#include <algorithm>

namespace gxr {

PendingChanges::PendingChanges(std::size_t entities) : due_(entities), left_(entities, false) {}

/// Precondition: mutex_ is locked.
PendingChanges::Changes& PendingChanges::changes_of(EntityId entity) {
  const auto [found, is_new] = changes_.try_emplace(entity);
  if (is_new) {
    due_[entity].store(true, std::memory_order_relaxed);
    entities_.fetch_add(1, std::memory_order_relaxed);
  }
  return found->second;
}

void PendingChanges::add(std::vector<Value> values) {
  const std::lock_guard lock(mutex_);
  for (Value& added : values) {
    std::vector<Value>& waiting = changes_of(added.entity).values;
    const auto same = std::ranges::find(waiting, added.parameter, &Value::parameter);
    if (same != waiting.end()) {
      *same = std::move(added);
    } else {
      waiting.push_back(std::move(added));
    }
  }
}

void PendingChanges::enable(EntityId entity, bool on) {
  const std::lock_guard lock(mutex_);
  changes_of(entity).enabled = on;
}

PendingChanges::Changes PendingChanges::take(EntityId entity) {
  const std::lock_guard lock(mutex_);
  return take_locked(entity);
}

std::vector<PendingChanges::Changes> PendingChanges::take(std::span<const EntityId> entities) {
  const std::lock_guard lock(mutex_);
  std::vector<Changes> taken;
  taken.reserve(entities.size());
  for (const EntityId entity : entities) {
    taken.push_back(take_locked(entity));
  }
  return taken;
}

/// Precondition: mutex_ is locked.
PendingChanges::Changes PendingChanges::take_locked(EntityId entity) {
  const auto found = changes_.find(entity);
  if (found == changes_.end()) {
    return {};
  }
  Changes taken = std::move(found->second);
  changes_.erase(found);
  due_[entity].store(false, std::memory_order_relaxed);
  entities_.fetch_sub(1, std::memory_order_relaxed);
  return taken;
}

void PendingChanges::put(const Changes& changes) {
  for (const Value& each : changes.values) {
    each.parameter->swap_value(*each.value);
  }
}

}  // namespace gxr
