#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "device/device_engine.hpp"
#include "executors/device_times.hpp"
#include "executors/executor.hpp"
#include "executors/traced_queues.hpp"
#include "gxr/controller.hpp"
#include "gxr/monitor.hpp"
#include "observe/call_site.hpp"
#include "observe/trace_events.hpp"
#include "runtime/instance.hpp"
#include "runtime/turn_task.hpp"

namespace gxr {

/// Ticks of entities that have a Controller, and of all entities when the application has Monitors
/// or its ticks are marked for profilers, traced, or measured on GPUs; the others need none of
/// this. Thread-safe for different entities.
class ObservedTicks {
 public:
  ObservedTicks(const Instance& instance, const ExecutorOptions& options);

  [[nodiscard]] bool needed_for(const LiveEntity& entity) const noexcept {
    return entity.controller != nullptr || !monitors_.empty() || ranges_ != nullptr ||
           trace_ != nullptr || (device_times_ != nullptr && device_times_->measures(entity));
  }

  struct Times {
    std::int64_t now;       ///< of this execution, on the scheduler's clock
    std::int64_t ready_at;  ///< likewise, when the entity could have run
  };
  /// Ticks the codelets; `after` (terms, outbox) follows unless one of them throws. True when the
  /// entity goes on, false when it has finished. Throws ComponentFailure when the run has failed.
  bool run(const LiveEntity& entity, std::span<const CodeletTick> ticks, Times times,
           const std::function<void()>& after);

  [[nodiscard]] Behavior behavior(EntityId entity) const noexcept;
  /// Must a finished entity start again? A node of a behaviour tree must when its parent made its
  /// BTSchedulingTerm READY; its other terms may still wait, as in its first run. When true, the
  /// old result does not count any more.
  bool starts_again(const LiveEntity& entity) noexcept;

 private:
  void name_events();
  /// `track` may be null.
  void tick_all(std::span<const CodeletTick> ticks, std::int64_t now, TraceEvents::Track* track);
  bool decide(const LiveEntity& entity, Controller::Result result, const Failure& failure);

  const Instance& instance_;
  const std::vector<Monitor*>& monitors_;
  DeviceEngine* ranges_ = nullptr;  // marks ticks for profilers
  TraceEvents* trace_ = nullptr;
  DeviceTimes* device_times_ = nullptr;
  std::optional<TracedQueues> queues_;            // of trace_
  std::vector<TraceEvents::Name> entity_names_;   // of trace_, by EntityId
  std::vector<TraceEvents::Name> codelet_names_;  // by ComponentId, where an entity has several
  bool want_ticks_ = false;
  std::vector<std::atomic<Behavior>> behaviors_;  // by EntityId
};

}  // namespace gxr
