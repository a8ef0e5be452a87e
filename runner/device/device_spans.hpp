#pragma once

#include <cstdint>
#include <functional>

namespace gxr {

class DeviceStream;

/// The parameter of all codelets with gxr::cuda::Streams, whose work is measured.
inline constexpr const char* kStreamPoolParameter = "cuda_stream_pool";

/// The work that a tick gave to a stream, in ns of the steady clock, to which the GPU's is set to
/// within some microseconds.
struct DeviceSpan {
  std::int64_t begin_ns = 0;  ///< when all in front of it had ended
  std::int64_t end_ns = 0;
  std::int64_t number = 0;  ///< see DeviceSpans::number
  int device = 0;           ///< number of the GPU
};

/// Measures work on streams by the GPU's clock, one span after the other. One thread at a time.
class DeviceSpans {
 public:
  DeviceSpans() = default;
  DeviceSpans(const DeviceSpans&) = delete;
  DeviceSpans& operator=(const DeviceSpans&) = delete;
  virtual ~DeviceSpans() = default;

  /// Work that `stream` is given from now on, until end(), is a span. A span that cannot be
  /// measured is left out.
  virtual void begin(DeviceStream& stream) noexcept = 0;
  virtual void end() noexcept = 0;
  /// Calls `take` for the spans whose work has ended since the last call, in their order. Waits for
  /// nothing.
  virtual void take_ended(const std::function<void(const DeviceSpan&)>& take) = 0;
  /// Is there a span that take_ended() has not given?
  [[nodiscard]] virtual bool has_pending() const noexcept = 0;

  std::int64_t number = 0;  ///< of the spans that begin from now on
};

/// Measures the device work of codelets that tick on this thread; nullptr: nobody does.
[[nodiscard]] DeviceSpans* current_device_spans() noexcept;
/// Returns what current_device_spans() answered before.
DeviceSpans* set_current_device_spans(DeviceSpans* spans) noexcept;

}  // namespace gxr
