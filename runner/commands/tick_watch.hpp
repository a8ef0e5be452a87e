#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "gxr/run_status.hpp"

namespace gxr::commands {

/// Judges from statuses of a run whether one of its ticks hangs: it goes on for too long. An entity
/// that waits for what its terms say does not hang, however long that takes.
class TickWatch {
 public:
  /// `longest`, ns: so long a tick may take.
  explicit TickWatch(std::int64_t longest) noexcept : longest_(longest) {}

  /// Does a tick hang? To be called now and then, at `now`, ns, which grows.
  [[nodiscard]] bool hangs(const RunStatus& status, std::int64_t now);

 private:
  struct Seen {
    std::uint64_t ticks = 0;
    std::int64_t since = 0;
  };

  const std::int64_t longest_;
  std::map<std::string, Seen> seen_;  // by entity that runs; "" is a scheduler that is in a call
};

}  // namespace gxr::commands
