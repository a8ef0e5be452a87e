#include "executors/cuda_graph/region_program.hpp"

#include <algorithm>
#include <string>

#include "executors/cuda_graph/operator_capture.hpp"
#include "executors/cuda_graph/region_ports.hpp"
#include "gxr/error.hpp"
#include "plan/make_program.hpp"
#include "plan/switched_off.hpp"

namespace gxr {
namespace {

/// Asks an operator of a graph that was built whether it would say the same again.
class SameShapes final : public ShapeContext {
 public:
  SameShapes(const GraphRegion& region, const DeviceProgram& program, const DeviceNode& node)
      : region_(region), program_(program), node_(node) {}

  [[nodiscard]] const TensorSpec& input(const Receiver& port) const override {
    return *region_.tensors[read_by(region_, node_, port)].spec;
  }
  void set_output(const Transmitter& port, TensorSpec spec) override {
    const GraphTensor& planned = region_.tensors[written_by(region_, node_, port)];
    if (!is_like(spec, *planned.spec, planned.only_bytes)) {
      throw Error(ErrorCode::InvalidArgument, "with its new parameters the operator would write " +
                                                  spec.to_string() + " to '" + port.full_name() +
                                                  "', but the graph was built for " +
                                                  planned.spec->to_string());
    }
  }
  void set_scratch(std::size_t bytes) override {
    const std::size_t there =
        node_.scratch == kNoBuffer ? 0 : program_.buffers[node_.scratch].bytes.value_or(0);
    if (bytes > there) {
      throw Error(ErrorCode::InvalidArgument,
                  "with its new parameters the operator would need " + std::to_string(bytes) +
                      " bytes of scratch, but the graph was built with " + std::to_string(there));
    }
  }
  void set_parameters(std::vector<std::byte> bytes) override { parameters = std::move(bytes); }

  std::vector<std::byte> parameters;

 private:
  const GraphRegion& region_;
  const DeviceProgram& program_;
  const DeviceNode& node_;
};

}  // namespace

RegionProgram::RegionProgram(const Plan& plan, const Region& region,
                             const RegionOperators& operators, Instance& instance)
    : plan_(plan), region_(region), operators_(operators), instance_(instance) {
  for (const GraphStep& step : region.graph->steps) {
    members_.push_back(step.entity);
  }
  members_.insert(members_.end(), region.graph->dissolved.begin(), region.graph->dissolved.end());
  for (const EntityId member : members_) {
    instance.changes().leave(member);
  }
}

void RegionProgram::begin() {
  running_ = make_program(*region_.graph);
  wanted_ = running_;
  may_differ_ = false;
  node_of_step_ = nodes_of_steps(running_);
}

RegionProgram::News RegionProgram::take() {
  // At once: an iteration has all that was set together, or nothing of it.
  const std::vector<PendingChanges::Changes> taken = instance_.changes().take(members_);
  News news;
  for (StepId step = 0; step < operators_.count(); ++step) {
    if (taken[step].enabled) {
      news.switched.emplace_back(step, *taken[step].enabled);
    }
    if (!taken[step].values.empty()) {
      news.steps.push_back(step);
    }
  }
  std::ranges::for_each(taken, PendingChanges::put);
  return news;
}

void RegionProgram::want(const News& news) {
  may_differ_ = may_differ_ || !news.steps.empty() || !news.switched.empty();
  for (const auto& [step, on] : news.switched) {
    if (wanted_node(step).enabled == on) {
      continue;
    }
    if (!on) {
      guarded(operators_.site(step, "disable"),
              [&, number = step] { require_may_be_off(*plan_.graph, *region_.graph, number); });
    }
    wanted_node(step).enabled = on;
  }
  for (const StepId step : news.steps) {
    ask_again(step);
    if (wanted_node(step).parameters.empty()) {
      ++wanted_node(step).revision;
    }
  }
}

bool RegionProgram::has_new_parameters() const {
  const std::vector<ProgramEdit> all = edits();
  return std::ranges::find(all, ProgramEdit::Kind::Parameters, &ProgramEdit::kind) != all.end();
}

std::vector<NodeId> RegionProgram::nodes_to_replace(
    const std::function<bool(NodeId)>& is_switched_apart) const {
  using Edit = ProgramEdit::Kind;
  std::vector<NodeId> nodes;
  for (const ProgramEdit& edit : edits()) {
    if (edit.kind == Edit::Program) {
      throw Error(ErrorCode::InvalidState, "a program that runs was to become another one");
    }
    const bool apart = is_switched_apart(edit.node);
    const bool is_on = wanted_.nodes[edit.node].enabled;
    const bool replaces =
        edit.kind == Edit::Capture ? apart || is_on : edit.kind != Edit::Parameters && !apart;
    if (replaces && (nodes.empty() || nodes.back() != edit.node)) {
      nodes.push_back(edit.node);
    }
  }
  return nodes;
}

void RegionProgram::ask_again(StepId step) {
  guarded(operators_.site(step, "infer"), [&] {
    DeviceNode& node = wanted_node(step);
    SameShapes context(*region_.graph, wanted_, node);
    operators_.at(step).infer(context);
    if (context.parameters.size() != node.parameters.size()) {
      throw Error(ErrorCode::InvalidArgument,
                  "with its new parameters the operator would have " +
                      std::to_string(context.parameters.size()) +
                      " bytes of them in device memory, but the graph was built with " +
                      std::to_string(node.parameters.size()));
    }
    node.parameters = std::move(context.parameters);
  });
}

}  // namespace gxr
