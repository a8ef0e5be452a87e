#include "executors/device_times.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "device/device_engine.hpp"
#include "executors/cuda_graph/region_runner.hpp"

namespace gxr {
namespace {

constexpr TraceKind kDeviceEvent{"gpu", "tick"};
/// So much may two spans on one stream overlap because their clocks are not exact, ns.
constexpr std::int64_t kExactness = 10'000;

/// Spans of an entity, measured from its first work on. GPUs are not asked for before.
class LateSpans final : public DeviceSpans {
 public:
  void begin(DeviceStream& stream) noexcept override {
    try {
      if (spans_ == nullptr) {
        spans_ = DeviceEngine::get().tools().make_spans();
      }
    } catch (const std::exception&) {
      return;
    }
    spans_->number = number;
    spans_->begin(stream);
  }
  void end() noexcept override {
    if (spans_ != nullptr) {
      spans_->end();
    }
  }
  void take_ended(const std::function<void(const DeviceSpan&)>& take) override {
    if (spans_ != nullptr) {
      spans_->take_ended(take);
    }
  }
  [[nodiscard]] bool has_pending() const noexcept override {
    return spans_ != nullptr && spans_->has_pending();
  }

 private:
  std::unique_ptr<DeviceSpans> spans_;
};

bool works_on_streams(const Instance& instance, const LiveEntity& entity) {
  return std::ranges::any_of(entity.codelets, [&](const Codelet* codelet) {
    const TypeInfo* const type = instance.graph().components[codelet->component_id()].type;
    return dynamic_cast<const RegionRunner*>(codelet) == nullptr && type != nullptr &&
           std::ranges::find(type->parameters, kStreamPoolParameter, &ParameterInfo::key) !=
               type->parameters.end();
  });
}

}  // namespace

DeviceTimes::DeviceTimes(const Instance& instance, TraceEvents* trace)
    : trace_(trace), times_(instance.graph().entities.size()) {
  for (const LiveEntity& entity : instance.entities()) {
    if (works_on_streams(instance, entity)) {
      times_[entity.id].spans = std::make_unique<LateSpans>();
      times_[entity.id].entity = &entity.graph->name;
    }
  }
}

DeviceTimes::Tick::Tick(DeviceTimes* times, const LiveEntity& entity, std::int64_t number)
    : times_(times != nullptr && times->measures(entity) ? times : nullptr), entity_(entity.id) {
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
  } catch (const std::exception&) {
    // events without memory are left out
  }
}

bool DeviceTimes::take_ended(EntityId entity) {
  OfEntity& times = times_[entity];
  bool any = false;
  times.spans->take_ended([&](const DeviceSpan& span) {
    any = true;
    add(times, span);
  });
  return any;
}

void DeviceTimes::add(OfEntity& times, const DeviceSpan& span) {
  const std::int64_t length = span.end_ns - span.begin_ns;
  if (times.tick != span.number) {
    times.tick = span.number;
    times.tick_ns = 0;
    ++times.ticks;
  }
  times.tick_ns += length;
  times.total_ns += length;
  times.longest_ns = std::max(times.longest_ns, times.tick_ns);
  if (trace_ == nullptr) {
    return;
  }
  if (!times.lanes) {
    times.lanes.emplace(*trace_, "GPU " + std::to_string(span.device) + ", " + *times.entity);
    times.name = trace_->name(*times.entity);
  }
  const bool just_overlaps = span.begin_ns < times.shown_until &&
                             times.shown_until < std::min(span.begin_ns + kExactness, span.end_ns);
  const std::int64_t begin = just_overlaps ? times.shown_until : span.begin_ns;
  times.shown_until = span.end_ns;
  TraceEvents::add(times.lanes->take(begin, span.end_ns), times.name, kDeviceEvent, begin,
                   span.end_ns - begin, span.number);
}

void DeviceTimes::finish(std::chrono::nanoseconds patience) {
  constexpr std::chrono::microseconds kPause{200};
  auto progress = std::chrono::steady_clock::now();
  for (EntityId entity = 0; entity < times_.size(); ++entity) {
    const DeviceSpans* const spans = times_[entity].spans.get();
    while (spans != nullptr && spans->has_pending() &&
           (patience.count() == 0 || std::chrono::steady_clock::now() - progress < patience)) {
      if (take_ended(entity)) {
        progress = std::chrono::steady_clock::now();
      } else {
        std::this_thread::sleep_for(kPause);
      }
    }
  }
}

void DeviceTimes::tell(Report& report) const {
  std::unordered_map<std::string_view, const OfEntity*> by_name;
  for (const OfEntity& times : times_) {
    if (times.ticks > 0) {
      by_name.emplace(*times.entity, &times);
    }
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
