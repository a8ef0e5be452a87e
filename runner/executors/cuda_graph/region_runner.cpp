#include "executors/cuda_graph/region_runner.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "document/number_text.hpp"
#include "executors/cuda_graph/late_shapes.hpp"
#include "gxr/cuda/green_context.hpp"
#include "gxr/error.hpp"
#include "plan/own_memory.hpp"
#include "plan/region_changes.hpp"
#include "plan/shapes.hpp"
#include "plan/switched_off.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

/// Checks the memory that an operator gave. `name`: of the port.
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

}  // namespace

RegionRunner::RegionRunner(const Plan& plan, const Region& region, Instance& instance,
                           Context& context)
    : plan_(plan),
      region_(region),
      instance_(instance),
      operators_(graph(), instance),
      ports_(region_, operators_, instance, context),
      program_(plan, region_, operators_, instance,
               [this](const Region& told) { return infer_anew(told); }),
      name_("graph") {
  const GraphStep& first = graph().steps.front();
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

LiveEntity RegionRunner::merge(const std::vector<LiveEntity>& entities) {
  LiveEntity merged;
  merged.id = entity_.id;
  merged.graph = &entity_;
  merged.codelets = {this};
  merged.receivers = ports_.receivers();
  merged.transmitters = ports_.transmitters();
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
  return DeviceEngine::get().is_given_up(options().device);
}

void RegionRunner::initialize() {
  if (const std::string reason = DeviceRuntime::why_none(); !reason.empty()) {
    throw Error(ErrorCode::NotSupported,
                "the CUDA graph of " + counted(operators_.count(), "entity", "entities") +
                    " from '" + operators_.entity(0) +
                    "' on needs a GPU; `--executor greedy` runs what can run without one on the "
                    "CPU (" +
                    reason + ")");
  }
  DeviceRuntime::get().use_device(options().device);
}

void RegionRunner::start() {
  std::vector<Failure> failures;
  stop_late(failures);  // it is started again before that was time
  if (!failures.empty()) {
    throw ComponentFailure(failures.front());
  }
  buffers_.begin(options().device);
  attach_to_entity(buffers_.memory());
  try {
    operators_.start(execution_timestamp());
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

/// Takes what the operators told their device ports, or what infer() can tell now, into account.
void RegionRunner::settle_ports() {
  const GraphRegion planned = graph();
  infer();
  for (const std::string& change : describe_changes(*plan_.graph, planned, graph())) {
    log_info("region '" + region_.name + "': " + change);
  }
  const bool messages_may_tell = std::ranges::any_of(
      inputs(), [&](const Input& input) { return !graph().tensors[input.tensor].spec; });
  if (!messages_may_tell) {
    require_layout(plan_, region_);
  }
}

void RegionRunner::infer() {
  region_ = infer_late(plan_, region_, instance_, shape_order_,
                       [this](const std::string& text) { log_warning(text); });
}

/// Finds the shapes that only messages tell.
void RegionRunner::lay_out(const std::vector<Message>& messages) {
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    const Input& input = inputs()[i];
    std::optional<TensorSpec>& spec = region_.graph->tensors[input.tensor].spec;
    if (!spec) {
      spec = ports_.spec_told_by(input, messages[i]);
    }
  }
  infer();
  require_layout(plan_, region_);
}

void RegionRunner::build() {
  try {
    DeviceRuntime::get().use_device(options().device);
    program_.begin();
    place();
    make_graph();
    open_graph();
    built_ = true;
  } catch (...) {
    drop();
    throw;
  }
}

void RegionRunner::place() {
  buffers_.place(program_.running(), graph(), partition(),
                 [this](TensorId id) { return memory_of_operator(id); });
  buffers_.write_parameters(program_.running());
}

void RegionRunner::build_for(const std::vector<Message>& messages) {
  lay_out(messages);
  build();
}

Region RegionRunner::infer_anew(const Region& told) const {
  Region region =
      infer_late(plan_, told, instance_, shape_order_, [](const std::string& /*warning*/) {});
  require_layout(plan_, region);
  return region;
}

bool RegionRunner::find_tensors(const std::vector<Message>& messages) {
  tensors_.assign(messages.size(), nullptr);
  bool fit = true;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i]) {
      tensors_[i] = ports_.fitting_tensor(inputs()[i], messages[i]);
      fit = fit && tensors_[i] != nullptr;
    }
  }
  return fit;
}

void RegionRunner::require_tensors(const std::vector<Message>& messages) {
  if (!find_tensors(messages)) {
    throw Error(ErrorCode::InvalidState,
                "region '" + region_name() + "' was not built for the messages that it has");
  }
}

/// Puts what a message says of an input into `told`. Returns how that differs; empty: it does not.
std::string RegionRunner::told_by(std::size_t input, const Message& message, Region& told) const {
  const Input& port = inputs()[input];
  GraphTensor& tensor = told.graph->tensors[port.tensor];
  TensorSpec found = ports_.spec_told_by(port, message);
  if (is_like(found, *tensor.spec, tensor.only_bytes)) {
    return {};
  }
  const std::string difference = "region '" + region_name() + "' is built for " +
                                 tensor.spec->to_string() + " at " + RegionPorts::name_of(port) +
                                 ", which received " + found.to_string();
  const char* const why =
      tensor.spec_is_given ? "'inputs' says what it receives" : why_fixed(region_);
  if (why != nullptr) {
    throw Error(ErrorCode::InvalidData, difference + "; " + why);
  }
  tensor.spec = std::move(found);
  tensor.spec_is_declared = false;  // device ports may contradict it
  return difference;
}

void RegionRunner::want_shapes_of(const std::vector<Message>& messages,
                                  const RegionProgram::News& news) {
  Region told = program_.wanted_region();
  std::string differences;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string difference = messages[i] ? told_by(i, messages[i], told) : std::string();
    differences += (differences.empty() || difference.empty() ? "" : ", and ") + difference;
  }
  try {
    program_.want(news, told);
  } catch (const Error& error) {
    throw Error(ErrorCode::InvalidData, differences + ": " + error.message());
  }
}

/// The buffers of the running program whose content the wanted one needs, too.
std::vector<BufferId> RegionRunner::kept_by_next() const {
  const DeviceProgram& now = program_.running();
  const DeviceProgram& next = program_.wanted();
  std::vector<BufferId> needed;
  for (BufferId id = 0; id < graph().tensors.size(); ++id) {
    if (next.buffers[id].lasts) {
      needed.push_back(id);
    }
  }
  for (const DeviceNode& node : next.nodes) {
    if (!node.enabled) {
      needed.insert(needed.end(), node.writes.begin(), node.writes.end());
    }
  }
  std::ranges::sort(needed);
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  std::erase_if(needed, [&](BufferId id) {
    const DeviceBuffer& was = now.buffers[id];
    const DeviceBuffer& is = next.buffers[id];
    return was.bytes != is.bytes || was.tensor != is.tensor ||
           was.place == DeviceBuffer::Place::OfOperator || was.place == DeviceBuffer::Place::Same ||
           is.place == DeviceBuffer::Place::OfOperator;
  });
  return needed;
}

void RegionRunner::rebuild() {
  const std::string edits = edits_text();
  try {
    const std::vector<RegionBuffers::Held> held = buffers_.hold(kept_by_next());
    buffers_.drop();
    region_ = program_.wanted_region();
    program_.rebuilt();
    place();
    make_graph();
    buffers_.clear_old(program_.running());
    buffers_.put_back(held);
  } catch (const Error& error) {
    throw Error(error.code(), "region '" + region_name() + "' cannot be made for other shapes (" +
                                  edits + "): " + error.message());
  }
}

/// Gives the memory back. Nothing of the graph may be running.
void RegionRunner::drop() {
  built_ = false;
  drop_graph();
  kept_.clear();
  buffers_.drop();
}

cuda::DevicePort::Memory RegionRunner::memory_of_operator(TensorId id) {
  LiveOperators live(instance_, graph());
  const auto memory = own_memory(*plan_.graph, graph(), id, live);
  require_on_device(memory, options().device,
                    name_with_ends(*plan_.graph, graph(), id, graph().tensors[id].owner));
  return memory;
}

BranchMemory RegionRunner::branch_memory(NodeId id) {
  const DeviceNode& node = program_.running().nodes[id];
  BranchMemory memory = buffers_.branch_memory(node);
  if (node.branch.kind == BranchKind::Every) {
    memory.iteration = iteration_of(kNoNode);
  }
  return memory;
}

DevicePartition* RegionRunner::partition() const {
  const ComponentId id = graph().green_context;
  return id == kNone ? nullptr
                     : &dynamic_cast<cuda::CudaGreenContext&>(instance_.component(id)).partition();
}

MeasuredOperators RegionRunner::measured_operators(
    std::vector<MeasuredIteration> iterations) const {
  std::vector<std::string> entities;
  for (const DeviceNode& node : program_.running().nodes) {
    // What polls for input is not in an iteration.
    const bool is_in = node.kind == DeviceNode::Kind::Operator && !node.polls;
    entities.push_back(is_in ? operators_.entity(node.planned) : std::string());
  }
  return {std::move(entities), std::move(iterations)};
}

void RegionRunner::add_measures(std::vector<MeasuredIteration> iterations,
                                GraphStatistics& statistics) const {
  const MeasuredOperators found = measured_operators(std::move(iterations));
  found.add_to(statistics);
  if (trace_ != nullptr) {
    found.add_to(*trace_, "GPU " + std::to_string(options().device) + ", " + region_name());
  }
}

void RegionRunner::set_statistics(GraphStatistics statistics) {
  statistics_ = std::move(statistics);
  statistics_->memory_bytes = buffers_.memory().taken_bytes() + graph_bytes();
}

NodeId RegionRunner::launched_around(NodeId id) const {
  const std::vector<DeviceNode>& nodes = program_.running().nodes;
  NodeId around = id == kNoNode ? kNoNode : nodes[id].body.branch;
  NodeId launched = kNoNode;
  for (; around != kNoNode; around = nodes[around].body.branch) {
    if (nodes[around].branch.launch != BranchLaunch::InIteration) {
      launched = around;
    }
  }
  return launched;
}

DeviceCopy RegionRunner::passed_copy(NodeId id) const {
  const DeviceNode& node = program_.running().nodes[id];
  if (!node.traits.pass_through) {
    return {};
  }
  const PassedOn way = passed_on(*plan_.graph, graph(), node.planned);
  const DeviceRange from = buffers_.at(way.from);
  const DeviceRange to = buffers_.at(way.to);
  return {to.begin, from.begin, from.begin == to.begin ? 0 : to.bytes};
}

void RegionRunner::prepare(NodeId id, const Add& run) {
  const DeviceNode& node = program_.running().nodes[id];
  auto* const preparation = dynamic_cast<CapturePreparation*>(&operators_.at(node.planned));
  if (preparation == nullptr) {
    return;
  }
  buffers_.clear(program_.running(), node.reads);
  guarded(operators_.site(node.planned, "prepare_capture"), [&] {
    run([&](CUstream_st* stream) {
      OperatorCapture context({graph(), program_.running(), buffers_, *this}, id, stream);
      preparation->prepare_capture(context);
    });
  });
}

void RegionRunner::capture(NodeId id, const Add& add) {
  const StepId step = program_.running().nodes[id].planned;
  const auto as_operator = [this, step](const auto& call) {
    guarded(operators_.site(step, "capture"), call);
  };
  captured_ = id;
  const auto old = std::exchange(kept_[id], {});  // it may still be needed to capture again
  as_operator([&] {
    add([this, id, step, as_operator](CUstream_st* stream) {
      as_operator([&] {
        OperatorCapture context({graph(), program_.running(), buffers_, *this}, id, stream);
        operators_.at(step).capture(context);
      });
    });
  });
}

std::string RegionRunner::edits_text() const {
  const std::vector<GraphTensor>& tensors = graph().tensors;
  std::string text;
  for (const ProgramEdit& edit : program_.edits()) {
    text += text.empty() ? "" : ", ";
    if (edit.node != kNoNode) {
      text += operators_.entity(program_.step_of(edit.node)) + ": ";
    }
    text += edit.buffer < tensors.size()
                ? describe_change(*plan_.graph, tensors[edit.buffer],
                                  program_.wanted_region().graph->tensors[edit.buffer])
                : to_text(edit);
  }
  return text;
}

void RegionRunner::tell_edits(const std::string& edits, const std::string& cost) const {
  if (!edits.empty()) {
    log_debug("region '" + region_name() + "': " + edits + "; cost: " + cost);
  }
}

std::string RegionRunner::hang_text() const {
  const auto watchdog = std::chrono::duration_cast<std::chrono::milliseconds>(options().watchdog);
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
    if (buffers_.have_begun()) {
      finish();
      drop();
    }
  });
  if (hangs()) {
    operators_.leave();
    buffers_.leave();
    return;
  }
  if (!DeviceEngine::get().has_running_loops()) {
    operators_.stop(execution_timestamp(), failures);
  }  // else stop_late() does: CUDA waits for the loops when an operator gives memory back
}

void RegionRunner::stop_late(std::vector<Failure>& failures) {
  operators_.stop(execution_timestamp(), failures);
}

}  // namespace gxr
