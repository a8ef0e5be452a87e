#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "device/graph_options.hpp"

namespace gxr {

/// Whether inputs of a loop, which begins an iteration when all of them have a message, are late.
/// Whoever uses it says what time it is.
class LateInputs {
 public:
  using Clock = std::chrono::steady_clock;

  /// `timeout` is above 0.
  LateInputs(std::chrono::nanoseconds timeout, MissingData policy)
      : timeout_(timeout), policy_(policy) {}

  /// `with` of `inputs` inputs have a message now; without room nothing could be given to the loop.
  /// True: some are late, and the policy has to do something.
  bool look(bool has_room, std::size_t with, std::size_t inputs, Clock::time_point now);
  /// The loop was given messages, or those that were there were dropped.
  void given(Clock::time_point now);
  /// When they will be late, as things were at the last look(); the end of time: not without
  /// messages that come.
  [[nodiscard]] Clock::time_point due_at() const noexcept { return due_at_; }
  /// Is something to be done then about messages that are there now?
  [[nodiscard]] bool has_waiting() const noexcept { return has_some_ && due_at_ != kNever; }
  /// How often some were late.
  [[nodiscard]] std::uint64_t times() const noexcept { return times_; }

 private:
  static constexpr Clock::time_point kNever = Clock::time_point::max();

  [[nodiscard]] bool counts_without_any() const noexcept;

  std::chrono::nanoseconds timeout_;
  MissingData policy_;
  Clock::time_point since_ = kNever;  // the time that runs; the end of time: none does
  Clock::time_point due_at_ = kNever;
  bool has_some_ = false;  // the first of the others has come
  bool has_given_ = false;
  bool was_counted_ = false;  // for the next iteration
  std::uint64_t times_ = 0;
};

}  // namespace gxr
