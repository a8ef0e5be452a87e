#pragma once

#include <atomic>
#include <cstdint>

#include "gxr/message.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

/// Which source the data of a message comes from, and since when it is on its way.
struct DataTrail {
  std::uint32_t source = 0;    ///< plus one; 0: there is no trail
  std::uint64_t acquired = 0;  ///< counts of the executor's cycle counter
};

/// Of a message that may be null.
[[nodiscard]] inline DataTrail trail_of(const Message& message) noexcept {
  const detail::MessageBlock* const block = EngineAccess::block(message);
  const std::uint32_t source = block != nullptr ? block->source.load(std::memory_order_relaxed) : 0;
  if (source == 0) {
    return {};
  }
  return {source, block->trail.acquired.load(std::memory_order_relaxed)};
}

/// Of a message that is not null.
inline void set_trail(const Message& message, const DataTrail& trail) noexcept {
  detail::MessageBlock* const block = EngineAccess::block(message);
  block->trail.acquired.store(trail.acquired, std::memory_order_relaxed);
  block->source.store(trail.source, std::memory_order_relaxed);
}

}  // namespace gxr
