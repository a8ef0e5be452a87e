#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "gxr/report.hpp"

namespace gxr {

/// How Application::swap() exchanges an operator.
struct SwapOptions {
  /// An extension file (.so) whose types count before all others in this exchange, also when it is
  /// another build of an extension that is loaded: gxr loads a copy of it.
  std::string extension = {};
  /// Probation: when the new operator fails within this time, the old one comes back. 0: none.
  std::chrono::nanoseconds keep_for{0};
  /// How long to wait until nobody is in a tick of the entity.
  std::chrono::nanoseconds patience = std::chrono::seconds(10);
};

/// What became of an exchange.
struct SwapResult {
  std::string component;         ///< "entity/component"
  std::string old_type;          ///< registered names
  std::string new_type;          ///< likewise
  bool is_kept = true;           ///< false: it failed in its probation, and the old one is back
  bool took_over_state = false;  ///< the old one's
  std::optional<Failure> failure = {};  ///< why it was not kept
  /// Messages that the tick had taken in which the new one failed; nobody gets them any more.
  std::uint64_t lost = 0;
  std::int64_t pause_ns = 0;  ///< how long the entity could not tick for the exchange
};

}  // namespace gxr
