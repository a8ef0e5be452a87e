#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "device/device_spans.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// DeviceSpans by events of CUDA that take the time.
class StreamSpans final : public DeviceSpans {
 public:
  void begin(DeviceStream& stream) noexcept override;
  void end() noexcept override;
  void take_ended(const std::function<void(const DeviceSpan&)>& take) override;
  [[nodiscard]] bool has_pending() const noexcept override { return !pending_.empty(); }

 private:
  /// An event, and the moment of the steady clock at which it happened.
  struct Anchor {
    Event event;
    std::int64_t ns = 0;
  };
  struct Span {
    Event begin;
    Event end;
    std::shared_ptr<const Anchor> anchor;
    std::int64_t number = 0;
    int device = 0;
  };

  /// Begins a span. Throws Error(Device).
  void begin_on(DeviceStream& stream);
  void renew_anchor();
  [[nodiscard]] Span take_spare();

  int device_ = -1;
  std::shared_ptr<const Anchor> anchor_;  // of the device
  std::int64_t anchor_due_ = 0;           // steady ns: it is to be renewed then
  DeviceStream* stream_ = nullptr;        // of the open span
  Span open_;
  std::deque<Span> pending_;
  std::vector<Span> spare_;  // with events of this device
};

}  // namespace gxr::cuda
