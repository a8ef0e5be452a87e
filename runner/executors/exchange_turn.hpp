#pragma once

#include <cstdint>

#include "gxr/report.hpp"
#include "runtime/instance.hpp"
#include "runtime/turn_task.hpp"

namespace gxr {

// What executors do for who changes and exchanges components from outside.

/// Is there anything to do in a turn of the entity?
[[nodiscard]] inline bool has_turn_to_take(Instance& instance, const LiveEntity& entity) {
  return instance.changes().is_due(entity.id) || entity.broken.has_value();
}
/// Takes what is there for the entity. Throws ComponentFailure when it cannot tick any more. The
/// entity must not tick afterwards as long as LiveEntity::hold says why.
void take_turn(Instance& instance, Turn& turn);

/// Must a failing tick of the entity be told to rescue_tick()? A probation that is over goes.
[[nodiscard]] bool is_guarded(LiveEntity& entity) noexcept;
/// Messages that a tick of the entity could take now.
[[nodiscard]] std::uint64_t messages_for(const LiveEntity& entity);
/// A tick of a guarded entity has failed, for which there were `before` messages. False: the run
/// fails; else it goes on like behind take_turn().
[[nodiscard]] bool rescue_tick(Instance& instance, Turn& turn, const Failure& failure,
                               std::uint64_t before);

}  // namespace gxr
