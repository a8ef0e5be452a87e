#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "gxr/component.hpp"

namespace gxr {

/// Something that a GPU changes without telling anybody.
class Polled {
 public:
  virtual ~Polled() = default;
  /// Is anything to be expected soon? Any thread.
  [[nodiscard]] virtual bool expects_news() const noexcept = 0;
  /// Has something happened that component() was not told of? Says so once. Any thread.
  [[nodiscard]] virtual bool has_news() noexcept = 0;
  /// Time has passed: what is to be looked at now and then, may be looked at. Any thread.
  virtual void remind() noexcept = 0;
  [[nodiscard]] virtual const Component& component() const noexcept = 0;
};

/// One thread that looks at everything that GPUs change, and notifies components. It looks without
/// a pause for a while after something happened, and then with longer and longer ones.
class Poller {
 public:
  Poller() = default;
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;
  ~Poller();

  void add(Polled& polled);
  /// Nothing of it is called any more when this returns.
  void remove(const Polled& polled) noexcept;
  /// Looks on the calling thread, which has nothing else to do, and the own thread rests: true when
  /// something was notified, false when nothing happened for a while, or nothing is expected.
  bool look();
  /// Something was given to a GPU.
  void wake() noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  bool look_once();
  [[nodiscard]] bool expects_news();

  std::mutex mutex_;  // guards the members below; held while components are notified
  std::condition_variable changed_;
  std::vector<Polled*> polled_;
  bool ending_ = false;
  std::atomic<int> others_{0};  // threads that look
  std::atomic<bool> awake_{false};
  std::thread thread_;  // started with the first
};

}  // namespace gxr
