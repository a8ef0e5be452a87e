#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr {

/// What an operator hands over to the one that takes its place while the application runs.
struct StateType {
  std::string name = {};      ///< of both operators; empty: nothing is handed over
  std::uint32_t version = 1;  ///< of the bytes that save_state() writes
};

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

  // While the application runs, gxr can put another operator in the place of this one, or make this
  // one anew when it has failed (Application::swap(), docs/exchange.md). The new one is initialised
  // and started on another thread while the old one still ticks; after the exchange, the old one is
  // stopped, deinitialised and destroyed there while the new one ticks. So none of the four calls
  // may make or take messages, and memory of messages must outlive the operator.

  /// Does the operator hold what two cannot hold at a time, a device, a file or a port, or does its
  /// start() or stop() publish? Then the old one is stopped and deinitialised before the new one is
  /// initialised, and the entity does not tick in between. Asked after declare(), of both.
  [[nodiscard]] virtual bool is_exclusive() const;
  /// The state that it hands over, and that it takes over. Asked of both; the names must be equal.
  [[nodiscard]] virtual StateType state_type() const;
  /// The state, after the last tick of this operator and before stop(), while the entity does not
  /// tick. Any thread. When it throws, the operator stays.
  [[nodiscard]] virtual std::vector<std::byte> save_state() const;
  /// Takes over what an operator with a state type of the same name has saved, of that one's
  /// version; after start() and before the first tick, while the entity does not tick. Any thread.
  /// When it throws, as Error(Incompatible) for a version that it cannot read, the old one goes on.
  virtual void load_state(std::span<const std::byte> state, std::uint32_t version);

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
