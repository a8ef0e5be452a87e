#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "executors/cuda_graph/input_account.hpp"
#include "executors/cuda_graph/poller.hpp"

namespace gxr {

/// The exchange between the poller and the codelet of a loop on a GPU: the codelet says what it
/// expects; the poller says that iterations have finished, and that time has passed.
///
/// A notification must follow each iteration that the codelet has not seen. Its tick says what it
/// has seen, because scheduling terms are asked anew behind each tick, and by others at any time.
class LoopNews final : public Polled {
 public:
  using Clock = std::chrono::steady_clock;

  /// `finished`: iterations that are done; asked by any thread while the poller has this.
  LoopNews(const Component& component, std::function<std::uint64_t()> finished)
      : component_(component), finished_(std::move(finished)) {}

  // By one thread at a time:

  /// A new loop, of whose iterations nothing was seen. `is_unasked`: it may work while nothing is
  /// expected, so reminders always come.
  void launched(bool is_unasked) noexcept;
  /// The codelet acts on so many finished iterations: they are no news.
  void saw(std::uint64_t finished) noexcept { seen_.store(finished, std::memory_order_release); }
  /// News are to be expected until so many iterations are done.
  void expect_until(std::uint64_t iterations) noexcept;
  /// Fewer finished iterations are no news: there would be nothing to do.
  void concern_from(std::uint64_t iterations) noexcept;
  [[nodiscard]] std::uint64_t concerns_from() const noexcept {
    return concerns_from_.load(std::memory_order_acquire);
  }
  /// Reminders come, whatever is expected: the time of a limit may be over.
  void set_deadline(bool is_there) noexcept;
  /// A reminder comes at this time, too. True when that is sooner than before.
  [[nodiscard]] bool remind_at(Clock::time_point time) noexcept;
  /// Did a reminder come that was not taken?
  [[nodiscard]] bool is_reminded() const noexcept {
    return reminded_.load(std::memory_order_acquire);
  }
  [[nodiscard]] bool take_reminder() noexcept;

  /// A reminder, at once. Any thread.
  void wake() noexcept;
  /// The term is asked again. Any thread.
  void notify() noexcept { component_.context().notify(component_); }

  // Polled
  [[nodiscard]] bool expects_news() const noexcept override;
  [[nodiscard]] bool has_news() noexcept override;
  void remind() noexcept override;
  [[nodiscard]] Clock::time_point reminds_at() const noexcept override {
    return remind_at_.load(std::memory_order_acquire);
  }
  [[nodiscard]] const Component& component() const noexcept override { return component_; }

 private:
  const Component& component_;
  const std::function<std::uint64_t()> finished_;
  std::atomic<std::uint64_t> seen_{0};  // iterations that a thread was told of
  std::atomic<std::uint64_t> expected_until_{0};
  std::atomic<std::uint64_t> concerns_from_{0};
  std::atomic<bool> has_deadline_{false};
  std::atomic<bool> is_unasked_{false};
  std::atomic<bool> reminded_{false};
  std::atomic<Clock::time_point> remind_at_{Clock::time_point::max()};
};

}  // namespace gxr
