#include "executors/observed_tick.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "gxr/driven_terms.hpp"
#include "sdk/engine_access.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

/// A range for NVIDIA's profilers, or none.
class NvtxRange {
 public:
  NvtxRange(DeviceEngine* runtime, const std::string& name) : runtime_(runtime) {
    if (runtime_ != nullptr) {
      runtime_->tools().push_range(name.c_str());
    }
  }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
  ~NvtxRange() {
    if (runtime_ != nullptr) {
      runtime_->tools().pop_range();
    }
  }

 private:
  DeviceEngine* runtime_;
};

/// The tick of a codelet on the time line, or nothing.
class TracedCodelet {
 public:
  TracedCodelet(TraceEvents::Track* track, TraceEvents::Name name, const Codelet& codelet)
      : track_(track) {
    if (track_ != nullptr) {
      event_ = track_->open(name, kCodeletEvent, steady_now(), codelet.execution_count() + 1);
    }
  }
  TracedCodelet(const TracedCodelet&) = delete;
  TracedCodelet& operator=(const TracedCodelet&) = delete;
  ~TracedCodelet() {
    if (track_ != nullptr) {
      track_->close(event_, steady_now());
    }
  }

 private:
  TraceEvents::Track* track_;
  TraceEvents::Event* event_ = nullptr;
};

/// Of the exception being handled, which came from what this thread is running.
std::string failure_text() {
  const CallSite* const site = current_call_site();
  return describe(current_failure(site != nullptr ? *site : CallSite{"tick", {}, {}, {}}));
}

const std::string& shown_name(const Codelet& codelet) {
  return codelet.name().empty() ? codelet.type() : codelet.name();
}

}  // namespace

ObservedTicks::ObservedTicks(const Instance& instance, const ExecutorOptions& options)
    : instance_(instance),
      monitors_(instance.monitors()),
      ranges_(options.nvtx ? &DeviceEngine::get() : nullptr),
      trace_(options.trace),
      device_times_(options.device_times),
      behaviors_(instance.graph().entities.size()) {
  want_ticks_ = std::ranges::any_of(monitors_, [](const Monitor* m) { return m->wants_ticks(); });
  for (std::atomic<Behavior>& behavior : behaviors_) {
    behavior.store(Behavior::Unknown, std::memory_order_relaxed);
  }
  for (const LiveEntity& entity : instance.entities()) {
    if (entity.controller != nullptr) {
      behaviors_[entity.id].store(Behavior::Initial, std::memory_order_relaxed);
    }
  }
  if (trace_ != nullptr) {
    name_events();
    queues_.emplace(instance_, *trace_);
  }
}

void ObservedTicks::name_events() {
  entity_names_.resize(instance_.graph().entities.size());
  codelet_names_.resize(instance_.graph().components.size());
  for (const LiveEntity& entity : instance_.entities()) {
    entity_names_[entity.id] = trace_->name(entity.graph->name);
    if (entity.codelets.size() > 1) {
      for (const Codelet* codelet : entity.codelets) {
        codelet_names_[codelet->component_id()] = trace_->name(shown_name(*codelet));
      }
    }
  }
}

Behavior ObservedTicks::behavior(EntityId entity) const noexcept {
  return entity < behaviors_.size() ? behaviors_[entity].load(std::memory_order_acquire)
                                    : Behavior::Unknown;
}

bool ObservedTicks::starts_again(const LiveEntity& entity) noexcept {
  const bool again = std::ranges::any_of(entity.terms, [](const SchedulingTerm* term) {
    const auto* node = dynamic_cast<const BTSchedulingTerm*>(term);
    return node != nullptr && node->condition() == ConditionType::Ready;
  });
  if (again) {
    behaviors_[entity.id].store(Behavior::Initial, std::memory_order_release);
  }
  return again;
}

bool ObservedTicks::run(const LiveEntity& entity, std::span<const CodeletTick> ticks, Times times,
                        const std::function<void()>& after) {
  const NvtxRange range(ranges_, entity.graph->name);
  const std::int64_t begin = steady_now();
  TraceEvents::Track* const track = trace_ != nullptr ? &trace_->this_thread() : nullptr;
  TraceEvents::Event* traced = nullptr;
  std::optional<TracedQueues::Tick> queues;
  if (track != nullptr) {
    traced = track->open(entity_names_[entity.id], kTickEvent, begin,
                         ticks.front().codelet->execution_count() + 1);
    queues.emplace(*queues_, entity.id, *track, begin);
  }
  std::optional<Failure> failure;
  const DeviceTimes::Tick on_device(
      device_times_, entity,
      static_cast<std::int64_t>(ticks.front().codelet->execution_count()) + 1);
  try {
    tick_all(ticks, times.now, track);
    if (queues) {
      queues->end(steady_now());
    }
    after();
  } catch (const ComponentFailure& caught) {
    failure = caught.failure();
  } catch (...) {  // of a term, or of a queue without room
    if (track != nullptr) {
      track->close(traced, steady_now(), failure_text());
    }
    throw;
  }
  const std::int64_t end = steady_now();
  if (track != nullptr) {
    track->close(traced, end, failure ? describe(*failure) : std::string());
  }
  for (Monitor* monitor : monitors_) {
    guarded(instance_.site(*monitor, "on_execute"), [&] {
      monitor->on_execute({entity.id, entity.graph->name, times.now, times.ready_at, begin, end,
                           !failure.has_value(), failure ? failure->code : ErrorCode::Failure});
    });
  }
  if (entity.controller == nullptr) {
    if (failure) {
      throw ComponentFailure(*failure);
    }
    return true;
  }
  const bool unfinished = failure && failure->code == ErrorCode::NotFinished;
  return decide(entity,
                !failure     ? Controller::Result::Success
                : unfinished ? Controller::Result::NotFinished
                             : Controller::Result::Failure,
                failure.value_or(Failure{}));
}

void ObservedTicks::tick_all(std::span<const CodeletTick> ticks, std::int64_t now,
                             TraceEvents::Track* track) {
  TraceEvents::Track* const codelet_track = ticks.size() > 1 ? track : nullptr;
  for (const CodeletTick& tick : ticks) {
    const NvtxRange range(ranges_, shown_name(*tick.codelet));
    const std::int64_t begin = want_ticks_ ? steady_now() : 0;
    const TracedCodelet traced(
        codelet_track, codelet_track != nullptr ? codelet_names_[tick.codelet->component_id()] : 0,
        *tick.codelet);
    EngineAccess::begin_tick(*tick.codelet, now);
    guarded(*tick.site, [&] { tick.codelet->tick(); });
    if (!want_ticks_) {
      continue;
    }
    const std::int64_t end = steady_now();
    for (Monitor* monitor : monitors_) {
      guarded(instance_.site(*monitor, "on_tick"),
              [&] { monitor->on_tick(*tick.codelet, begin, end); });
    }
  }
}

bool ObservedTicks::decide(const LiveEntity& entity, Controller::Result result,
                           const Failure& failure) {
  Controller::Decision decision{};
  guarded(instance_.site(*entity.controller, "control"),
          [&] { decision = entity.controller->control(result); });
  behaviors_[entity.id].store(decision.behavior, std::memory_order_release);
  switch (decision.action) {
    case Controller::Action::Continue:
      return decision.behavior == Behavior::Running;
    case Controller::Action::Repeat:
      return true;
    case Controller::Action::Deactivate:
      return false;
    case Controller::Action::Fail:
      break;
  }
  throw ComponentFailure(failure);
}

}  // namespace gxr
