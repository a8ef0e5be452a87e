#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gxr/controller.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/monitor.hpp"
#include "observe/call_site.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// A codelet and what to show of its tick().
struct CodeletTick {
  Codelet* codelet = nullptr;
  const CallSite* site = nullptr;
};

/// Ticks of entities that have a Controller, and of all entities when the application has Monitors
/// or its ticks are marked for profilers; the others need none of this. Thread-safe for different
/// entities.
class ObservedTicks {
 public:
  ObservedTicks(const Instance& instance, bool nvtx);

  [[nodiscard]] bool needed_for(const LiveEntity& entity) const noexcept {
    return entity.controller != nullptr || !monitors_.empty() || ranges_ != nullptr;
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
  void tick_all(std::span<const CodeletTick> ticks, std::int64_t now);
  bool decide(const LiveEntity& entity, Controller::Result result, const Failure& failure);

  const Instance& instance_;
  const std::vector<Monitor*>& monitors_;
  DeviceRuntime* ranges_ = nullptr;  // marks ticks for profilers
  bool want_ticks_ = false;
  std::vector<std::atomic<Behavior>> behaviors_;  // by EntityId
};

}  // namespace gxr
