#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "gxr/parameter.hpp"
#include "runtime/turn_task.hpp"

namespace gxr {

/// What a program changes while the application runs, until the entity's next turn, when nobody
/// uses its components. Thread-safe.
class PendingChanges {
 public:
  struct Value {
    EntityId entity = kNone;
    ParameterBase* parameter = nullptr;    ///< of a component of the entity
    std::unique_ptr<ParameterBase> value;  ///< made by EngineAccess::make_another()
    ComponentId component = kNone;         ///< that of the parameter
    std::uint32_t exchanges = 0;           ///< of the component, until the value was read
  };
  struct Changes {
    std::vector<Value> values;
    std::optional<bool> enabled;     ///< an operator is switched on or off
    std::shared_ptr<TurnTask> task;  ///< behind the values
  };

  /// Makes any() true as long as it lives, so that an executor sees to what comes from outside
  /// between two turns of entities. Any thread.
  class Knock {
   public:
    explicit Knock(PendingChanges& changes) noexcept : changes_(changes) {
      changes_.entities_.fetch_add(1, std::memory_order_relaxed);
    }
    Knock(const Knock&) = delete;
    Knock& operator=(const Knock&) = delete;
    ~Knock() { changes_.entities_.fetch_sub(1, std::memory_order_relaxed); }

   private:
    PendingChanges& changes_;
  };

  explicit PendingChanges(std::size_t entities);

  /// All are there for take() at the same time. Of several values of one parameter that
  /// nobody took meanwhile, the last one counts. Returns the entities that had nothing before: they
  /// are to be looked at, which others are already.
  [[nodiscard]] std::vector<EntityId> add(std::vector<Value> values);
  /// The same of one entity: true when it had nothing before.
  [[nodiscard]] bool enable(EntityId entity, bool on);
  /// The same for work in the entity's turn. Precondition: it has no other work to do.
  bool add(EntityId entity, std::shared_ptr<TurnTask> task);
  /// is_due() leaves this entity to somebody who calls take(). Before the run.
  void leave(EntityId entity) noexcept { left_[entity] = true; }

  /// Is there anything for anybody? A load; what was added is seen by who was told of it.
  [[nodiscard]] bool any() const noexcept { return entities_.load(std::memory_order_relaxed) > 0; }
  /// The same for some entities.
  [[nodiscard]] bool any(std::span<const EntityId> entities) const noexcept {
    return any() && std::ranges::any_of(entities, [this](EntityId entity) {
             return due_[entity].load(std::memory_order_relaxed);
           });
  }
  /// Is there work to do in a turn of one of them?
  [[nodiscard]] bool has_task(std::span<const EntityId> entities);
  /// Is there anything for an entity of which the changes are not left to somebody? Take it then,
  /// if nobody uses its components.
  [[nodiscard]] bool is_due(EntityId entity) const noexcept {
    return !left_[entity] && due_[entity].load(std::memory_order_relaxed);
  }
  /// What there is for an entity, which then has nothing any more. `with_task`: nothing is taken
  /// unless there is work to do for it.
  [[nodiscard]] Changes take(EntityId entity, bool with_task = false);
  /// The same of several entities, in their order: what was added together is taken together.
  [[nodiscard]] std::vector<Changes> take(std::span<const EntityId> entities);
  /// Puts the values into their parameters.
  static void put(const Changes& changes);

 private:
  Changes& changes_of(EntityId entity, bool& is_new);
  [[nodiscard]] Changes take_locked(EntityId entity);

  std::atomic<std::size_t> entities_{0};  // with changes, and Knocks
  std::vector<std::atomic<bool>> due_;    // by EntityId
  std::vector<bool> left_;                // by EntityId
  std::mutex mutex_;                      // guards changes_
  std::unordered_map<EntityId, Changes> changes_;
};

}  // namespace gxr
