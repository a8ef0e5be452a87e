#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "executors/cuda_graph/poller.hpp"
#include "gxr/device_work.hpp"

namespace gxr {

/// Does work of one stream end? Some is under way, and none of it has ended for too long: it hangs.
/// One thread notes the work, one other polls.
class LaunchProgress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit LaunchProgress(std::chrono::nanoseconds longest) : longest_(longest) {}

  /// Always of the same stream. Costs two stores.
  void launched(const DeviceWork& work) noexcept {
    stream_.store(work.stream, std::memory_order_relaxed);
    newest_.store(work.number, std::memory_order_release);
  }
  /// To be called now and then, with a time that grows: the work that does not end, if it hangs.
  /// Throws Error(Device) when the device has failed.
  [[nodiscard]] DeviceWork poll(Clock::time_point now);

 private:
  std::chrono::nanoseconds longest_;
  std::atomic<DeviceStream*> stream_{nullptr};
  std::atomic<std::uint64_t> newest_{0};  // 0: nothing has been launched
  // Of the thread that polls:
  std::uint64_t awaited_ = 0;                      // the oldest that was not done
  std::optional<Clock::time_point> stands_since_;  // at that
};

/// Has the poller's thread poll for hanging work of a graph that the host launches.
class LaunchWatch final : private Polled {
 public:
  /// The reaction to a hang, once, on the poller's thread.
  struct Actions {
    std::function<void()> note;                      ///< before has_tripped()
    std::function<void(const DeviceWork&)> give_up;  ///< behind it, and the notification
  };

  /// `component` is notified. Poller and component must outlive the watch.
  LaunchWatch(Poller& poller, const Component& component, std::chrono::nanoseconds longest,
              Actions actions);
  LaunchWatch(const LaunchWatch&) = delete;
  LaunchWatch& operator=(const LaunchWatch&) = delete;
  ~LaunchWatch() override;

  void launched(const DeviceWork& work) noexcept { progress_.launched(work); }
  /// From now on the answer of has_tripped() is final.
  void stop_polling() noexcept { poller_.remove(*this); }
  [[nodiscard]] bool has_tripped() const noexcept {
    return tripped_.load(std::memory_order_acquire);
  }

 private:
  // Polled
  [[nodiscard]] bool expects_news() const noexcept override { return false; }
  [[nodiscard]] bool has_news() noexcept override { return false; }
  void remind() noexcept override;
  [[nodiscard]] const Component& component() const noexcept override { return component_; }

  Poller& poller_;
  const Component& component_;
  LaunchProgress progress_;
  Actions actions_;
  std::atomic<bool> tripped_{false};
};

}  // namespace gxr
