#include "executors/cuda_graph/region_program.hpp"

#include <algorithm>
#include <string>

#include "executors/cuda_graph/operator_capture.hpp"
#include "executors/cuda_graph/region_ports.hpp"
#include "gxr/error.hpp"
#include "plan/make_program.hpp"
#include "plan/region_changes.hpp"
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
      unlike("would write " + spec.to_string() + " to '" + port.full_name() +
             "', but the graph was built for " + planned.spec->to_string());
    }
  }
  void set_scratch(std::size_t bytes) override {
    if (const std::size_t there = bytes_of(node_.scratch); bytes > there) {
      unlike("would need " + std::to_string(bytes) +
             " bytes of scratch, but the graph was built with " + std::to_string(there));
    }
  }
  void set_parameters(std::vector<std::byte> bytes) override { parameters = std::move(bytes); }

  /// What is different; nothing: it would say the same.
  [[nodiscard]] std::optional<std::string> difference() {
    if (parameters.size() != node_.parameters.size()) {
      unlike("would have " + std::to_string(parameters.size()) +
             " bytes of them in device memory, but the graph was built with " +
             std::to_string(node_.parameters.size()));
    }
    return std::move(difference_);
  }

  std::vector<std::byte> parameters;

 private:
  [[nodiscard]] std::size_t bytes_of(BufferId id) const {
    return id == kNoBuffer ? 0 : program_.buffers[id].bytes.value_or(0);
  }
  void unlike(const std::string& what) {
    if (!difference_) {
      difference_ = "the operator " + what;
    }
  }

  const GraphRegion& region_;
  const DeviceProgram& program_;
  const DeviceNode& node_;
  std::optional<std::string> difference_;
};

bool is_memory_of_region(const DeviceBuffer& buffer) {
  return buffer.place != DeviceBuffer::Place::OfOperator &&
         buffer.place != DeviceBuffer::Place::Same;
}

}  // namespace

RegionProgram::RegionProgram(const Plan& plan, const Region& region,
                             const RegionOperators& operators, Instance& instance, Infer infer)
    : plan_(plan),
      region_(region),
      operators_(operators),
      instance_(instance),
      infer_(std::move(infer)) {
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
  edits_.clear();
  next_.reset();
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
    if (taken[step].task != nullptr) {
      tasks_.push_back({step, taken[step].task});
    }
  }
  for (const PendingChanges::Changes& each : taken) {
    instance_.put(each.values);
  }
  return news;
}

void RegionProgram::want(const News& news) {
  may_differ_ = may_differ_ || !news.steps.empty() || !news.switched.empty();
  want_steps(news.steps);
  want_switches(news);
  edits_ = edits_between(running_, wanted_);
}

void RegionProgram::want(const News& news, const Region& told) {
  may_differ_ = true;
  want_shapes(infer_(told));
  count_captures(news.steps);
  want_switches(news);
  edits_ = edits_between(running_, wanted_);
}

void RegionProgram::want_steps(const std::vector<StepId>& steps) {
  for (const StepId step : steps) {
    if (const std::optional<std::string> difference = ask_again(step)) {
      want_other_shapes(step, "with its new parameters " + *difference);
      break;  // all have been asked
    }
  }
  count_captures(steps);
}

/// All operators are asked, for this reason.
void RegionProgram::want_other_shapes(StepId step, const std::string& reason) {
  guarded(operators_.site(step, "infer"), [&] {
    if (const char* const why = why_fixed(region_)) {
      throw Error(ErrorCode::InvalidArgument, reason + "; " + why);
    }
    try {
      want_shapes(infer_(wanted_region()));
    } catch (const Error& error) {
      throw Error(ErrorCode::InvalidArgument, reason + ": " + error.message());
    }
  });
}

void RegionProgram::want_exchanged(StepId step) {
  may_differ_ = true;
  exchanges_ = true;
  is_prepared_anew_ =
      is_prepared_anew_ || dynamic_cast<const CapturePreparation*>(&operators_.at(step)) != nullptr;
  std::optional<std::string> difference = ask_again(step);
  if (!difference &&
      !(operators_.at(step).graph_traits() == wanted_region().graph->steps[step].traits)) {
    difference = "the operator has other traits";
  }
  if (difference) {
    want_other_shapes(step, *difference);
  }
  ++wanted_node(step).revision;
  want_switches({});
  edits_ = edits_between(running_, wanted_);
}

/// Operators that read no parameters from memory are to be captured again.
void RegionProgram::count_captures(const std::vector<StepId>& steps) {
  for (const StepId step : steps) {
    if (wanted_node(step).parameters.empty()) {
      ++wanted_node(step).revision;
    }
  }
}

/// Switches stay; see want_switches().
void RegionProgram::want_shapes(Region next) {
  DeviceProgram made = make_program(*next.graph);
  std::vector<NodeId> nodes = nodes_of_steps(made);
  for (StepId step = 0; step < operators_.count(); ++step) {
    const DeviceNode& before = wanted_node(step);
    made.nodes[nodes[step]].enabled = before.enabled;
    made.nodes[nodes[step]].revision = before.revision;
  }
  wanted_ = std::move(made);
  node_of_step_ = std::move(nodes);
  next_ = std::move(next);
}

/// With other shapes other tensors share memory, so all that are off are asked.
void RegionProgram::want_switches(const News& news) {
  std::vector<StepId> off;
  for (const auto& [step, on] : news.switched) {
    if (wanted_node(step).enabled && !on) {
      off.push_back(step);
    }
    wanted_node(step).enabled = on;
  }
  for (StepId step = 0; next_ && step < operators_.count(); ++step) {
    if (!wanted_node(step).enabled) {
      off.push_back(step);
    }
  }
  for (const StepId step : off) {
    guarded(operators_.site(step, "disable"),
            [&] { require_may_be_off(*plan_.graph, *wanted_region().graph, step); });
  }
}

void RegionProgram::want_again(const Wish& wish, StepId step) {
  may_differ_ = true;
  wanted_ = wish.program;
  node_of_step_ = wish.node_of_step;
  next_ = wish.region;
  is_prepared_anew_ = dynamic_cast<const CapturePreparation*>(&operators_.at(step)) != nullptr;
  ++wanted_node(step).revision;
  edits_ = edits_between(running_, wanted_);
}

bool RegionProgram::must_rebuild() const {
  return is_lost_ || is_prepared_anew_ || std::ranges::any_of(edits_, [](const ProgramEdit& edit) {
           return edit.kind == ProgramEdit::Kind::Shape || edit.kind == ProgramEdit::Kind::Program;
         });
}

void RegionProgram::rebuilt() {
  next_.reset();
  running_ = wanted_;
  for (DeviceNode& node : running_.nodes) {
    node.enabled = true;
  }
  edits_ = edits_between(running_, wanted_);
}

void RegionProgram::applied() {
  is_lost_ = false;
  is_prepared_anew_ = false;
  exchanges_ = false;
  running_ = wanted_;
  edits_.clear();
  next_.reset();
  may_differ_ = false;
}

bool RegionProgram::has_new_parameters() const {
  return std::ranges::find(edits_, ProgramEdit::Kind::Parameters, &ProgramEdit::kind) !=
         edits_.end();
}

std::vector<NodeId> RegionProgram::nodes_to_replace(
    const std::function<bool(NodeId)>& can_be_disabled) const {
  using Edit = ProgramEdit::Kind;
  std::vector<NodeId> nodes;
  const auto replaces = [&](const ProgramEdit& edit) {
    switch (edit.kind) {
      case Edit::Parameters:
        return false;
      case Edit::Capture:
        return wanted_.nodes[edit.node].enabled || can_be_disabled(edit.node);
      case Edit::Off:
      case Edit::On:
        return !can_be_disabled(edit.node);
      case Edit::Shape:
      case Edit::Program:
        break;  // of all nodes
    }
    throw Error(ErrorCode::InvalidState, "a program was to be made anew, not node by node");
  };
  for (const ProgramEdit& edit : edits_) {
    if (replaces(edit) && (nodes.empty() || nodes.back() != edit.node)) {
      nodes.push_back(edit.node);
    }
  }
  return nodes;
}

/// How what the operator says now differs from what the graph was built for. If it does not, the
/// wanted program gets its parameters.
std::optional<std::string> RegionProgram::ask_again(StepId step) {
  std::optional<std::string> difference;
  guarded(operators_.site(step, "infer"), [&] {
    DeviceNode& node = wanted_node(step);
    SameShapes context(*wanted_region().graph, wanted_, node);
    operators_.at(step).infer(context);
    difference = context.difference();
    if (!difference) {
      node.parameters = std::move(context.parameters);
    }
  });
  return difference;
}

std::string RegionProgram::edits_text() const {
  const std::vector<GraphTensor>& tensors = region_.graph->tensors;
  std::string text;
  for (const ProgramEdit& edit : edits_) {
    text += text.empty() ? "" : ", ";
    if (edit.node != kNoNode) {
      text += operators_.entity(step_of(edit.node)) + ": ";
    }
    text += edit.buffer < tensors.size()
                ? describe_change(*plan_.graph, tensors[edit.buffer],
                                  wanted_region().graph->tensors[edit.buffer])
                : to_text(edit);
  }
  return text;
}

std::vector<BufferId> RegionProgram::kept_by_wanted() const {
  std::vector<BufferId> needed;
  for (BufferId id = 0; id < region_.graph->tensors.size(); ++id) {
    if (wanted_.buffers[id].lasts) {
      needed.push_back(id);
    }
  }
  for (const DeviceNode& node : wanted_.nodes) {
    if (!node.enabled) {
      needed.insert(needed.end(), node.writes.begin(), node.writes.end());
    }
  }
  std::ranges::sort(needed);
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  std::erase_if(needed, [&](BufferId id) {
    const DeviceBuffer& was = running_.buffers[id];
    const DeviceBuffer& is = wanted_.buffers[id];
    return was.bytes != is.bytes || was.tensor != is.tensor || !is_memory_of_region(was) ||
           is.place == DeviceBuffer::Place::OfOperator;
  });
  return needed;
}

std::vector<BufferId> RegionProgram::kept_by_either() const {
  std::vector<BufferId> needed = kept_by_wanted();
  for (BufferId id = 0; id < region_.graph->tensors.size(); ++id) {
    const DeviceBuffer& was = running_.buffers[id];
    const auto place = std::ranges::lower_bound(needed, id);
    if (was.lasts && is_memory_of_region(was) && (place == needed.end() || *place != id)) {
      needed.insert(place, id);
    }
  }
  return needed;
}

}  // namespace gxr
