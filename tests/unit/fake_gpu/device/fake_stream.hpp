#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "fake_gpu.hpp"
#include "gxr/device_runtime.hpp"

namespace gxr::fake {
class FakeStream;
}

/// What a cudaStream_t points to here.
struct CUstream_st {
  gxr::fake::FakeStream* stream = nullptr;             ///< nullptr: of a capture
  std::vector<gxr::fake::Kernel>* captured = nullptr;  ///< of a capture
};

namespace gxr::fake {

/// Has the device failed? Then nothing runs any more.
[[nodiscard]] bool has_failed() noexcept;
/// Runs a kernel, after a pause by chance; false: it failed, or the device had.
bool run_kernel(const Kernel& kernel) noexcept;
/// Throws Error(Device) when the device has failed.
void require_device();
/// Throws Error(Device) when its work was given up and does not end.
void require_not_given_up();

/// A queue and the thread that works on it.
class FakeStream final : public DeviceStream {
 public:
  explicit FakeStream(const StreamOptions& options);
  ~FakeStream() override;

  void record() override;
  void wait_for(const DeviceWork& work) override;
  bool is_done(std::uint64_t number) override;
  void wait_on_host(std::uint64_t number) override;

  /// The next work.
  void push(std::function<void()> work);
  /// Nothing waits or runs.
  [[nodiscard]] bool is_idle();
  [[nodiscard]] const StreamOptions& options() const noexcept { return options_; }

 private:
  explicit FakeStream(const StreamOptions& options, std::unique_ptr<CUstream_st> handle);
  void run();
  /// An event is behind this work from now on.
  void record_up_to(std::uint64_t number);

  StreamOptions options_;
  std::unique_ptr<CUstream_st> own_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool works_ = false;
  bool ends_ = false;
  std::uint64_t recorded_ = 0;
  std::thread thread_;
};

}  // namespace gxr::fake
