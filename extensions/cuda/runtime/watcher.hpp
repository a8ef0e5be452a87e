#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/device_work.hpp"

namespace gxr::cuda {

/// One thread that polls work, for all components that want to be told when it is done.
class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher();

  void watch(const DeviceWork& work, const Component& component, std::chrono::milliseconds timeout);
  void forget(const Component& component) noexcept;

 private:
  struct Watched {
    DeviceWork work;
    const Component* component;
    std::chrono::steady_clock::time_point deadline;
  };
  void run();
  static bool is_over(const Watched& watched) noexcept;

  std::mutex mutex_;  // guards the members below; held while a component is told
  std::condition_variable changed_;
  std::vector<Watched> watched_;
  bool ending_ = false;
  std::thread thread_;  // started with the first
};

}  // namespace gxr::cuda
