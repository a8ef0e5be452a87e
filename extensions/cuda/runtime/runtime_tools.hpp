#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "device/device_engine.hpp"
#include "legacy_stream.hpp"

namespace gxr::cuda {

/// DeviceTools by NVTX, CUDA and CUPTI.
class RuntimeTools final : public DeviceTools {
 public:
  /// `devices`: how many there are.
  explicit RuntimeTools(int devices) : devices_(devices) {}

  void push_range(const char* name) noexcept override;
  void pop_range() noexcept override;
  void forbid_legacy_stream() override;
  void allow_legacy_stream() noexcept override;
  [[nodiscard]] bool checks_captures() override;
  [[nodiscard]] bool loads_kernels_late() const override;
  [[nodiscard]] std::unique_ptr<DeviceSpans> make_spans() override;

  /// Is the legacy stream forbidden? Then work for streams that are not captured is refused, too.
  [[nodiscard]] bool checks_streams() const noexcept {
    return bans_.load(std::memory_order_acquire) > 0;
  }

 private:
  int devices_;
  std::mutex mutex_;          // guards changes of the members below
  std::atomic<int> bans_{0};  // of the legacy stream
  std::unique_ptr<LegacyStreamBan> ban_;
};

}  // namespace gxr::cuda
