#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "device/graph_options.hpp"

namespace gxr {

/// Whether inputs of a loop, which begins an iteration when all of them have a message, are late.
/// The caller passes the time in.
class LateInputs {
 public:
  using Clock = std::chrono::steady_clock;

  /// `timeout` is above 0.
  LateInputs(std::chrono::nanoseconds timeout, MissingData policy)
      : timeout_(timeout), policy_(policy) {}

  /// The messages and the room at a time.
  struct Seen {
    bool has_room = true;  ///< else nothing could be given to the loop
    std::size_t with = 0;  ///< inputs that have a message
    std::size_t inputs = 0;
  };

  /// Are some late, and has the policy to do something? Changes nothing.
  [[nodiscard]] bool is_late(const Seen& seen, Clock::time_point now) const noexcept;
  /// Would update() change anything? Changes nothing itself. Two updates with the same are enough.
  [[nodiscard]] bool would_change(const Seen& seen, Clock::time_point now) const noexcept;
  /// Sets the time that runs, and counts those that are late.
  void update(const Seen& seen, Clock::time_point now) noexcept;
  /// The loop was given messages, or those that were there were dropped.
  void given(Clock::time_point now) noexcept;
  /// When they will be late, as things were at the last update(); the end of time: not without
  /// messages that come.
  [[nodiscard]] Clock::time_point due_at() const noexcept { return state_.due_at; }
  /// Is something to be done then about messages that are there now?
  [[nodiscard]] bool has_waiting() const noexcept {
    return state_.has_some && state_.due_at != kNever;
  }
  /// How often some were late.
  [[nodiscard]] std::uint64_t times() const noexcept { return times_; }

 private:
  static constexpr Clock::time_point kNever = Clock::time_point::max();

  struct State {
    Clock::time_point since = kNever;  // the time that runs; the end of time: none does
    Clock::time_point due_at = kNever;
    bool has_some = false;     // the first of the others has come
    bool was_counted = false;  // for the next iteration
    bool operator==(const State&) const = default;
  };

  [[nodiscard]] bool counts_without_any() const noexcept;
  [[nodiscard]] State after(const Seen& seen, Clock::time_point now) const noexcept;

  std::chrono::nanoseconds timeout_;
  MissingData policy_;
  State state_;
  bool has_given_ = false;
  std::uint64_t times_ = 0;
};

}  // namespace gxr
