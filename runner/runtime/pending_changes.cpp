#include "runtime/pending_changes.hpp"

#include <algorithm>

#include "sdk/engine_access.hpp"

namespace gxr {

PendingChanges::PendingChanges(std::size_t entities) : due_(entities), left_(entities, false) {}

/// Precondition: mutex_ is locked.
PendingChanges::Changes& PendingChanges::changes_of(EntityId entity, bool& is_new) {
  const auto [found, added] = changes_.try_emplace(entity);
  is_new = added;
  if (added) {
    due_[entity].store(true, std::memory_order_relaxed);
    entities_.fetch_add(1, std::memory_order_relaxed);
  }
  return found->second;
}

std::vector<EntityId> PendingChanges::add(std::vector<Value> values) {
  std::vector<EntityId> fresh;
  const std::lock_guard lock(mutex_);
  for (Value& added : values) {
    bool is_new = false;
    std::vector<Value>& waiting = changes_of(added.entity, is_new).values;
    if (is_new) {
      fresh.push_back(added.entity);
    }
    const auto same = std::ranges::find_if(waiting, [&](const Value& each) {
      return each.parameter == added.parameter && each.exchanges == added.exchanges;
    });
    if (same != waiting.end()) {
      *same = std::move(added);
    } else {
      waiting.push_back(std::move(added));
    }
  }
  return fresh;
}

bool PendingChanges::enable(EntityId entity, bool on) {
  const std::lock_guard lock(mutex_);
  bool is_new = false;
  changes_of(entity, is_new).enabled = on;
  return is_new;
}

bool PendingChanges::add(EntityId entity, std::shared_ptr<TurnTask> task) {
  const std::lock_guard lock(mutex_);
  bool is_new = false;
  changes_of(entity, is_new).task = std::move(task);
  return is_new;
}

bool PendingChanges::has_task(std::span<const EntityId> entities) {
  if (!any(entities)) {
    return false;
  }
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(entities, [this](EntityId entity) {
    const auto found = changes_.find(entity);
    return found != changes_.end() && found->second.task != nullptr;
  });
}

PendingChanges::Changes PendingChanges::take(EntityId entity, bool with_task) {
  const std::lock_guard lock(mutex_);
  if (with_task) {
    const auto found = changes_.find(entity);
    if (found == changes_.end() || found->second.task == nullptr) {
      return {};
    }
  }
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
    EngineAccess::swap_value(*each.parameter, *each.value);
  }
}

}  // namespace gxr
