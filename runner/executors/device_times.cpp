#include "executors/device_times.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "device/device_engine.hpp"

namespace gxr {
namespace {

constexpr TraceKind kDeviceEvent{"gpu", "tick"};

}  // namespace

DeviceTimes::DeviceTimes(const Instance& instance, TraceEvents* trace)
    : instance_(instance), trace_(trace), times_(instance.graph().entities.size()) {
  DeviceTools& tools = DeviceEngine::get().tools();
  for (const LiveEntity& entity : instance.entities()) {
    times_[entity.id].spans = tools.make_spans();
  }
}

DeviceTimes::Tick::Tick(DeviceTimes* times, const LiveEntity& entity, std::int64_t number)
    : times_(times), entity_(entity.id) {
  if (times_ != nullptr) {
    DeviceSpans* const spans = times_->times_[entity_].spans.get();
    spans->number = number;
    outer_ = set_current_device_spans(spans);
  }
}

DeviceTimes::Tick::~Tick() {
  if (times_ == nullptr) {
    return;
  }
  set_current_device_spans(outer_);
  try {
    times_->take_ended(entity_);
  } catch (const std::bad_alloc&) {
    // what the trace has no memory for is left out
  }
}

std::uint64_t DeviceTimes::take_ended(EntityId entity) {
  OfEntity& times = times_[entity];
  const std::uint64_t before = times.ticks;
  const std::string& name = instance_.graph().entities[entity].name;
  times.spans->take_ended([&](const DeviceSpan& span) { add(times, name, span); });
  return times.ticks - before;
}

void DeviceTimes::add(OfEntity& times, const std::string& entity, const DeviceSpan& span) {
  const std::int64_t length = span.end_ns - span.begin_ns;
  ++times.ticks;
  times.total_ns += length;
  times.longest_ns = std::max(times.longest_ns, length);
  if (trace_ == nullptr) {
    return;
  }
  if (!times.lanes) {
    times.lanes.emplace(*trace_, "GPU " + std::to_string(span.device) + ", " + entity);
    times.name = trace_->name(entity);
  }
  TraceEvents::add(times.lanes->take(span.begin_ns, span.end_ns), times.name, kDeviceEvent,
                   span.begin_ns, length, span.number);
}

void DeviceTimes::finish(std::chrono::nanoseconds patience) {
  constexpr std::chrono::microseconds kPause{200};
  auto progress = std::chrono::steady_clock::now();
  for (const LiveEntity& entity : instance_.entities()) {
    const DeviceSpans& spans = *times_[entity.id].spans;
    while (spans.has_pending() &&
           (patience.count() == 0 || std::chrono::steady_clock::now() - progress < patience)) {
      if (take_ended(entity.id) > 0) {
        progress = std::chrono::steady_clock::now();
      } else {
        std::this_thread::sleep_for(kPause);
      }
    }
  }
}

void DeviceTimes::tell(Report& report) const {
  std::unordered_map<std::string_view, const OfEntity*> by_name;
  for (const LiveEntity& entity : instance_.entities()) {
    by_name.emplace(entity.graph->name, &times_[entity.id]);
  }
  for (EntityStatistics& entity : report.entities) {
    if (const auto found = by_name.find(entity.entity); found != by_name.end()) {
      entity.device_ticks = found->second->ticks;
      entity.device_total_ns = found->second->total_ns;
      entity.device_longest_ns = found->second->longest_ns;
    }
  }
}

}  // namespace gxr
