#include "gxr/testing.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "document/document.hpp"
#include "executors/application_run.hpp"
#include "executors/greedy/greedy_executor.hpp"
#include "executors/run_conclusion.hpp"
#include "graph/resolve.hpp"
#include "gxr/allocator.hpp"
#include "gxr/clock.hpp"
#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"
#include "observe/log.hpp"
#include "plan/plan.hpp"
#include "sdk/engine_access.hpp"

namespace gxr::testing {
namespace {

// Names in the application that the kit writes.
constexpr std::string_view kEntity = "test";
constexpr std::string_view kOperator = "operator";
constexpr std::string_view kOutputs = "published";  // the entity behind the output ports
constexpr std::string_view kKit = "kit";

[[noreturn]] void throw_invalid(const Diagnostics& errors, const SourceMap& sources) {
  throw Error(ErrorCode::InvalidData, render_text(errors, sources, false));
}

/// A YAML value of the test's, without its place. Throws Error(InvalidData).
const Value& read(Document& document, std::string_view yaml, ValueKind kind, const char* what,
                  const char* expected) {
  const Value* value = nullptr;
  try {
    value = &document.make_value(yaml);
  } catch (const Error& error) {
    throw Error(error.code(), std::string(what) + ": " + error.message());
  }
  if (!value->is_null() && value->kind() != kind) {
    throw Error(ErrorCode::InvalidData, std::string(what) + ": " + expected + " expected");
  }
  return *value;
}

struct Port {
  std::string name;
  PortInfo::Direction direction;
};

/// The typed ports, and parameters that name a receiver or transmitter.
std::vector<Port> ports_of(const TypeInfo& type) {
  std::vector<Port> ports;
  for (const ParameterInfo& parameter : type.parameters) {
    if (parameter.type.kind != ParameterType::Kind::Handle) {
      continue;
    }
    const std::string& target = parameter.type.name;
    if (target == "gxr::Receiver" || target == "gxr::DoubleBufferReceiver") {
      ports.push_back({parameter.key, PortInfo::Direction::Input});
    } else if (target == "gxr::Transmitter" || target == "gxr::DoubleBufferTransmitter") {
      ports.push_back({parameter.key, PortInfo::Direction::Output});
    }
  }
  return ports;
}

/// Writes the application that consists of the operator and what stands around it.
class ApplicationText {
 public:
  ApplicationText(const TypeInfo& type, const TypeCatalog& catalog, const OperatorOptions& options)
      : type_(type), catalog_(catalog), options_(options) {}

  std::string write(const Value& parameters, const Value& components) {
    for (const Port& port : ports_of(type_)) {
      if (parameters.find(port.name) == nullptr && !is_unconnected(port.name)) {
        add_port(port);
      }
    }
    for (std::size_t i = 0; i < components.size(); ++i) {
      add_component(components.at(i));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      add_parameter(parameters.key(i).to_yaml(), parameters.value(i).to_yaml());
    }
    return entity(kEntity, own_ + "- {name: operator, type: '" + type_.name + "', parameters: {" +
                               parameters_ + "}}\n") +
           (outputs_.empty() ? "" : entity(kOutputs, outputs_)) + entity({}, connections_) +
           entity(kKit, "- {name: clock, type: gxr::ManualClock, parameters: {initial_timestamp: " +
                            std::to_string(options_.start_time.count()) +
                            "}}\n"
                            "- {name: memory, type: gxr::UnboundedAllocator}\n"
                            "- {type: gxr::EpochScheduler, parameters: {clock: clock}}\n");
  }

 private:
  [[nodiscard]] bool is_unconnected(const std::string& port) const {
    return std::ranges::find(options_.unconnected, port) != options_.unconnected.end();
  }

  static std::string entity(std::string_view name, const std::string& components) {
    if (components.empty()) {
      return {};
    }
    return (name.empty() ? "" : "name: " + std::string(name) + "\n") + "components:\n" +
           components + "---\n";
  }
  static std::string queue(const std::string& name, const char* type, std::size_t capacity) {
    return "- {name: '" + name + "', type: " + type +
           ", parameters: {capacity: " + std::to_string(capacity) + "}}\n";
  }
  static std::string term(const std::string& name, const char* type, const char* key,
                          const std::string& queue) {
    return "- {name: '" + name + "', type: " + type + ", parameters: {" + key + ": '" + queue +
           "', min_size: 1}}\n";
  }

  void add_port(const Port& port) {
    add_parameter("'" + port.name + "'", "'" + port.name + "'");
    if (port.direction == PortInfo::Direction::Input) {
      own_ += queue(port.name, "gxr::DoubleBufferReceiver", options_.input_capacity);
      if (options_.default_terms) {
        own_ += term(port.name + "_available", "gxr::MessageAvailableSchedulingTerm", "receiver",
                     port.name);
      }
      return;
    }
    own_ += queue(port.name, "gxr::DoubleBufferTransmitter", options_.output_capacity);
    add_output(port.name);
    if (options_.default_terms) {
      own_ += term(port.name + "_free", "gxr::DownstreamReceptiveSchedulingTerm", "transmitter",
                   port.name);
    }
  }

  /// What is published there is kept for the test.
  void add_output(const std::string& name) {
    outputs_ += queue(name, "gxr::DoubleBufferReceiver", options_.output_capacity);
    connections_ += "- {type: gxr::Connection, parameters: {source: '" + std::string(kEntity) +
                    "/" + name + "', target: '" + std::string(kOutputs) + "/" + name + "'}}\n";
  }

  void add_component(const Value& component) {
    own_ += "- " + component.to_yaml() + "\n";
    const Value* const type = component.is_map() ? component.find("type") : nullptr;
    const Value* const name = component.is_map() ? component.find("name") : nullptr;
    const TypeInfo* const found = type != nullptr ? catalog_.find(type->text()) : nullptr;
    if (found != nullptr && name != nullptr && catalog_.is_a(*found, "gxr::Transmitter")) {
      add_output(std::string(name->text()));
    }
  }

  void add_parameter(const std::string& key, const std::string& value) {
    parameters_ += (parameters_.empty() ? "" : ", ") + key + ": " + value;
  }

  const TypeInfo& type_;
  const TypeCatalog& catalog_;
  const OperatorOptions& options_;
  std::string own_;
  std::string parameters_;
  std::string outputs_;
  std::string connections_;
};

const TypeInfo& codelet_type(const TypeCatalog& catalog, std::string_view name) {
  const TypeInfo* const type = catalog.find(name);
  if (type == nullptr) {
    const std::string near = suggestion(name, catalog.names());
    throw Error(ErrorCode::NotFound, "no type '" + std::string(name) + "'" +
                                         (near.empty() ? "" : "; " + near) +
                                         ". Which extensions hold it: OperatorOptions::extensions");
  }
  if (type->abstract || !catalog.is_a(*type, "gxr::Codelet")) {
    throw Error(ErrorCode::InvalidArgument, "'" + std::string(name) + "' is no codelet");
  }
  return *type;
}

/// Of those that may be left out.
void require_optional(const TypeInfo& type, const std::vector<std::string>& ports) {
  const std::vector<Port> all = ports_of(type);
  for (const std::string& port : ports) {
    if (std::ranges::find(all, port, &Port::name) == all.end()) {
      throw Error(ErrorCode::NotFound, "'" + type.name + "' has no port '" + port + "'");
    }
  }
}

/// Messages come from the test, so that nothing in the application sends them is no mistake.
Diagnostics mistakes(const Diagnostics& found) {
  Diagnostics errors;
  for (const Diagnostic& each : found.all()) {
    if (each.severity == Severity::Error && each.code != DiagnosticCode::NeverTicks) {
      errors.add(each.code, each.where, each.length, each.text, each.hint).related = each.related;
    }
  }
  return errors;
}

/// Names of the queues whose changes a term waits for.
class PortNames final : public TermEvents {
 public:
  void message(Receiver& receiver) override { add(receiver.name()); }
  void space(Transmitter& transmitter) override { add(transmitter.name()); }
  void notification() override {}
  void poll(std::int64_t /*period*/) override {}
  void poll_while_others_run(std::int64_t /*period*/) override {}

  std::vector<std::string> names;

 private:
  void add(const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
};

bool is_ready(const Condition& condition, std::int64_t now) noexcept {
  return condition.type == ConditionType::Ready ||
         (condition.type == ConditionType::WaitTime && condition.target <= now);
}

OperatorState state_of(ConditionType type) noexcept {
  switch (type) {
    case ConditionType::Never:
      return OperatorState::Finished;
    case ConditionType::Ready:
      return OperatorState::Ready;
    case ConditionType::Wait:
      return OperatorState::Waiting;
    case ConditionType::WaitTime:
      return OperatorState::WaitingForTime;
    case ConditionType::WaitEvent:
      return OperatorState::WaitingForEvent;
  }
  return OperatorState::Waiting;
}

[[noreturn]] void throw_no_port(std::string_view port, const char* kind,
                                const std::vector<std::string>& ports) {
  std::string text =
      "the operator has no " + std::string(kind) + " port '" + std::string(port) + "'";
  for (std::size_t i = 0; i < ports.size(); ++i) {
    text += (i == 0 ? "; there is '" : "', '") + ports[i];
  }
  throw Error(ErrorCode::NotFound, text + (ports.empty() ? "" : "'"));
}

/// The queue of this name. Throws Error(NotFound).
template <class Q>
Q& queue_of(const std::vector<Q*>& queues, std::string_view port, const char* kind) {
  std::vector<std::string> names;
  for (Q* queue : queues) {
    if (queue->name() == port) {
      return *queue;
    }
    names.push_back(queue->name());
  }
  throw_no_port(port, kind, names);
}

}  // namespace

const char* to_string(OperatorState state) noexcept {
  switch (state) {
    case OperatorState::Ready:
      return "ready";
    case OperatorState::Waiting:
      return "waiting";
    case OperatorState::WaitingForTime:
      return "waiting for a time";
    case OperatorState::WaitingForEvent:
      return "waiting for an event";
    case OperatorState::Finished:
      return "finished";
    case OperatorState::Failed:
      return "failed";
    case OperatorState::Stopped:
      return "stopped";
  }
  return "unknown";
}

struct [[gnu::visibility("hidden")]] OperatorTest::State {
  Document document;
  TypeCatalog catalog;
  Graph graph;
  Plan plan;
  std::unique_ptr<ApplicationRun> run;
  // Of the run's.
  LiveEntity* entity = nullptr;
  Codelet* codelet = nullptr;
  ManualClock* clock = nullptr;
  Allocator* memory = nullptr;
  std::vector<Receiver*> outputs;
  bool started = false;
  bool failed = false;
  bool stopped = false;
  std::size_t ticks_before_stop = 0;
  std::vector<Failure> failures;

  State(std::string_view type, std::string_view parameters, const OperatorOptions& options);
  ~State();

  void find_components();
  void require_running() const {
    if (stopped) {
      throw Error(ErrorCode::InvalidState, "the operator was stopped");
    }
  }
  void require_working() const {
    require_running();
    if (failed) {
      throw Error(ErrorCode::InvalidState, "the operator has failed: " + failures.front().text);
    }
  }
  void cycle();
  std::size_t end();
  [[nodiscard]] std::vector<std::string> awaited_ports() const;
};

OperatorTest::State::State(std::string_view type, std::string_view parameters,
                           const OperatorOptions& options) {
  const ExtensionSearch places{options.extensions, {}, installed_extension_folder()};
  Document parts;
  Diagnostics searched;
  const TypeCatalog known = find_extensions(places, parts, searched);
  if (searched.errors() > 0) {
    throw_invalid(mistakes(searched), parts.sources());
  }
  const TypeInfo& info = codelet_type(known, type);
  require_optional(info, options.unconnected);
  const Value& values = read(parts, parameters, ValueKind::Map, "parameters", "a map");
  const Value& components =
      read(parts, options.components, ValueKind::Sequence, "components", "a list");

  Diagnostics found;
  document.add_text({Source::Kind::Program, "the test of " + info.name,
                     ApplicationText(info, known, options).write(values, components)},
                    found);
  resolve(document, {}, places, found, catalog, graph);
  if (mistakes(found).errors() == 0) {
    plan = make_plan(graph, catalog, {}, found);
  }
  if (const Diagnostics errors = mistakes(found); errors.errors() > 0) {
    throw_invalid(errors, document.sources());
  }
  run = std::make_unique<ApplicationRun>(plan, catalog, ExecutorOptions{});
  run->begin_epochs();
  find_components();
}

OperatorTest::State::~State() {
  if (run == nullptr || stopped) {
    return;
  }
  try {
    for (std::size_t i = end(); i < failures.size(); ++i) {
      Log::write(LogLevel::Error, describe(failures[i]));
    }
  } catch (...) {  // nobody is left who could be told
  }
}

void OperatorTest::State::find_components() {
  entity = &run->instance().entities().front();  // the only one with a codelet
  for (const GraphComponent& component : graph.components) {
    Component& made = run->instance().component(component.id);
    const std::string& owner = graph.entities[component.entity].name;
    if (owner == kEntity && component.name == kOperator) {
      codelet = dynamic_cast<Codelet*>(&made);
    } else if (owner == kKit && component.name == "clock") {
      clock = dynamic_cast<ManualClock*>(&made);
    } else if (owner == kKit && component.name == "memory") {
      memory = dynamic_cast<Allocator*>(&made);
    } else if (owner == kOutputs) {
      outputs.push_back(dynamic_cast<Receiver*>(&made));
    }
  }
}

/// One cycle of the executor: a start, a tick, a stop, or nothing.
void OperatorTest::State::cycle() {
  try {
    run->run_epoch(0);
  } catch (const Error&) {
    failed = true;
    failures = run->epoch_executor().failures();
    throw;
  }
}

/// Number of failures that were known before.
std::size_t OperatorTest::State::end() {
  const std::size_t known = failures.size();
  ticks_before_stop = static_cast<std::size_t>(codelet->execution_count());
  stopped = true;
  failures = run->end_epochs().failures;
  return known;
}

std::vector<std::string> OperatorTest::State::awaited_ports() const {
  PortNames ports;
  const std::int64_t now = clock->timestamp();
  for (SchedulingTerm* term : entity->terms) {
    if (!is_ready(term->check(now), now)) {
      term->events(ports);
    }
  }
  return std::move(ports.names);
}

OperatorTest::OperatorTest(std::string_view type, std::string_view parameters,
                           const OperatorOptions& options)
    : state_(std::make_unique<State>(type, parameters, options)) {}
OperatorTest::~OperatorTest() = default;
OperatorTest::OperatorTest(OperatorTest&&) noexcept = default;
OperatorTest& OperatorTest::operator=(OperatorTest&&) noexcept = default;

OperatorTest::State& OperatorTest::alive() const {
  if (state_ == nullptr) {
    throw Error(ErrorCode::InvalidState, "this test was moved into another object");
  }
  return *state_;
}

Message OperatorTest::new_message() {
  alive().require_running();
  return state_->run->new_message();
}

Allocator& OperatorTest::allocator() {
  alive().require_running();
  return *state_->memory;
}

void OperatorTest::push(std::string_view port, Message message) {
  alive().require_running();
  Receiver& receiver = queue_of(state_->entity->receivers, port, "input");
  // Both stages: else the operator would fail when the second is taken in.
  const StagedRing* const ring = EngineAccess::ring(receiver);
  if (ring != nullptr && ring->policy() == OverflowPolicy::Fault &&
      ring->size() + ring->back_size() >= ring->capacity()) {
    throw Error(ErrorCode::Overflow, "input '" + std::string(port) + "' is full; it has room for " +
                                         std::to_string(ring->capacity()) + " messages");
  }
  state_->run->epoch_executor().push(receiver, std::move(message));
}

std::size_t OperatorTest::unread(std::string_view port) const {
  alive().require_running();
  const Receiver& receiver = queue_of(state_->entity->receivers, port, "input");
  return receiver.size() + receiver.back_size();
}

void OperatorTest::start() {
  alive().require_working();
  if (!std::exchange(state_->started, true)) {
    state_->cycle();
  }
}

bool OperatorTest::tick() {
  start();
  const std::int64_t before = state_->codelet->execution_count();
  state_->cycle();
  return state_->codelet->execution_count() > before;
}

std::size_t OperatorTest::tick_all(std::size_t most) {
  std::size_t count = 0;
  while (count < most && tick()) {
    ++count;
  }
  return count;
}

void OperatorTest::stop() {
  if (alive().stopped) {
    return;
  }
  const std::size_t known = state_->end();
  if (state_->failures.size() > known) {
    const Failure& failure = state_->failures[known];
    throw Error(failure.code, describe(failure));
  }
}

std::size_t OperatorTest::ticks() const {
  const State& state = alive();
  return state.stopped ? state.ticks_before_stop
                       : static_cast<std::size_t>(state.codelet->execution_count());
}

std::size_t OperatorTest::published(std::string_view port) const {
  alive().require_running();
  const Receiver& output = queue_of(state_->outputs, port, "output");
  return output.size() + output.back_size();
}

Message OperatorTest::pop(std::string_view port) {
  alive().require_running();
  Receiver& output = queue_of(state_->outputs, port, "output");
  if (output.size() == 0) {
    output.sync();
  }
  if (output.size() == 0) {
    throw Error(ErrorCode::NotAvailable,
                "no message was published on port '" + std::string(port) + "', or all are taken");
  }
  return output.receive();
}

SchedulingState OperatorTest::state() {
  SchedulingState answer;
  if (alive().stopped || state_->failed) {
    answer.state = state_->stopped ? OperatorState::Stopped : OperatorState::Failed;
    answer.text = to_string(answer.state);
    return answer;
  }
  Condition condition;
  try {
    condition = state_->run->epoch_executor().condition(state_->entity->id);
  } catch (const Error&) {
    state_->failed = true;
    state_->failures = state_->run->epoch_executor().failures();
    throw;
  }
  const std::int64_t now = state_->clock->timestamp();
  answer.state = is_ready(condition, now) ? OperatorState::Ready : state_of(condition.type);
  if (answer.state == OperatorState::WaitingForTime) {
    answer.until = std::chrono::nanoseconds(condition.target);
  }
  if (answer.state == OperatorState::Finished) {
    answer.text = to_string(answer.state);
    return answer;
  }
  answer.text = waiting_text(*state_->entity, state_->run->instance(), now);
  answer.ports = state_->awaited_ports();
  return answer;
}

std::chrono::nanoseconds OperatorTest::now() const {
  alive().require_running();
  return std::chrono::nanoseconds(state_->clock->timestamp());
}

void OperatorTest::advance(std::chrono::nanoseconds duration) {
  alive().require_running();
  state_->clock->sleep_for(duration.count());
}

void OperatorTest::set(std::string_view parameter, std::string_view value) {
  alive().require_running();
  state_->run->changes().set({std::string(kEntity) + "/" + std::string(kOperator) + "/" +
                              std::string(parameter) + "=" + std::string(value)});
}

const std::vector<Failure>& OperatorTest::failures() const { return alive().failures; }

}  // namespace gxr::testing
