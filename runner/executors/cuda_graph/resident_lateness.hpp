#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "executors/cuda_graph/late_inputs.hpp"
#include "executors/cuda_graph/resident_runner.hpp"

namespace gxr {

/// Inputs that have no message in time: says when they are late, and does what `missing_data` asks
/// for then.
class ResidentRunner::Lateness {
 public:
  explicit Lateness(ResidentRunner& runner) : runner_(runner) {}

  /// Nothing was given.
  void launch();
  /// The loop was given these.
  void given(const std::vector<Message>& messages);
  /// Forgets messages that it would use again.
  void forget() noexcept { last_.clear(); }

  /// Is a message to be dropped, or used again?
  [[nodiscard]] bool can_do_without(std::uint64_t finished) const;
  void do_without();
  /// Is something to be noted, or said, about late inputs?
  [[nodiscard]] bool must_update(std::uint64_t finished) const;
  /// Throws Error(NotAvailable) when they are not to be late.
  void update(std::uint64_t finished);
  /// Will time tell more about messages that are there?
  [[nodiscard]] bool have_time() const { return late_ && late_->has_waiting(); }
  [[nodiscard]] std::uint64_t times() const noexcept { return late_ ? late_->times() : 0; }
  /// Messages that were dropped, since another input was late.
  [[nodiscard]] std::uint64_t skipped() const noexcept { return skipped_; }

 private:
  [[nodiscard]] LateInputs::Seen seen(std::uint64_t finished) const;
  [[nodiscard]] bool must_fail(const LateInputs::Seen& seen,
                               LateInputs::Clock::time_point now) const;
  [[noreturn]] void fail() const;

  ResidentRunner& runner_;
  std::optional<LateInputs> late_;  // when inputs have a time to come
  std::vector<Message> last_;       // by input, what it is held with
  std::uint64_t skipped_ = 0;
};

}  // namespace gxr
