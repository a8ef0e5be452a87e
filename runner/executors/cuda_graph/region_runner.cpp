#include "executors/cuda_graph/region_runner.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "document/number_text.hpp"
#include "gxr/cuda/green_context.hpp"
#include "gxr/error.hpp"
#include "gxr/message_data.hpp"
#include "gxr/timestamp.hpp"
#include "plan/own_memory.hpp"
#include "plan/region_changes.hpp"
#include "plan/shapes.hpp"
#include "plan/step_order.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

void attempt_stop(const CallSite& site, std::vector<Failure>& failures, const auto& call) {
  try {
    guarded(site, call);
  } catch (const ComponentFailure& failure) {
    failures.push_back(failure.failure());
  }
}

/// Does it have memory of its own that is the region's?
bool is_slot(const GraphTensor& tensor) {
  return tensor.place == GraphTensor::Place::Slot && tensor.owner == kNone;
}

}  // namespace

/// One operator's view of the region while it is captured.
class RegionRunner::Capture final : public CaptureContext {
 public:
  Capture(RegionRunner& runner, StepId step, CUstream_st* stream)
      : runner_(runner), step_(step), stream_(stream) {}

  [[nodiscard]] CUstream_st* stream() const override { return stream_; }
  [[nodiscard]] const Tensor& input(const Receiver& port) const override {
    return *runner_.tensors_[runner_.read_by(step_, port)];
  }
  [[nodiscard]] const TensorSpec& input_spec(const Receiver& port) const override {
    return *runner_.graph().tensors[runner_.read_by(step_, port)].spec;
  }
  [[nodiscard]] Tensor& output(const Transmitter& port) const override {
    return *runner_.tensors_[runner_.written_by(step_, port)];
  }
  [[nodiscard]] void* scratch() const override { return runner_.scratch_range(step_).begin; }
  [[nodiscard]] const void* parameters() const override { return runner_.parameters_[step_].read; }
  [[nodiscard]] const std::uint64_t* iteration() const override {
    return runner_.iteration_of(step_);
  }
  void keep(std::shared_ptr<const void> object) override { runner_.keep(std::move(object)); }
  [[nodiscard]] Doorbell doorbell() const override {
    const auto& handlers = runner_.graph().handlers;
    const auto found = std::ranges::find(handlers, step_, &GraphHandler::step);
    return found == handlers.end()
               ? Doorbell{}
               : runner_.doorbell(static_cast<std::size_t>(found - handlers.begin()));
  }
  [[nodiscard]] const std::uint64_t* is_new(const Receiver& port) const override {
    const GraphRegion& region = runner_.graph();
    const TensorId read = runner_.read_by(step_, port);
    for (std::size_t i = 0; i < region.inputs.size(); ++i) {
      if (region.inputs[i].tensor == read) {
        return runner_.is_new(i);
      }
    }
    for (std::size_t i = 0; i < region.handlers.size(); ++i) {
      if (region.handlers[i].step == region.tensors[read].producer) {
        return runner_.is_new(region.inputs.size() + i);
      }
    }
    return nullptr;
  }

 private:
  RegionRunner& runner_;
  StepId step_;
  CUstream_st* stream_;
};

namespace {

[[noreturn]] void throw_foreign(const Queue& port) {
  throw Error(ErrorCode::InvalidArgument,
              "'" + port.full_name() + "' is no port of the operator that is captured");
}

/// For what is told when the operators have started: by the first messages, and by device ports.
class LiveOperators final : public ShapeSource {
 public:
  LiveOperators(const Instance& instance, const GraphRegion& region)
      : instance_(instance), region_(region) {}
  GraphOperator& graph_operator(ComponentId codelet) override {
    const bool is_here = std::ranges::any_of(
        region_.steps, [&](const GraphStep& step) { return step.codelet == codelet; });
    if (!is_here) {
      throw Error(ErrorCode::NotAvailable, "others may be running, and are not asked");
    }
    return dynamic_cast<GraphOperator&>(instance_.component(codelet));
  }
  const cuda::DevicePort* device_port(ComponentId queue) override {
    const EntityId entity = instance_.graph().components[queue].entity;
    const bool is_here =
        std::ranges::find(region_.dissolved, entity) != region_.dissolved.end() ||
        std::ranges::find(region_.steps, entity, &GraphStep::entity) != region_.steps.end();
    return is_here ? dynamic_cast<const cuda::DevicePort*>(&instance_.component(queue)) : nullptr;
  }
  [[nodiscard]] bool started() const override { return true; }

 private:
  const Instance& instance_;
  const GraphRegion& region_;
};

/// What an operator says of its memory has to be true. `name`: of the port.
void require_on_device(const cuda::DevicePort::Memory& memory, int device,
                       const std::string& name) {
  const DeviceEngine& runtime = DeviceEngine::get();
  if (const int found = runtime.device_of(memory.pointer); found != device) {
    throw Error(ErrorCode::InvalidArgument,
                "the memory of " + name + " is that of " +
                    (found < 0 ? "the host" : "GPU " + std::to_string(found)) +
                    ", but the graph is on GPU " + std::to_string(device));
  }
  if (const std::size_t bytes = runtime.bytes_behind(memory.pointer); bytes < memory.bytes) {
    throw Error(ErrorCode::InvalidArgument, "the memory of " + name + " has " +
                                                std::to_string(bytes) + " bytes, not " +
                                                std::to_string(memory.bytes));
  }
}

template <class Port>
void add_once(std::vector<Port*>& ports, Component& port) {
  auto* const found = static_cast<Port*>(&port);
  if (std::ranges::find(ports, found) == ports.end()) {
    ports.push_back(found);
  }
}

std::string part_name(const Message& message, const Tensor& tensor) {
  const auto* part = std::find_if(message.begin(), message.end(),
                                  [&](const detail::Part& each) { return each.data == &tensor; });
  return part == message.end() ? std::string() : std::string(part->name);
}

}  // namespace

bool RegionRunner::is_like(const TensorSpec& found, const TensorSpec& wanted, bool only_bytes) {
  if (only_bytes) {
    return found.bytes() == wanted.bytes();
  }
  return found.shape == wanted.shape && found.type == wanted.type &&
         found.bytes() == wanted.bytes() && found.content == wanted.content;
}

RegionRunner::RegionRunner(const Plan& plan, const Region& region, Instance& instance,
                           Context& context)
    : plan_(plan), region_(region), instance_(instance), name_("graph") {
  const GraphStep& first = graph().steps.front();
  entity_ = instance.graph().entities[first.entity];
  entity_.name = region.name;
  ComponentId id = first.codelet;
  type_ = "gxr::cuda::GraphExecutor";
  if (region.declared_by != kNone) {
    id = region.declared_by;
    name_ = instance.graph().components[id].name;
  }
  EngineAccess::attach(*this, {&context, &name_, &entity_.name, &type_, id, first.entity});
  for (const GraphStep& step : graph().steps) {
    operators_.push_back(&dynamic_cast<GraphOperator&>(codelet_of(step)));
  }
  off_.resize(operators_.size());
  find_ports();
  for (const GraphStep& step : graph().steps) {
    members_.push_back(step.entity);
  }
  members_.insert(members_.end(), graph().dissolved.begin(), graph().dissolved.end());
  items_ = items_of(graph());
  item_of_step_.resize(graph().steps.size());
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].step != kNone) {
      item_of_step_[items_[i].step] = i;
    }
  }
}

RegionRunner::~RegionRunner() = default;

void RegionRunner::find_ports() {
  for (const GraphInput& input : graph().inputs) {
    Input& found = inputs_.emplace_back(Input{input.tensor, {}});
    for (const Link& link : input.links) {
      add_once(found.receivers, instance_.component(link.receiver));
      add_once(receivers_, instance_.component(link.receiver));
    }
  }
  for (const GraphOutput& output : graph().outputs) {
    Output& found = outputs_.emplace_back(Output{output.tensor, {}});
    for (const Link& link : output.links) {
      add_once(found.transmitters, instance_.component(link.transmitter));
      add_once(transmitters_, instance_.component(link.transmitter));
    }
  }
}

LiveEntity RegionRunner::merge(const std::vector<LiveEntity>& entities) {
  for (const GraphStep& step : graph().steps) {
    instance_.changes().leave(step.entity);
  }
  for (const EntityId entity : graph().dissolved) {
    instance_.changes().leave(entity);
  }
  LiveEntity merged;
  merged.id = entity_.id;
  merged.graph = &entity_;
  merged.codelets = {this};
  merged.receivers = receivers_;
  merged.transmitters = transmitters_;
  for (const LiveEntity& entity : entities) {
    if (entity.controller != nullptr) {
      throw Error(ErrorCode::NotSupported,
                  "entity '" + entity.graph->name + "' of region '" + region_.name +
                      "' has a Controller, which judges single ticks; a graph has none");
    }
  }
  return merged;
}

bool RegionRunner::is_given_up() const noexcept {
  return DeviceEngine::get().is_given_up(graph().options.device);
}

Component& RegionRunner::codelet_of(const GraphStep& step) const {
  return instance_.component(step.codelet);
}

void RegionRunner::initialize() {
  if (const std::string reason = DeviceRuntime::why_none(); !reason.empty()) {
    const std::vector<GraphStep>& steps = graph().steps;
    throw Error(
        ErrorCode::NotSupported,
        "the CUDA graph of " + counted(steps.size(), "entity", "entities") + " from '" +
            instance_.graph().entities[steps.front().entity].name +
            "' on needs a GPU; `--executor greedy` runs what can run without one on the CPU (" +
            reason + ")");
  }
  DeviceRuntime::get().use_device(graph().options.device);
}

void RegionRunner::start() {
  std::vector<Failure> failures;
  stop_late(failures);  // it is started again before that was time
  if (!failures.empty()) {
    throw ComponentFailure(failures.front());
  }
  memory_ = std::make_unique<RegionMemory>(graph().options.device);
  attach_to_entity(*memory_);
  try {
    start_operators();
    settle_ports();
    if (graph().laid_out) {
      build();
    }
  } catch (...) {
    std::vector<Failure> ignored;  // the cause is what the user needs to see
    shut_down(ignored);
    throw;
  }
}

void RegionRunner::start_operators() {
  for (const GraphStep& step : graph().steps) {
    auto& codelet = dynamic_cast<Codelet&>(codelet_of(step));
    EngineAccess::begin_transition(codelet, execution_timestamp());
    guarded(instance_.site(codelet, "start"), [&] { codelet.start(); });
    ++started_;
  }
}

/// Takes what the operators told their device ports, or what infer() can tell now, into account.
void RegionRunner::settle_ports() {
  const GraphRegion planned = graph();
  infer();
  for (const std::string& change : describe_changes(*plan_.graph, planned, graph())) {
    log_info("region '" + region_.name + "': " + change);
  }
  const bool messages_may_tell = std::ranges::any_of(
      inputs_, [&](const Input& input) { return !graph().tensors[input.tensor].spec; });
  if (!messages_may_tell) {
    require_layout();
  }
}

/// Finds the shapes that only messages tell.
void RegionRunner::lay_out(const std::vector<Message>& messages) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    std::optional<TensorSpec>& spec = graph().tensors[inputs_[i].tensor].spec;
    if (!spec) {
      const Tensor& tensor = tensor_in(inputs_[i], messages[i]);
      spec = spec_in(inputs_[i], messages[i], tensor);
      spec->name = part_name(messages[i], tensor);
    }
  }
  infer();
  require_layout();
}

/// Asks the operators and ports of the region, and lays out its memory.
void RegionRunner::infer() {
  Plan late;
  late.graph = plan_.graph;
  late.catalog = plan_.catalog;
  late.regions = {region_};
  late.regions.front().graph->chooses_mode = false;  // this runner has been chosen
  LiveOperators operators(instance_, graph());
  Diagnostics diagnostics;
  if (shape_order_ != nullptr) {
    infer_shapes(late, operators, diagnostics, *shape_order_);
  } else {
    infer_shapes(late, operators, diagnostics);
  }
  for (const Diagnostic& found : diagnostics.all()) {
    if (found.severity == Severity::Error) {
      throw Error(ErrorCode::InvalidData, found.text);
    }
    log_warning(found.text);
  }
  region_ = late.regions.front();
}

void RegionRunner::require_layout() const {
  if (!graph().laid_out) {
    throw Error(ErrorCode::NotAvailable,
                "the shapes of region '" + region_.name +
                    "' are not known, though every input is: an operator's infer() does not tell "
                    "its outputs: " +
                    unknown_tensors(*plan_.graph, graph()));
  }
}

void RegionRunner::build() {
  try {
    DeviceRuntime::get().use_device(graph().options.device);
    place_tensors();
    write_parameters();
    build_graph();
    built_ = true;
  } catch (...) {
    drop();
    throw;
  }
}

void RegionRunner::build_for(const std::vector<Message>& messages) {
  lay_out(messages);
  build();
}

/// Gives the memory back. Nothing of the graph may be running.
void RegionRunner::drop() {
  built_ = false;
  drop_graph();
  kept_.clear();
  tensors_.clear();
  parameters_.clear();
  arena_ = nullptr;
  slots_.clear();
  memory_->give_back();
}

/// The arena, and the tensors that have memory of their own.
void RegionRunner::take_memory() {
  std::vector<std::uint64_t> sizes;
  std::vector<void**> places;
  const auto want = [&](std::uint64_t bytes, void*& place) {
    sizes.push_back(bytes);
    places.push_back(&place);
  };
  if (graph().arena_bytes > 0) {
    want(graph().arena_bytes, arena_);  // first: most steps use it
  }
  for (TensorId id = 0; id < graph().tensors.size(); ++id) {
    if (is_slot(graph().tensors[id])) {
      want(graph().tensors[id].spec->bytes(), slots_[id]);
    }
  }
  const std::vector<void*> blocks = memory_->take(sizes, partition());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    *places[i] = blocks[i];
  }
  for (StepId step = 0; step < graph().steps.size(); ++step) {
    ParameterBlock& block = parameters_.emplace_back();
    if (const std::size_t bytes = graph().steps[step].parameters.size(); bytes > 0) {
      // DeviceLoopOptions::parameters: a loop writes them in units of 16 bytes.
      const std::size_t room = (bytes + 15) / 16 * 16;
      block.set = memory_->take(room);
      block.read = runs_beside(graph(), step) ? memory_->take(room) : block.set;
    }
  }
}

void RegionRunner::place_tensors() {
  take_memory();
  for (TensorId id = 0; id < graph().tensors.size(); ++id) {
    const TensorSpec& spec = *graph().tensors[id].spec;
    const std::uint64_t each = spec.type == ElementType::Custom ? spec.bytes_per_element : 0;
    auto tensor = std::make_unique<Tensor>();
    tensor->wrap(place_of(id), spec.shape, spec.type, MemoryStorageType::Device, nullptr, nullptr,
                 each);
    tensors_.push_back(std::move(tensor));
  }
}

DeviceBranch RegionRunner::device_branch(const RegionItem& item) {
  const GraphBranch& planned = graph().branches[item.branch];
  DeviceBranch branch;
  branch.kind = planned.kind;
  branch.lists = planned.alternatives;
  if (planned.kind == BranchKind::Every) {
    branch.count = planned.count;
    branch.first = planned.first;
    branch.iteration = iteration();
    branch.launch = planned.launch;
    return branch;
  }
  branch.selector = tensor(planned.selector).pointer();
  branch.type = graph().tensors[planned.selector].spec->type;
  branch.limit = planned.limit;
  if (branch.limit > 0) {
    branch.runs = static_cast<std::uint64_t*>(memory_->take(sizeof(std::uint64_t)));
  }
  return branch;
}

RegionRunner::Copy RegionRunner::copy_of(const RegionItem& item) const {
  const Tensor& to = tensor(item.copied_to);
  return {const_cast<void*>(to.pointer()), tensor(graph().tensors[item.copied_to].delays).pointer(),
          to.size()};
}

void RegionRunner::clear_old_tensors() {
  std::optional<LeasedStream> stream;
  for (TensorId id = 0; id < graph().tensors.size(); ++id) {
    const GraphTensor& planned = graph().tensors[id];
    const bool is_found = graph().options.ready == GraphReady::Any && planned.producer != kNone &&
                          std::ranges::find(graph().handlers, planned.producer,
                                            &GraphHandler::step) != graph().handlers.end();
    if ((planned.lasts || is_found) && planned.owner == kNone) {
      if (!stream) {
        stream.emplace(StreamOptions{.device = graph().options.device});
      }
      DeviceRuntime::get().clear(const_cast<void*>(tensor(id).pointer()), tensor(id).size(),
                                 stream->get());
    }
  }
  if (stream) {
    stream->finish();
  }
}

DeviceRange RegionRunner::scratch_range(StepId step) const {
  const auto found = std::ranges::find(graph().scratch, step, &GraphScratch::step);
  if (found == graph().scratch.end()) {
    return {};
  }
  return {static_cast<std::byte*>(arena_) + found->offset, found->bytes};
}

TensorId RegionRunner::read_by(StepId step, const Receiver& port) const {
  for (const TensorId read : graph().steps[step].reads) {
    const auto& receivers = graph().tensors[read].receivers;
    if (std::ranges::find(receivers, port.component_id()) != receivers.end()) {
      return read;
    }
  }
  throw_foreign(port);
}

TensorId RegionRunner::written_by(StepId step, const Transmitter& port) const {
  for (const TensorId written : graph().steps[step].writes) {
    const GraphTensor& tensor = graph().tensors[written];
    if (tensor.transmitter == port.component_id() ||
        std::ranges::find(tensor.in_turn, port.component_id(), &TensorWriter::transmitter) !=
            tensor.in_turn.end()) {
      return written;
    }
  }
  throw_foreign(port);
}

DeviceRange RegionRunner::kept_in_l2(StepId step) const {
  DeviceRange range;
  const KeptInL2 kept = operators_[step]->graph_traits().kept_in_l2;
  const std::vector<TensorId>& written = graph().steps[step].writes;
  if (kept == KeptInL2::Scratch) {
    range = scratch_range(step);
  } else if (kept == KeptInL2::Output && !written.empty()) {
    const Tensor& output = *tensors_[written.front()];
    range = {const_cast<void*>(output.pointer()), output.size()};
  }
  if (kept != KeptInL2::Nothing && range.bytes == 0) {
    throw Error(ErrorCode::InvalidArgument, std::string("asks for the L2 cache to keep its ") +
                                                (kept == KeptInL2::Scratch ? "scratch" : "output") +
                                                ", but has none");
  }
  return range;
}

DevicePartition* RegionRunner::partition() const {
  const ComponentId id = graph().green_context;
  return id == kNone ? nullptr
                     : &dynamic_cast<cuda::CudaGreenContext&>(instance_.component(id)).partition();
}

MeasuredOperators RegionRunner::measured_operators(
    std::vector<MeasuredIteration> iterations) const {
  std::vector<std::string> entities;
  for (const RegionItem& item : items_) {
    // What looks for input is not in an iteration.
    const bool is_in = item.step != kNone && !graph().steps[item.step].looks;
    entities.push_back(is_in ? instance_.graph().entities[graph().steps[item.step].entity].name
                             : std::string());
  }
  return {std::move(entities), std::move(iterations)};
}

void RegionRunner::add_measures(std::vector<MeasuredIteration> iterations,
                                GraphStatistics& statistics) const {
  const MeasuredOperators found = measured_operators(std::move(iterations));
  found.add_to(statistics);
  if (trace_ != nullptr) {
    found.add_to(*trace_, "GPU " + std::to_string(graph().options.device) + ", " + region_name());
  }
}

void RegionRunner::set_statistics(GraphStatistics statistics) {
  statistics_ = std::move(statistics);
  statistics_->memory_bytes = memory_->taken_bytes() + graph_bytes();
}

/// An operator's own memory, or some of the region's.
void* RegionRunner::place_of(TensorId id) {
  const GraphTensor& planned = graph().tensors[id];
  if (planned.in_place) {
    return place_of(planned.delays);
  }
  if (planned.owner != kNone) {
    LiveOperators operators(instance_, graph());
    const auto memory = own_memory(*plan_.graph, graph(), id, operators);
    require_on_device(memory, graph().options.device,
                      name_with_ends(*plan_.graph, graph(), id, planned.owner));
    return memory.pointer;
  }
  if (planned.place == GraphTensor::Place::Slot) {
    return slots_.at(id);
  }
  return static_cast<std::byte*>(arena_) + planned.offset;
}

void RegionRunner::capture(
    StepId step, const std::function<void(const std::function<void(CUstream_st*)>&)>& add) {
  const auto as_operator = [this, step](const auto& call) {
    guarded(instance_.site(codelet_of(graph().steps[step]), "capture"), call);
  };
  captured_ = step;
  const auto old = std::exchange(kept_[step], {});  // it may still be needed to capture again
  as_operator([&] {
    add([this, step, as_operator](CUstream_st* stream) {
      as_operator([&] {
        Capture context(*this, step, stream);
        operators_[step]->capture(context);
      });
    });
  });
}

std::string RegionRunner::hang_text() const {
  const auto watchdog =
      std::chrono::duration_cast<std::chrono::milliseconds>(graph().options.watchdog);
  return "region '" + region_name() + "' hangs: no iteration has ended for " +
         std::to_string(watchdog.count()) + " ms ('watchdog_ms')";
}

void RegionRunner::attach_to_entity(Component& component) {
  EngineAccess::attach(component,
                       {&context(), &name_, &entity_.name, &type_, component_id(), entity_id()});
}

void RegionRunner::keep(std::shared_ptr<const void> object) {
  kept_[captured_].push_back(std::move(object));
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
  attempt_stop(instance_.site(*this, "stop"), failures, [&] {
    if (memory_ != nullptr) {
      finish();
      drop();
    }
  });
  if (hangs()) {
    started_ = 0;
    static_cast<void>(memory_.release());
    return;
  }
  if (!DeviceEngine::get().has_running_loops()) {
    stop_operators(failures);
  }  // else stop_late() does: CUDA waits for the loops when an operator gives memory back
}

void RegionRunner::stop_late(std::vector<Failure>& failures) {
  if (started_ > 0) {
    stop_operators(failures);
  }
}

void RegionRunner::stop_operators(std::vector<Failure>& failures) {
  while (started_ > 0) {
    auto& codelet = dynamic_cast<Codelet&>(codelet_of(graph().steps[--started_]));
    EngineAccess::begin_transition(codelet, execution_timestamp());
    attempt_stop(instance_.site(codelet, "stop"), failures, [&] { codelet.stop(); });
  }
}

}  // namespace gxr
