#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "internal_api.hpp"
#include "observe/run_status.hpp"

namespace gxr {

/// "starting", "running", "stopping".
GXR_INTERNAL_API const char* phase_text(RunPhase phase) noexcept;
/// What an entity does, in one line: "waits for 1 message on 'sink/in' (has 0)"; empty when it is
/// not known.
GXR_INTERNAL_API std::string state_text(const EntityStatus& entity);
/// "0 of 1", "? of 1" when it is not known what the queue holds.
GXR_INTERNAL_API std::string content_text(const QueueStatus& queue);
/// "12.3 s", "4 min 10 s", "3 h 5 min", "2 d 3 h".
GXR_INTERNAL_API std::string elapsed_text(std::int64_t ns);
/// All ticks of all entities.
GXR_INTERNAL_API std::uint64_t ticks_of(const RunStatus& status) noexcept;

/// How often its operators were exchanged, and what was lost by that; empty when they were not.
GXR_INTERNAL_API std::string exchange_text(const EntityStatus& entity);
/// The same of all entities of which there is something to say, a line each.
GXR_INTERNAL_API std::string exchange_table(const std::vector<EntityStatus>& entities);

/// The status for people, several lines: application, calls of components, entities, queues. Not
/// escaped.
GXR_INTERNAL_API std::string render_status(const ApplicationStatus& status);
/// Of one entity, what it does and its queues; likewise.
GXR_INTERNAL_API std::string render_entity(const EntityStatus& entity);

}  // namespace gxr
