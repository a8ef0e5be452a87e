#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace gxr {

class ResidentRunner;

/// The way from a ResidentGraph to the runner of its region, for as long as that has a loop.
class ResidentControl {
 public:
  explicit ResidentControl(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// `runner` null: there is none any more, and no call is under way when this returns.
  void attach(ResidentRunner* runner);
  /// Throws Error(InvalidState) without a runner.
  void with(const std::function<void(ResidentRunner&)>& use);
  /// False without one.
  bool if_there(const std::function<bool(ResidentRunner&)>& use);

 private:
  std::string name_;
  std::mutex mutex_;  // guards runner_; held while it is used
  ResidentRunner* runner_ = nullptr;
};

}  // namespace gxr
