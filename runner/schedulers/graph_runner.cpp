#include "schedulers/graph_runner.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "gxr/allocator.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "gxr/message_data.hpp"
#include "gxr/timestamp.hpp"
#include "plan/shapes.hpp"
#include "schedulers/queue_watchers.hpp"

namespace gxr {

/// Device memory of the region's GPU, in the order of streams.
class GraphRunner::Memory final : public Allocator {
 public:
  explicit Memory(int device)
      : device_(device),
        pool_(DeviceRuntime::get().make_memory_pool(
            {.device = device, .release_threshold = std::numeric_limits<std::size_t>::max()})),
        holder_(*this) {}

  void* allocate(std::size_t size, MemoryStorageType /*storage*/) override {
    void* const memory = pool_->allocate(size, current_device_stream());
    if (memory == nullptr) {
      throw_out_of_device_memory(*this, size, device_);
    }
    return memory;
  }
  void free(void* pointer) override { free_after(pointer, {}); }
  void free_after(void* pointer, const DeviceUsers& users) override { pool_->free(pointer, users); }
  [[nodiscard]] bool is_available(std::size_t /*size*/) const override { return true; }
  [[nodiscard]] std::size_t device_bytes() const override { return pool_->reserved(); }

 private:
  int device_;
  std::unique_ptr<DeviceMemoryPool> pool_;
  DeviceMemoryHolder holder_;
};

/// One operator's view of the region while it is captured.
class GraphRunner::Capture final : public CaptureContext {
 public:
  Capture(GraphRunner& runner, StepId step, CUstream_st* stream)
      : runner_(runner), step_(step), stream_(stream) {}

  [[nodiscard]] CUstream_st* stream() const override { return stream_; }
  [[nodiscard]] const Tensor& input(const Receiver& port) const override {
    return *runner_.tensors_[read_by(port)];
  }
  [[nodiscard]] const TensorSpec& input_spec(const Receiver& port) const override {
    return *runner_.graph().tensors[read_by(port)].spec;
  }
  [[nodiscard]] const Tensor& output(const Transmitter& port) const override {
    const GraphRegion& region = runner_.graph();
    for (const TensorId written : region.steps[step_].writes) {
      if (region.tensors[written].transmitter == port.component_id()) {
        return *runner_.tensors_[written];
      }
    }
    throw_foreign(port);
  }
  [[nodiscard]] void* scratch() const override {
    for (const GraphScratch& scratch : runner_.graph().scratch) {
      if (scratch.step == step_) {
        return static_cast<std::byte*>(runner_.arena_) + scratch.offset;
      }
    }
    return nullptr;
  }
  [[nodiscard]] const std::uint64_t* iteration() const override {
    runner_.counts_ = true;
    return runner_.iteration_;
  }

 private:
  [[nodiscard]] TensorId read_by(const Receiver& port) const {
    const GraphRegion& region = runner_.graph();
    for (const TensorId read : region.steps[step_].reads) {
      const auto& receivers = region.tensors[read].receivers;
      if (std::ranges::find(receivers, port.component_id()) != receivers.end()) {
        return read;
      }
    }
    throw_foreign(port);
  }
  [[noreturn]] static void throw_foreign(const Queue& port) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + port.full_name() + "' is no port of the operator that is captured");
  }

  GraphRunner& runner_;
  StepId step_;
  CUstream_st* stream_;
};

namespace {

/// For shapes that the first messages tell.
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

 private:
  const Instance& instance_;
  const GraphRegion& region_;
};

template <class Port>
void add_once(std::vector<Port*>& ports, Component& port) {
  auto* const found = static_cast<Port*>(&port);
  if (std::ranges::find(ports, found) == ports.end()) {
    ports.push_back(found);
  }
}

TensorSpec spec_of(const Tensor& tensor) {
  return {tensor.shape(), tensor.element_type(), tensor.bytes_per_element(), {}};
}

std::string part_name(const Message& message, const Tensor& tensor) {
  const auto* part = std::find_if(message.begin(), message.end(),
                                  [&](const detail::Part& each) { return each.data == &tensor; });
  return part == message.end() ? std::string() : std::string(part->name);
}

bool is_like(const TensorSpec& found, const TensorSpec& wanted) {
  return found.shape == wanted.shape && found.type == wanted.type &&
         found.bytes() == wanted.bytes() && found.content == wanted.content;
}

}  // namespace

GraphRunner::GraphRunner(const Plan& plan, const Region& region, Instance& instance,
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
  attach({&context, &name_, &entity_.name, &type_, id, first.entity});
  for (const GraphStep& step : graph().steps) {
    operators_.push_back(&dynamic_cast<GraphOperator&>(codelet_of(step)));
  }
  find_ports();
}

GraphRunner::~GraphRunner() = default;

void GraphRunner::find_ports() {
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

LiveEntity GraphRunner::merge(const std::vector<LiveEntity>& entities) {
  LiveEntity merged;
  merged.id = entity_.id;
  merged.graph = &entity_;
  merged.codelets = {this};
  merged.receivers = receivers_;
  merged.transmitters = transmitters_;
  std::vector<const Receiver*> awaited;
  const auto faces_outside = [&](SchedulingTerm& term) {
    if (Receiver* const receiver = awaited_receiver(term); receiver != nullptr) {
      awaited.push_back(receiver);
      return std::ranges::find(merged.receivers, receiver) != merged.receivers.end();
    }
    if (const Transmitter* const out = receptive_transmitter(term); out != nullptr) {
      return std::ranges::find(merged.transmitters, out) != merged.transmitters.end();
    }
    return true;  // a count; the plan lets no others in
  };
  for (const LiveEntity& entity : entities) {
    if (entity.controller != nullptr) {
      throw Error(ErrorCode::NotSupported,
                  "entity '" + entity.graph->name + "' of region '" + region_.name +
                      "' has a Controller, which judges single ticks; a graph has none");
    }
    std::ranges::copy_if(entity.terms, std::back_inserter(merged.terms),
                         [&](SchedulingTerm* term) { return faces_outside(*term); });
  }
  for (const Receiver* receiver : merged.receivers) {
    if (std::ranges::find(awaited, receiver) == awaited.end()) {
      throw Error(ErrorCode::InvalidState,
                  "region '" + region_.name + "': no MessageAvailableSchedulingTerm waits for '" +
                      receiver->full_name() + "', through which messages come into it");
    }
  }
  return merged;
}

Component& GraphRunner::codelet_of(const GraphStep& step) const {
  return instance_.component(step.codelet);
}

void GraphRunner::initialize() {
  StreamOptions options;
  options.device = graph().options.device;
  options.priority = graph().options.priority;
  streams_.initialize(*this, options, receivers_, transmitters_);
}

void GraphRunner::start() {
  memory_ = std::make_unique<Memory>(graph().options.device);
  memory_->attach({&context(), &name_, &entity_.name, &type_, component_id(), entity_id()});
  try {
    start_operators();
    if (graph().laid_out) {
      const cuda::Streams::Tick tick(streams_);
      build();
    }
  } catch (...) {
    std::vector<Failure> ignored;  // the cause is what the user needs to see
    shut_down(ignored);
    throw;
  }
}

void GraphRunner::start_operators() {
  for (const GraphStep& step : graph().steps) {
    auto& codelet = dynamic_cast<Codelet&>(codelet_of(step));
    codelet.begin_transition(execution_timestamp());
    guarded(instance_.site(codelet, "start"), [&] { codelet.start(); });
    ++started_;
  }
}

/// Finds the shapes that only messages tell.
void GraphRunner::lay_out(const std::vector<Message>& messages) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    std::optional<TensorSpec>& spec = graph().tensors[inputs_[i].tensor].spec;
    if (!spec) {
      const Tensor& tensor = tensor_in(inputs_[i], messages[i]);
      spec = spec_in(inputs_[i], messages[i], tensor);
      spec->name = part_name(messages[i], tensor);
    }
  }
  Plan late;
  late.graph = plan_.graph;
  late.catalog = plan_.catalog;
  late.regions = {region_};
  LiveOperators operators(instance_, graph());
  Diagnostics diagnostics;
  infer_shapes(late, operators, diagnostics);
  if (diagnostics.errors() > 0) {
    throw Error(ErrorCode::InvalidData, diagnostics.all().front().text);
  }
  region_ = late.regions.front();
  if (!graph().laid_out) {
    throw Error(ErrorCode::NotAvailable,
                "the shapes of region '" + region_.name +
                    "' are not known, though every input has a message: an operator's infer() "
                    "does not tell its outputs");
  }
}

void GraphRunner::build() {
  try {
    place_tensors();
    graph_ = DeviceRuntime::get().make_graph(graph().options.device, graph().options.priority);
    for (StepId step = 0; step < graph().steps.size(); ++step) {
      capture(step);
    }
    if (!dot_file_.empty()) {
      graph_->write_dot(dot_file_);
    }
    graph_->instantiate();
  } catch (...) {
    drop_graph();
    throw;
  }
}

/// Gives the memory back. Nothing of the graph may be running.
void GraphRunner::drop_graph() {
  graph_.reset();
  tensors_.clear();
  std::vector<void*> taken = std::exchange(slots_, {});
  taken.push_back(std::exchange(arena_, nullptr));
  taken.push_back(std::exchange(iteration_, nullptr));
  for (void* const memory : taken) {
    if (memory != nullptr) {
      memory_->free(memory);
    }
  }
}

void GraphRunner::place_tensors() {
  if (graph().arena_bytes > 0) {
    arena_ = memory_->allocate(graph().arena_bytes, MemoryStorageType::Device);
  }
  iteration_ = static_cast<std::uint64_t*>(
      memory_->allocate(sizeof(std::uint64_t), MemoryStorageType::Device));
  for (const GraphTensor& planned : graph().tensors) {
    const TensorSpec& spec = *planned.spec;
    void* place = nullptr;
    if (planned.place == GraphTensor::Place::Slot) {
      place = memory_->allocate(spec.bytes(), MemoryStorageType::Device);
      slots_.push_back(place);
    } else {
      place = static_cast<std::byte*>(arena_) + planned.offset;
    }
    const std::uint64_t each = spec.type == ElementType::Custom ? spec.bytes_per_element : 0;
    auto tensor = std::make_unique<Tensor>();
    tensor->wrap(place, spec.shape, spec.type, MemoryStorageType::Device, nullptr, nullptr, each);
    tensors_.push_back(std::move(tensor));
  }
}

void GraphRunner::capture(StepId number) {
  const GraphStep& step = graph().steps[number];
  GraphOperator& captured = *operators_[number];
  // The graph's pieces have the numbers of the steps.
  const std::vector<std::size_t> after(step.predecessors.begin(), step.predecessors.end());
  guarded(instance_.site(codelet_of(step), "capture"), [&] {
    graph_->add(
        [&](CUstream_st* stream) {
          Capture context(*this, number, stream);
          captured.capture(context);
        },
        after, captured.graph_traits());
  });
}

std::string GraphRunner::name_of(const Input& input) const {
  return "'" + input.receivers.front()->full_name() + "'";
}

const Tensor& GraphRunner::tensor_in(const Input& input, const Message& message) const {
  const std::optional<TensorSpec>& spec = region_.graph->tensors[input.tensor].spec;
  const Tensor* named = spec && !spec->name.empty() ? message.find<Tensor>(spec->name) : nullptr;
  const Tensor* tensor = named != nullptr ? named : message.find<Tensor>();
  if (tensor == nullptr) {
    throw Error(ErrorCode::InvalidData, name_of(input) + " received a message without a tensor");
  }
  const auto tensors = std::count_if(message.begin(), message.end(), [](const detail::Part& part) {
    return part.id == TypeIdOf<Tensor>::value;
  });
  if (named == nullptr && tensors > 1) {
    throw Error(ErrorCode::InvalidData, name_of(input) + " received a message with " +
                                            std::to_string(tensors) +
                                            " tensors; an input of a CUDA graph takes one");
  }
  return *tensor;
}

/// What has come, as its readers understand the message.
TensorSpec GraphRunner::spec_in(const Input& input, const Message& message,
                                const Tensor& tensor) const {
  const GraphTensor& planned = region_.graph->tensors[input.tensor];
  TensorSpec spec = spec_of(tensor);
  spec.content = planned.spec ? planned.spec->content : std::string();
  for (const StepId reader : planned.consumers) {
    guarded(instance_.site(codelet_of(region_.graph->steps[reader]), "read_content"),
            [&] { operators_[reader]->read_content(message, spec); });
  }
  return spec;
}

std::vector<Message> GraphRunner::receive() {
  std::vector<Message> messages;
  for (const Input& input : inputs_) {
    for (Receiver* receiver : input.receivers) {
      Message message = receiver->receive();
      if (receiver == input.receivers.front()) {
        messages.push_back(std::move(message));
      } else if (!(message == messages.back())) {
        throw Error(ErrorCode::InvalidState,
                    "'" + receiver->full_name() + "' and " + name_of(input) +
                        ", which read the same input, received different messages: one of them "
                        "has dropped some");
      }
    }
  }
  return messages;
}

void GraphRunner::copy_in(const Input& input, const Message& message) {
  const Tensor& tensor = tensor_in(input, message);
  const TensorSpec& spec = *graph().tensors[input.tensor].spec;
  const TensorSpec found = spec_in(input, message, tensor);
  if (!is_like(found, spec)) {
    throw Error(ErrorCode::InvalidData, "region '" + region_.name + "' is built for " +
                                            spec.to_string() + " at " + name_of(input) +
                                            ", which received " + found.to_string());
  }
  if (!tensor.is_contiguous()) {
    throw Error(ErrorCode::InvalidData,
                name_of(input) + " received a tensor with gaps between its elements");
  }
  streams_.copy(tensors_[input.tensor]->pointer(), tensor.pointer(), tensor.size());
}

void GraphRunner::write_content(const GraphTensor& written, Message& message) const {
  if (written.producer != kNone) {
    guarded(instance_.site(codelet_of(region_.graph->steps[written.producer]), "write_content"),
            [&] { operators_[written.producer]->write_content(*written.spec, message); });
  }
}

void GraphRunner::publish(const Output& output, const Message* first) {
  const GraphTensor& planned = graph().tensors[output.tensor];
  const TensorSpec& spec = *planned.spec;
  for (Transmitter* transmitter : output.transmitters) {
    Message message = context().new_message();
    auto& tensor = message.add<Tensor>(spec.name);
    void* const memory = memory_->allocate(spec.bytes(), MemoryStorageType::Device);
    tensor.adopt(*memory_, memory, spec.shape, spec.type, MemoryStorageType::Device,
                 spec.type == ElementType::Custom ? spec.bytes_per_element : 0);
    streams_.copy(memory, tensors_[output.tensor]->pointer(), spec.bytes());
    write_content(planned, message);
    message.set_sequence(first != nullptr ? first->sequence()
                                          : static_cast<std::uint64_t>(execution_count() - 1));
    if (first == nullptr) {
      transmitter->publish(std::move(message));
      continue;
    }
    message.set_source_time(first->source_time());
    const auto* time = first->find<Timestamp>();
    if (time != nullptr) {
      transmitter->publish(std::move(message), time->acqtime);
    } else {
      transmitter->publish(std::move(message));
    }
  }
}

void GraphRunner::tick() {
  const cuda::Streams::Tick tick(streams_);
  // Before the first message: iterations share memory, so all are on one stream, and none is taken
  // over.
  const cuda::Stream stream = streams_.stream();
  const std::vector<Message> messages = receive();
  if (graph_ == nullptr) {
    lay_out(messages);
    build();
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    copy_in(inputs_[i], messages[i]);
  }
  graph_->launch(stream, static_cast<std::uint64_t>(execution_count() - 1),
                 counts_ ? iteration_ : nullptr);
  for (const Output& output : outputs_) {
    publish(output, messages.empty() ? nullptr : &messages[graph().timestamp_from]);
  }
  streams_.check();
}

/// Waits for what was launched, and gives the memory back.
void GraphRunner::finish() {
  if (memory_ != nullptr) {
    {
      const cuda::Streams::Tick tick(streams_);
      const DeviceWork all = streams_.event(streams_.stream());
      all.stream->wait_on_host(all.number);
    }
    drop_graph();
  }
}

void GraphRunner::stop() {
  std::vector<Failure> failures;
  shut_down(failures);
  if (!failures.empty()) {
    throw ComponentFailure(failures.front());
  }
}

/// All is tried; failures are collected.
void GraphRunner::shut_down(std::vector<Failure>& failures) {
  const auto attempt = [&](const CallSite& site, const auto& call) {
    try {
      guarded(site, call);
    } catch (const ComponentFailure& failure) {
      failures.push_back(failure.failure());
    }
  };
  attempt(instance_.site(*this, "stop"), [&] { finish(); });
  while (started_ > 0) {
    auto& codelet = dynamic_cast<Codelet&>(codelet_of(graph().steps[--started_]));
    codelet.begin_transition(execution_timestamp());
    attempt(instance_.site(codelet, "stop"), [&] { codelet.stop(); });
  }
  streams_.release();
}

}  // namespace gxr
