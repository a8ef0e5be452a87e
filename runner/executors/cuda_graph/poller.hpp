#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include "gxr/component.hpp"

namespace gxr {

/// Something that a GPU changes without a notification.
class Polled {
 public:
  virtual ~Polled() = default;
  /// Is anything to be expected soon? Any thread.
  [[nodiscard]] virtual bool expects_news() const noexcept = 0;
  /// Has something happened that component() was not told of? Says so once. Any thread.
  [[nodiscard]] virtual bool has_news() noexcept = 0;
  /// Time has passed: may poll what is polled now and then. Any thread.
  virtual void remind() noexcept = 0;
  /// When that is to happen, at the latest. Any thread.
  [[nodiscard]] virtual std::chrono::steady_clock::time_point reminds_at() const noexcept {
    return std::chrono::steady_clock::time_point::max();
  }
  [[nodiscard]] virtual const Component& component() const noexcept = 0;
};

/// One thread that polls everything that GPUs change, and notifies components. It polls without a
/// pause for a while after something happened, and then with longer and longer ones. It rests while
/// a scheduler polls that has nothing else to do.
class Poller {
 public:
  Poller() = default;
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;
  ~Poller();

  void add(Polled& polled);
  /// Nothing of it is called any more when this returns.
  void remove(const Polled& polled) noexcept;

  /// A scheduler's thread polls from now on, by poll(), and calls hand_over() before it sleeps.
  void set_polled() noexcept { is_polled_.store(true, std::memory_order_release); }
  /// Polls on the calling thread, which has nothing else to do: true when something was notified,
  /// false when nothing happened for a while, or nothing is expected.
  bool poll();
  /// The own thread polls until something happens.
  void hand_over() noexcept;
  /// A reminder is due sooner than before.
  void remind_anew() noexcept { changed_.release(); }
  /// Something was given to a GPU.
  void wake() noexcept {
    if (!is_polled_.load(std::memory_order_acquire)) {
      hand_over();
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void remind();
  [[nodiscard]] Clock::time_point next_reminder(Clock::time_point last);
  bool poll_for_thread(Clock::time_point now);
  bool poll_once();
  [[nodiscard]] bool expects_news();

  std::mutex mutex_;  // guards polled_; held while components are notified
  std::vector<Polled*> polled_;
  std::counting_semaphore<> changed_{0};
  std::atomic<bool> ending_{false};
  std::atomic<bool> is_polled_{false};  // by a scheduler
  std::atomic<bool> has_job_{false};    // of the thread
  Clock::time_point last_news_;         // of the thread
  std::thread thread_;                  // started with the first
};

}  // namespace gxr
