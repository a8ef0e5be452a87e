#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/device_spans.hpp"
#include "gxr/report.hpp"
#include "observe/trace_lanes.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// Times of the work that ticks give to CUDA streams, by the GPUs' clocks. Thread-safe for
/// different entities. There must be a DeviceEngine.
class DeviceTimes {
 public:
  /// `trace`: gets the work of each tick; may be null. Both must outlive this object.
  DeviceTimes(const Instance& instance, TraceEvents* trace);

  /// Measures what a tick of an entity gives to streams on this thread, while it lives.
  class Tick {
   public:
    /// `times`: null: nothing is measured. `number`: of the tick, from 1.
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
    std::int64_t total_ns = 0;
    std::int64_t longest_ns = 0;
    std::optional<TraceLanes> lanes;
    TraceEvents::Name name = 0;
  };
  /// How many.
  std::uint64_t take_ended(EntityId entity);
  void add(OfEntity& times, const std::string& entity, const DeviceSpan& span);

  const Instance& instance_;
  TraceEvents* trace_;
  std::vector<OfEntity> times_;  // by EntityId
};

}  // namespace gxr
