#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace gxr::cuda {

/// A thread of a component that ends when it is told to, and keeps what it throws.
class UdpThread {
 public:
  UdpThread() = default;
  UdpThread(const UdpThread&) = delete;
  UdpThread& operator=(const UdpThread&) = delete;
  ~UdpThread() { end(); }

  /// `run` returns soon after its argument has become true. Throws Error(OutOfMemory) when the
  /// system has no thread.
  void start(std::function<void(const std::atomic<bool>& stop)> run);
  /// Tells it to end; join() waits for that.
  void tell_to_end() noexcept { stop_ = true; }
  /// Returns when it has ended. Throws what `run` threw.
  void join();

 private:
  void end() noexcept;

  std::atomic<bool> stop_{false};
  std::exception_ptr failure_;  // of the thread, until it has ended
  std::thread thread_;
};

}  // namespace gxr::cuda
