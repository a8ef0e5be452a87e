#include "executors/cuda_graph/region_runner.hpp"

#include <algorithm>
#include <utility>

#include "device/device_engine.hpp"
#include "document/number_text.hpp"
#include "gxr/error.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

RegionRunner::RegionRunner(const Plan& plan, const Region& region, Instance& instance,
                           Context& context)
    : region_(plan, region, instance, context, *this,
              [this](const std::string& text) { log_warning(text); }),
      name_("graph") {
  const GraphStep& first = region_.graph().steps.front();
  entity_ = instance.graph().entities[first.entity];
  entity_.name = region.name;
  ComponentId id = first.codelet;
  const std::string* owner = &entity_.name;  // the entity that errors name
  type_ = "gxr::cuda::GraphExecutor";
  if (region.declared_by != kNone) {
    id = region.declared_by;
    const GraphComponent& declared = instance.graph().components[id];
    name_ = declared.name;
    owner = &instance.graph().entities[declared.entity].name;
  }
  EngineAccess::attach(*this, {&context, &name_, owner, &type_, id, first.entity});
}

RegionRunner::~RegionRunner() = default;

void RegionRunner::configure(RegionSettings settings) {
  settings_ = std::move(settings);
  region_.shapes.set_order(settings_.shape_order);
}

LiveEntity RegionRunner::merge(const std::vector<LiveEntity>& entities) {
  LiveEntity merged;
  merged.id = entity_.id;
  merged.graph = &entity_;
  merged.codelets = {this};
  merged.receivers = region_.ports.receivers();
  merged.transmitters = region_.ports.transmitters();
  for (const LiveEntity& entity : entities) {
    if (entity.controller != nullptr) {
      throw Error(ErrorCode::NotSupported,
                  "entity '" + entity.graph->name + "' of region '" + region_.name() +
                      "' has a Controller, which judges single ticks; a graph has none");
    }
  }
  return merged;
}

void RegionRunner::initialize() {
  if (const std::string reason = DeviceRuntime::why_none(); !reason.empty()) {
    throw Error(ErrorCode::NotSupported,
                "the CUDA graph of " + counted(region_.operators.count(), "entity", "entities") +
                    " from '" + region_.operators.entity(0) +
                    "' on needs a GPU; `--executor greedy` runs what can run without one on the "
                    "CPU (" +
                    reason + ")");
  }
  DeviceRuntime::get().use_device(region_.options().device);
}

void RegionRunner::start() {
  std::vector<Failure> failures;
  stop_late(failures);  // it is started again before that was time
  if (!failures.empty()) {
    throw ComponentFailure(failures.front());
  }
  region_.buffers.begin(region_.options().device);
  attach_to_entity(region_.buffers.memory());
  try {
    region_.operators.start(execution_timestamp());
    region_.shapes.settle([this](const std::string& text) { log_info(text); });
    if (region_.graph().laid_out) {
      build();
    }
  } catch (...) {
    std::vector<Failure> ignored;  // the cause is what the user needs to see
    shut_down(ignored);
    throw;
  }
}

void RegionRunner::build() {
  try {
    DeviceRuntime::get().use_device(region_.options().device);
    region_.program.begin();
    region_.place();
    make_graph();
    open_graph();
    built_ = true;
  } catch (...) {
    drop();
    throw;
  }
}

void RegionRunner::build_for(const std::vector<Message>& messages) {
  region_.shapes.lay_out(messages);
  build();
}

void RegionRunner::rebuild() {
  const std::string edits = region_.program.edits_text();
  const bool goes_back = held_.has_value();
  const std::vector<BufferId> kept =
      goes_back ? std::vector<BufferId>() : region_.program.kept_by_wanted();
  if (!goes_back) {
    held_ =
        region_.buffers.hold(region_.program.exchanges() ? region_.program.kept_by_either() : kept);
  }
  std::vector<RegionBuffers::Held> back = *held_;
  if (!goes_back) {
    std::erase_if(back, [&](const RegionBuffers::Held& each) {
      return !std::ranges::binary_search(kept, each.buffer);
    });
  }
  region_.program.lose();
  try {
    region_.buffers.drop();
    region_.region = region_.program.wanted_region();
    region_.program.rebuilt();
    region_.place();
    make_graph();
    region_.buffers.clear_old(region_.program.running());
  } catch (const Error& error) {
    throw Error(error.code(), "region '" + region_.name() + "' cannot be made for other shapes (" +
                                  edits + "): " + error.message());
  }
  region_.buffers.put_back(back);
}

void RegionRunner::settle() {
  region_.program.applied();
  held_.reset();
}

/// Gives the memory back. Nothing of the graph may be running.
void RegionRunner::drop() {
  built_ = false;
  drop_graph();
  held_.reset();
  region_.capture.forget();
  region_.buffers.drop();
}

void RegionRunner::add_measures(std::vector<MeasuredIteration> iterations,
                                GraphStatistics& statistics) const {
  const MeasuredOperators found = region_.measured_operators(std::move(iterations));
  found.add_to(statistics);
  if (settings_.trace != nullptr) {
    found.add_to(*settings_.trace,
                 "GPU " + std::to_string(region_.options().device) + ", " + region_.name());
  }
}

void RegionRunner::show(ShownGraph::Reader reader) {
  const GraphOptions& options = region_.options();
  shown_.show({region_.name(), options.device, options.mode == GraphMode::Resident, {}},
              region_.operators_by_node(), std::move(reader));
}

void RegionRunner::set_statistics(GraphStatistics statistics) {
  statistics_ = std::move(statistics);
  statistics_->device = region_.options().device;
  statistics_->memory_bytes = region_.buffers.memory().taken_bytes() + graph_bytes();
}

void RegionRunner::tell_edits(const std::string& edits, const std::string& cost) const {
  if (!edits.empty()) {
    log_debug("region '" + region_.name() + "': " + edits + "; cost: " + cost);
  }
}

void RegionRunner::attach_to_entity(Component& component) {
  EngineAccess::attach(component,
                       {&context(), &name_, &entity_.name, &type_, component_id(), entity_id()});
}

void RegionRunner::stop() {
  std::vector<Failure> failures;
  shut_down(failures);
  if (!failures.empty()) {
    throw ComponentFailure(failures.front());
  }
}

/// All is tried; failures are collected.
void RegionRunner::shut_down(std::vector<Failure>& failures) {
  attempt_stop(region_.instance.site(*this, "stop"), failures, [&] {
    if (region_.buffers.have_begun()) {
      finish();
      drop();
    }
  });
  if (hangs()) {
    region_.operators.leave();
    region_.buffers.leave();
    return;
  }
  if (!DeviceEngine::get().in_flight().has_running_loops()) {
    region_.operators.stop(execution_timestamp(), failures);
  }  // else stop_late() does: CUDA waits for the loops when an operator gives memory back
}

void RegionRunner::stop_late(std::vector<Failure>& failures) {
  region_.operators.stop(execution_timestamp(), failures);
}

}  // namespace gxr
