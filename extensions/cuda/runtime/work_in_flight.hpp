#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "device/device_engine.hpp"
#include "device_marks.hpp"
#include "devices.hpp"
#include "stream_table.hpp"

namespace gxr::cuda {

/// Knows what runs on the GPUs, and puts off the calls of CUDA that would wait for it.
class WorkInFlight final : public DeviceWorkInFlight {
 public:
  /// Both must outlive it.
  WorkInFlight(const Devices& devices, StreamTable& streams);

  // DeviceWorkInFlight
  [[nodiscard]] std::vector<UnfinishedWork> unfinished(UnfinishedWork::Scope scope) override;
  [[nodiscard]] std::string users() const override { return streams_.users(); }
  void hold_frees() noexcept override { ++holds_; }
  void let_frees_go() noexcept override;
  void give_up(const UnfinishedWork& work, const std::string& why) override;
  [[nodiscard]] bool is_given_up(int device) noexcept override;
  void forget_user(const std::string* who) noexcept override { streams_.forget_user(who); }
  [[nodiscard]] bool has_running_loops() const noexcept override;
  [[nodiscard]] bool has_running_loops_on(int device) const noexcept override;

  /// Throws Error(Device) when work of a device has been given up that has not ended.
  void require_in_use(int device);
  /// Calls what waits for all work of a device: at once, or, while a loop runs, frees are held, or
  /// work has been given up, then. No loop begins meanwhile: loop_began() is called before a
  /// launch. It must not call functions of this object.
  void when_may_wait(std::function<void()> call) noexcept;
  /// The control of the loop names it.
  void loop_began(const DeviceLoopControl& loop, int device) noexcept;
  void loop_ended(const DeviceLoopControl& loop) noexcept;
  /// The loop object goes although the loop runs, and never ends.
  void loop_left(const DeviceLoopControl& loop) noexcept;

 private:
  struct RunningLoop {
    const DeviceLoopControl* loop;  // nullptr: it was left
    int device;
  };
  struct GivenUp {
    UnfinishedWork work;
    std::string why;
  };
  [[nodiscard]] bool add_loops(std::vector<UnfinishedWork>& unfinished);
  [[nodiscard]] bool has_ended(const UnfinishedWork& work) noexcept;
  [[nodiscard]] bool may_wait_for_devices() const noexcept;
  [[nodiscard]] std::string why_given_up(int device);
  void forget_what_has_ended() noexcept;
  void catch_up() noexcept;

  const Devices& devices_;
  StreamTable& streams_;
  DeviceMarks marks_;
  mutable std::mutex loops_mutex_;  // guards loops_ and postponed_
  std::vector<RunningLoop> loops_;
  std::vector<std::function<void()>> postponed_;
  std::atomic<int> holds_{0};  // of frees; begun without the mutex
  std::mutex given_up_mutex_;  // guards given_up_
  std::vector<GivenUp> given_up_;
  std::atomic<bool> any_given_up_{false};
};

}  // namespace gxr::cuda
