#include "commands/tick_watch.hpp"

#include <algorithm>
#include <utility>

#include "observe/status_text.hpp"

namespace gxr::commands {

bool TickWatch::hangs(const RunStatus& status, std::int64_t now) {
  std::map<std::string, Seen> seen;
  const auto see = [&](const std::string& name, std::uint64_t ticks) {
    const auto before = seen_.find(name);
    const bool is_same = before != seen_.end() && before->second.ticks == ticks;
    seen[name] = {ticks, is_same ? before->second.since : now};
  };
  for (const EntityStatus& entity : status.entities) {
    if (entity.state == EntityState::Running) {
      see(entity.entity, entity.ticks);
    }
  }
  if (!status.entities.empty() &&
      std::ranges::all_of(status.entities, [](const EntityStatus& entity) {
        return entity.state == EntityState::Unknown;
      })) {
    see({}, ticks_of(status));
  }
  seen_ = std::move(seen);
  return std::ranges::any_of(seen_,
                             [&](const auto& each) { return now - each.second.since >= longest_; });
}

}  // namespace gxr::commands
