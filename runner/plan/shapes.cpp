#include "plan/shapes.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/text.hpp"
#include "gxr/error.hpp"
#include "observe/call_site.hpp"
#include "observe/exception_text.hpp"
#include "plan/arena_layout.hpp"
#include "plan/port_words.hpp"
#include "plan/step_order.hpp"
#include "plan/work_graph.hpp"

namespace gxr {
namespace {

bool is_whole(ElementType type) { return type >= ElementType::Int8 && type <= ElementType::UInt64; }

std::string port_name(const GraphComponent& queue) {
  return in_quotes(queue.name.empty() ? queue.type->name : queue.name);
}

/// What one operator is told and what it answers.
class Answers final : public ShapeContext {
 public:
  Answers(const Graph& graph, EntityId entity, const ArrivingSpecs& known)
      : graph_(graph), entity_(entity), known_(known) {}

  [[nodiscard]] const TensorSpec& input(const Receiver& port) const override {
    require_own(port);
    const auto found = known_.find(port.component_id());
    if (found == known_.end()) {
      throw Error(ErrorCode::NotAvailable, "nobody knows yet what arrives at " + name_of(port));
    }
    return found->second;
  }
  void set_output(const Transmitter& port, TensorSpec spec) override {
    require_own(port);
    if (spec.bytes() == 0) {
      throw Error(ErrorCode::InvalidArgument,
                  "output " + name_of(port) + " would have no elements: " + spec.to_string());
    }
    outputs[port.component_id()] = std::move(spec);
  }
  void set_scratch(std::size_t bytes) override { scratch = bytes; }
  void set_parameters(std::vector<std::byte> bytes) override { parameters = std::move(bytes); }

  ArrivingSpecs outputs;
  std::uint64_t scratch = 0;
  std::vector<std::byte> parameters;

 private:
  [[nodiscard]] std::string name_of(const Component& port) const {
    return port_name(graph_.components[port.component_id()]);
  }
  void require_own(const Component& port) const {
    if (port.entity_id() != entity_) {
      throw Error(ErrorCode::InvalidArgument, "port " + name_of(port) + " is in another entity");
    }
  }

  const Graph& graph_;
  EntityId entity_;
  const ArrivingSpecs& known_;
};

/// Where a step is.
struct StepPlace {
  GraphRegion* region = nullptr;
  StepId step = kNone;
};

class Inference {
 public:
  Inference(Plan& plan, ShapeSource& source, Diagnostics& diagnostics, const ShapeOrder& order)
      : plan_(plan),
        graph_(*plan.graph),
        work_(order.work),
        order_(order.entities),
        source_(source),
        diagnostics_(diagnostics),
        ports_(*plan.graph, source, diagnostics) {}

  ArrivingSpecs run() {
    for (Region& region : plan_.regions) {
      if (region.graph) {
        begin(*region.graph);
      }
    }
    for (const EntityId entity : order_) {
      const auto place = places_.find(entity);
      if (place != places_.end()) {
        ask_step(*place->second.region, place->second.step);
      } else {
        ask_outside(entity);
      }
    }
    compare_in_turn();
    settle_delayed();
    for (Region& region : plan_.regions) {
      if (region.graph) {
        std::ranges::sort(region.graph->scratch, {}, &GraphScratch::step);
        check_selectors(*region.graph);
      }
    }
    return std::move(arriving_);
  }

 private:
  void begin(GraphRegion& region) {
    region.scratch.clear();
    for (StepId step = 0; step < region.steps.size(); ++step) {
      places_[region.steps[step].entity] = {&region, step};
      region.steps[step].answered = false;
    }
    for (const GraphInput& input : region.inputs) {
      GraphTensor& tensor = region.tensors[input.tensor];
      if (tensor.spec_is_declared) {
        tensor.spec.reset();
      }
      pass_to_readers(tensor);
    }
    for (TensorId id = 0; id < region.tensors.size(); ++id) {
      GraphTensor& tensor = region.tensors[id];
      if (tensor.by_program) {
        settle_by_program(region, id);
      } else if (tensor.delays != kNone && !tensor.spec_is_given) {
        tensor.spec.reset();  // the tensor that is written may have become another one
      } else if (tensor.delays != kNone) {
        pass_to_readers(tensor);
      }
    }
  }

  /// The tensor that a program writes has the shape that 'inputs' or the device port says.
  void settle_by_program(GraphRegion& region, TensorId id) {
    GraphTensor& tensor = region.tensors[id];
    const GraphComponent& receiver = graph_.components[tensor.receivers.front()];
    PortWords::Known known{std::nullopt, true};
    if (tensor.spec_is_given) {
      known.spec = tensor.spec;
    }
    ports_.settle(region, id, known);
    pass_to_readers(tensor);
    if (!tensor.spec && (source_.device_port(receiver.id) == nullptr || source_.started())) {
      const std::string name = graph_.full_name(receiver);
      diagnostics_.add(DiagnosticCode::RegionUnconnectedInput, receiver.where,
                       where_length(receiver),
                       "nothing is connected to " + in_quotes(name) +
                           " of a graph that a program drives, and nothing says what the program "
                           "writes there",
                       "say it at the graph's executor: inputs: {" + name +
                           ": \"float32 [1024]\"}; or connect it");
    }
  }

  void pass_to_readers(const GraphTensor& tensor) {
    for (const ComponentId receiver : tensor.receivers) {
      if (tensor.spec) {
        arriving_[receiver] = *tensor.spec;
      }
    }
  }

  void ask_step(GraphRegion& region, StepId id) {
    GraphStep& step = region.steps[id];
    take_what_was_written(region, step);
    for (const GraphInput& input : region.inputs) {
      if (std::ranges::find(step.reads, input.tensor) != step.reads.end()) {
        settle_input(region, input);
      }
    }
    const GraphComponent& codelet = graph_.components[step.codelet];
    Answers answers(graph_, step.entity, arriving_);
    std::optional<std::string> problem = call(codelet, answers);
    if (unknown_ && take_delayed_for_others(region, step)) {
      problem = call(codelet, answers);
    }
    if (problem) {
      report(codelet, *problem);
      return;
    }
    step.answered = !unknown_;
    step.traits = traits_;
    step.parameters.clear();
    if (unknown_) {
      answers.outputs.clear();
    } else {
      step.parameters = std::move(answers.parameters);
      if (answers.scratch > 0) {
        region.scratch.push_back({id, answers.scratch, 0});
      }
    }
    for (const TensorId written : step.writes) {
      settle_output(region, written, codelet, answers);
    }
  }

  /// Of the time before, by operators that have said by now what they write.
  void take_what_was_written(GraphRegion& region, const GraphStep& step) {
    for (const TensorId id : step.reads) {
      GraphTensor& tensor = region.tensors[id];
      if (tensor.delays == kNone || tensor.spec) {
        continue;
      }
      const GraphTensor& from = region.tensors[tensor.delays];
      if (region.steps[from.producer].answered) {
        tensor.spec = from.spec;
        pass_to_readers(tensor);
      }
    }
  }

  /// A tensor that goes round is most often like what comes in. Whether it is shows when it is
  /// written; see settle_delayed(). False when there is nothing to take.
  bool take_delayed_for_others(GraphRegion& region, const GraphStep& step) {
    const auto known = std::ranges::find_if(
        step.reads, [&](TensorId id) { return region.tensors[id].spec.has_value(); });
    bool taken = false;
    for (const TensorId id : step.reads) {
      GraphTensor& tensor = region.tensors[id];
      if (known != step.reads.end() && tensor.delays != kNone && !tensor.spec) {
        tensor.spec = region.tensors[*known].spec;
        pass_to_readers(tensor);
        taken = true;
      }
    }
    return taken;
  }

  /// Once, for the first step that reads it: the entities in front of the region have been asked
  /// then.
  void settle_input(GraphRegion& region, const GraphInput& input) {
    GraphTensor& tensor = region.tensors[input.tensor];
    if (!settled_.insert(&tensor).second) {
      return;
    }
    PortWords::Known known{tensor.spec, true};
    const auto found = arriving_.find(input.links.front().receiver);
    if (!known.spec && found != arriving_.end()) {
      known.spec = found->second;
    }
    ports_.settle(region, input.tensor, known);
    pass_to_readers(tensor);
  }

  void settle_output(GraphRegion& region, TensorId id, const GraphComponent& codelet,
                     const Answers& answers) {
    GraphTensor& tensor = region.tensors[id];
    if (const ComponentId other = writes_in_turn(tensor, codelet.entity); other != kNone) {
      keep_answer(tensor, other, codelet, answers);
      return;
    }
    PortWords::Known known{std::nullopt, unknown_};
    const auto found = answers.outputs.find(tensor.transmitter);
    if (found != answers.outputs.end()) {
      known.spec = found->second;
    }
    if (!ports_.settle(region, id, known)) {
      report(codelet, "infer() says nothing of its output " +
                          port_name(graph_.components[tensor.transmitter]));
    } else if (tensor.spec) {
      send(tensor.transmitter, *tensor.spec);
    }
  }

  /// The transmitter of an entity by which it writes a tensor that another one writes, too.
  [[nodiscard]] ComponentId writes_in_turn(const GraphTensor& tensor, EntityId entity) const {
    for (const TensorWriter& writer : tensor.in_turn) {
      if (work_.entity_of(writer.transmitter) == entity) {
        return writer.transmitter;
      }
    }
    return kNone;
  }

  void keep_answer(const GraphTensor& tensor, ComponentId transmitter,
                   const GraphComponent& codelet, const Answers& answers) {
    const auto found = answers.outputs.find(transmitter);
    if (found != answers.outputs.end()) {
      in_turn_.push_back({&tensor, transmitter, &codelet, found->second});
      send(transmitter, found->second);
    } else if (!unknown_) {
      report(codelet,
             "infer() says nothing of its output " + port_name(graph_.components[transmitter]));
    }
  }

  /// The tensor that bodies of a branch write in turn is one.
  void compare_in_turn() {
    for (const InTurn& each : in_turn_) {
      if (each.tensor->spec && each.spec.to_string() != each.tensor->spec->to_string()) {
        const GraphComponent& other = graph_.components[each.tensor->transmitter];
        report(*each.codelet, "its output " + port_name(graph_.components[each.transmitter]) +
                                  " would be " + each.spec.to_string() + ", but what " +
                                  called(graph_, other) + " writes for the same receivers is " +
                                  each.tensor->spec->to_string());
      }
    }
  }

  /// The tensor of the time before is like that which is written now.
  void settle_delayed() {
    for (Region& region : plan_.regions) {
      for (TensorId id = 0; region.graph && id < region.graph->tensors.size(); ++id) {
        GraphTensor& tensor = region.graph->tensors[id];
        if (tensor.delays == kNone || !region.graph->tensors[tensor.delays].spec) {
          continue;
        }
        const GraphTensor& from = region.graph->tensors[tensor.delays];
        if (tensor.spec && tensor.spec->to_string() != from.spec->to_string()) {
          report(graph_.components[region.graph->steps[from.producer].codelet],
                 "its output " + port_name(graph_.components[from.transmitter]) + " is " +
                     from.spec->to_string() + ", but " +
                     called(graph_, graph_.components[tensor.receivers.front()]) +
                     ", which reads it delayed, gets " + tensor.spec->to_string() +
                     ", by 'inputs' or like its other input");
        }
        tensor.spec = from.spec;
      }
    }
  }

  void check_selectors(const GraphRegion& region) {
    for (const GraphBranch& branch : region.branches) {
      if (branch.selector == kNone) {
        continue;
      }
      const std::optional<TensorSpec>& spec = region.tensors[branch.selector].spec;
      if (spec && (!is_whole(spec->type) || spec->bytes() != size_of(spec->type))) {
        const GraphComponent& component = graph_.components[branch.component];
        diagnostics_.add(
            DiagnosticCode::BranchSelector, component.where, where_length(component),
            "branch " + called(graph_, component) + " is decided by a tensor " + spec->to_string(),
            "it must have one element, a whole number");
      }
    }
  }

  /// An entity that is in no region: what its codelets tell, if they can, else what its device
  /// ports say.
  void ask_outside(EntityId entity) {
    Answers answers(graph_, entity, arriving_);
    for (const ComponentId codelet : work_.at(entity).codelets) {
      Answers of_codelet(graph_, entity, arriving_);
      if (!call_outside(entity, codelet, of_codelet) && !unknown_) {
        answers.outputs.merge(of_codelet.outputs);
      }
    }
    for (const ComponentId transmitter : work_.at(entity).transmitters) {
      const auto found = answers.outputs.find(transmitter);
      const std::optional<TensorSpec> spec =
          found != answers.outputs.end() ? found->second : ports_.declared(transmitter);
      if (spec) {
        send(transmitter, *spec);
      }
    }
  }

  /// As call(). One that cannot tell anything has no answers.
  std::optional<std::string> call_outside(EntityId entity, ComponentId codelet, Answers& answers) {
    return guarded_call(graph_.components[codelet], [&] {
      const bool is_operator = work_.at(entity).kind == WorkEntity::Kind::Operator;
      const bool tells =
          graph_.components[codelet].capability(Capability::Kind::TellsShapes) != nullptr;
      ShapeInference* const asked = is_operator ? &source_.graph_operator(codelet)
                                    : tells     ? source_.shape_inference(codelet)
                                                : nullptr;
      if (asked != nullptr) {
        asked->infer(answers);
      }
    });
  }

  /// The error, if there was one; `unknown_` says whether the operator cannot tell yet.
  std::optional<std::string> call(const GraphComponent& codelet, Answers& answers) {
    return guarded_call(codelet, [&] {
      GraphOperator& asked = source_.graph_operator(codelet.id);
      traits_ = asked.graph_traits();
      asked.infer(answers);
    });
  }

  template <class Ask>
  std::optional<std::string> guarded_call(const GraphComponent& codelet, const Ask& ask) {
    const CallSite site{"infer", graph_.entity_of(codelet).name, codelet.name, codelet.type->name};
    const CallScope scope(site);
    unknown_ = false;
    try {
      ask();
    } catch (const Error& error) {
      unknown_ = error.code() == ErrorCode::NotAvailable;
      return unknown_ ? std::nullopt : std::optional(error.message());
    } catch (const std::exception& error) {
      return exception_text(error);
    } catch (...) {
      return "threw something that is no std::exception";
    }
    return std::nullopt;
  }

  void report(const GraphComponent& codelet, const std::string& problem) {
    diagnostics_.add(DiagnosticCode::RegionShape, codelet.where, where_length(codelet),
                     "operator " + called(graph_, codelet) + ": " + problem, what_arrives(codelet));
  }

  [[nodiscard]] std::string what_arrives(const GraphComponent& codelet) const {
    std::string text;
    for (const ComponentId receiver : work_.at(codelet.entity).receivers) {
      const auto found = arriving_.find(receiver);
      text += (text.empty() ? "what arrives: " : ", ") + port_name(graph_.components[receiver]) +
              " " + (found == arriving_.end() ? "?" : found->second.to_string());
    }
    return text;
  }

  /// To all receivers that the transmitter's messages come to unchanged. What is known of a
  /// receiver already is kept.
  void send(ComponentId transmitter, const TensorSpec& spec) {
    for (const Link& link : work_.at(work_.entity_of(transmitter)).outgoing) {
      if (link.transmitter != transmitter || !arriving_.try_emplace(link.receiver, spec).second) {
        continue;
      }
      const EntityId entity = work_.entity_of(link.receiver);
      if (work_.at(entity).kind == WorkEntity::Kind::Passage) {
        for (const ComponentId next : work_.at(entity).transmitters) {
          send(next, spec);
        }
      }
    }
  }

  Plan& plan_;
  const Graph& graph_;
  const WorkGraph& work_;
  const std::vector<EntityId>& order_;
  ShapeSource& source_;
  Diagnostics& diagnostics_;
  PortWords ports_;
  std::unordered_map<EntityId, StepPlace> places_;
  std::unordered_set<const GraphTensor*> settled_;  // inputs of regions
  /// What an operator says of a tensor that another one writes in turn.
  struct InTurn {
    const GraphTensor* tensor;
    ComponentId transmitter;
    const GraphComponent* codelet;
    TensorSpec spec;
  };
  std::vector<InTurn> in_turn_;
  ArrivingSpecs arriving_;
  // Of the operator that was asked last:
  bool unknown_ = false;
  GraphTraits traits_;  // of the operator that was asked
};

void choose_mode(Region& region) {
  if (region.graph->chooses_mode) {
    const bool resident = region.graph->laid_out || !region.graph->handlers.empty();
    region.graph->options.mode = resident ? GraphMode::Resident : GraphMode::Graph;
    region.executor = resident ? ExecutorKind::Resident : ExecutorKind::Graph;
  }
}

}  // namespace

ArrivingSpecs infer_shapes(Plan& plan, ShapeSource& source, Diagnostics& diagnostics) {
  return infer_shapes(plan, source, diagnostics, ShapeOrder(*plan.graph, *plan.catalog));
}

ArrivingSpecs infer_shapes(Plan& plan, ShapeSource& source, Diagnostics& diagnostics,
                           const ShapeOrder& order) {
  ArrivingSpecs arriving = Inference(plan, source, diagnostics, order).run();
  for (Region& region : plan.regions) {
    if (region.graph) {
      lay_out_arena(*region.graph);
      choose_mode(region);
    }
  }
  return arriving;
}

}  // namespace gxr
