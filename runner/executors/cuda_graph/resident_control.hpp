#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>

namespace gxr {

class ResidentRunner;

/// The way from a ResidentGraph to the runner of its region, for as long as that has a loop.
class ResidentControl {
 public:
  explicit ResidentControl(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// From now on there is a runner. Waits for nobody: the runner's lock may be held.
  void attach(ResidentRunner& runner) noexcept;
  /// There is none any more, and no call is under way when this returns.
  void detach();
  /// Does a thread wait in detach() for calls that are under way? Any thread.
  [[nodiscard]] bool is_closing() const noexcept {
    return closing_.load(std::memory_order_acquire);
  }
  /// The GPU has failed: `why` is what every later call is told. Any thread.
  void fail(std::string why);
  /// Throws Error(Device) after a failure, Error(InvalidState) without a runner.
  void with(const std::function<void(ResidentRunner&)>& use);
  /// False without one, and after a failure.
  bool if_there(const std::function<bool(ResidentRunner&)>& use);

 private:
  [[nodiscard]] std::string failure();
  [[noreturn]] void throw_not_launched() const;

  std::string name_;
  std::atomic<bool> failed_{false};  // failure_ is there
  std::mutex failure_mutex_;         // guards failure_; taken behind all others
  std::string failure_;
  std::atomic<bool> closing_{false};
  std::shared_mutex mutex_;  // held while the runner is used
  std::atomic<ResidentRunner*> runner_{nullptr};
};

}  // namespace gxr
