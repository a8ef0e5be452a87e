#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device_spans.hpp"
#include "gxr/report.hpp"
#include "observe/trace_lanes.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Times of the work that ticks give to CUDA streams, by the GPUs' clocks. Thread-safe for
/// different entities.
class DeviceTimes {
 public:
  /// `trace`: gets the work of each tick; may be null. Both must outlive this object.
  DeviceTimes(const Instance& instance, TraceEvents* trace);

  /// Has the entity codelets with gxr::cuda::Streams? CUDA graphs measure themselves.
  [[nodiscard]] bool measures(const LiveEntity& entity) const noexcept {
    return times_[entity.id].spans != nullptr;
  }

  /// Measures the work that a tick of an entity gives to streams on this thread, while it lives.
  class Tick {
   public:
    /// `times`: null, or it does not measure the entity: nothing is measured. `number`: of the
    /// tick, from 1.
    Tick(DeviceTimes* times, const LiveEntity& entity, std::int64_t number);
    Tick(const Tick&) = delete;
    Tick& operator=(const Tick&) = delete;
    ~Tick();

   private:
    DeviceTimes* times_;
    EntityId entity_;
    DeviceSpans* outer_ = nullptr;
  };

  /// Waits until the work that is measured has ended, or none has for `patience` (0: no limit).
  /// When nothing ticks any more.
  void finish(std::chrono::nanoseconds patience);
  /// Adds the times to the report's entities.
  void tell(Report& report) const;

 private:
  struct OfEntity {
    std::unique_ptr<DeviceSpans> spans;
    std::uint64_t ticks = 0;
    std::int64_t tick = 0;     // that the last span belongs to
    std::int64_t tick_ns = 0;  // of its spans so far: its codelets have one each
    std::int64_t total_ns = 0;
    std::int64_t longest_ns = 0;
    const std::string* entity = nullptr;  // its name
    std::optional<TraceLanes> lanes;
    TraceEvents::Name name = 0;
    std::int64_t shown_until = 0;  // steady ns, in the trace
  };
  /// Has any ended?
  bool take_ended(EntityId entity);
  void add(OfEntity& times, const DeviceSpan& span);

  TraceEvents* trace_;
  std::vector<OfEntity> times_;  // by EntityId
};

}  // namespace gxr
