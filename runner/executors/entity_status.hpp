#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/run_status.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// The names of an entity and its queues, in the order of LiveEntity, and how often it ticked. Any
/// thread.
EntityStatus entity_frame(const LiveEntity& entity, std::uint64_t ticks);
/// What its queues hold, into the frame of the entity. By whoever may use its components.
void tell_queues(EntityStatus& status, const LiveEntity& entity);
/// What its queues hold at the end of the run, and whether it has finished.
void tell_last(EntityStatus& status, const LiveEntity& entity, bool has_finished);
/// That it waits for this; without reasons: that nothing keeps it from running.
void tell_waiting(EntityStatus& status, std::vector<std::string> reasons);

}  // namespace gxr
