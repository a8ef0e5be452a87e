#pragma once

#include <cstdint>

#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr {

/// A component that does work. The scheduler calls start() once, tick() whenever the scheduling
/// terms of its entity allow it, and stop() once; never two of them at a time. Anything thrown ends
/// the run with an error that names the component.
class GXR_API Codelet : public Component {
 public:
  ~Codelet() override;

  /// Called before the first tick.
  virtual void start();
  /// One tick: takes messages, works, publishes.
  virtual void tick() = 0;
  /// Called after the last tick, also when a tick failed.
  virtual void stop();

  /// The scheduler's time of this tick, in nanoseconds.
  [[nodiscard]] std::int64_t execution_timestamp() const noexcept { return timestamp_; }
  /// The same in seconds.
  [[nodiscard]] double execution_time() const noexcept {
    return static_cast<double>(timestamp_) * 1e-9;
  }
  /// Seconds since the tick before; 0 in start, stop and the first tick.
  [[nodiscard]] double delta_time() const noexcept { return static_cast<double>(delta_) * 1e-9; }
  /// 1 in the first tick.
  [[nodiscard]] std::int64_t execution_count() const noexcept { return count_; }
  /// Is this the first tick?
  [[nodiscard]] bool is_first_tick() const noexcept { return count_ == 1; }

 private:
  friend class EngineAccess;

  std::int64_t timestamp_ = 0;
  std::int64_t delta_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace gxr
