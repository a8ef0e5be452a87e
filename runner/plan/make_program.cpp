#include "plan/make_program.hpp"

#include <algorithm>
#include <utility>

#include "plan/step_order.hpp"

namespace gxr {
namespace {

DeviceBuffer::Place place_of(const GraphTensor& tensor) {
  if (tensor.in_place) {
    return DeviceBuffer::Place::Same;
  }
  if (tensor.owner != kNone) {
    return DeviceBuffer::Place::OfOperator;
  }
  return tensor.place == GraphTensor::Place::Arena ? DeviceBuffer::Place::Arena
                                                   : DeviceBuffer::Place::Own;
}

class Maker {
 public:
  explicit Maker(const GraphRegion& region)
      : region_(region),
        of_step_(region.steps.size(), kNoNode),
        of_branch_(region.branches.size(), kNoNode) {
    program_.options = region.options;
    program_.arena_bytes = region.arena_bytes;
    program_.laid_out = region.laid_out;
  }

  DeviceProgram make() {
    add_tensors();
    for (StepId step = 0; step < region_.steps.size(); ++step) {
      add_step(step);
      for (const StepId before : region_.steps[step].predecessors) {
        put_behind(before, step, region_.steps[step].around.size());
      }
    }
    for (TensorId id = 0; id < region_.tensors.size(); ++id) {
      if (region_.tensors[id].delays != kNone && !region_.tensors[id].in_place) {
        add_copy(id);
      }
    }
    add_scratch();
    add_parameters();
    for (const GraphHandler& handler : region_.handlers) {
      program_.doorbells.push_back(
          {of_step_[handler.step], handler.source == kNone ? kNoNode : of_step_[handler.source]});
    }
    for (DeviceNode& node : program_.nodes) {
      std::ranges::sort(node.after);
      node.after.erase(std::unique(node.after.begin(), node.after.end()), node.after.end());
    }
    return std::move(program_);
  }

 private:
  [[nodiscard]] DeviceNode& at(NodeId id) { return program_.nodes[id]; }

  NodeId add(DeviceNode node) {
    program_.nodes.push_back(std::move(node));
    return program_.nodes.size() - 1;
  }
  BufferId add(DeviceBuffer buffer) {
    program_.buffers.push_back(std::move(buffer));
    return static_cast<BufferId>(program_.buffers.size() - 1);
  }

  void add_tensors() {
    for (const GraphTensor& tensor : region_.tensors) {
      DeviceBuffer buffer;
      if (tensor.spec) {
        buffer.bytes = tensor.spec->bytes();
        buffer.tensor = tensor.spec->to_string();
      }
      buffer.place = place_of(tensor);
      buffer.offset = buffer.place == DeviceBuffer::Place::Arena ? tensor.offset : 0;
      buffer.same_as = tensor.in_place ? tensor.delays : kNoBuffer;
      buffer.lasts = tensor.lasts || tensor.by_program;
      add(buffer);
    }
    for (const GraphInput& input : region_.inputs) {
      program_.inputs.push_back(input.tensor);
    }
    for (const GraphOutput& output : region_.outputs) {
      program_.outputs.push_back(output.tensor);
    }
  }

  /// With the branches around it that begin with it.
  void add_step(StepId id) {
    const GraphStep& step = region_.steps[id];
    DeviceBody body;
    for (std::size_t depth = 0; depth < step.around.size(); ++depth) {
      const BranchPlace& place = step.around[depth];
      if (of_branch_[place.branch] == kNoNode) {
        of_branch_[place.branch] = add(branch_node(place.branch, body));
        put_behind_deciders(place.branch, id, depth);
      }
      body = {of_branch_[place.branch], place.alternative};
    }
    DeviceNode node;
    node.body = body;
    node.reads = step.reads;
    node.writes = step.writes;
    node.inputs = ports_of(step.reads, program_.inputs);
    node.outputs = ports_of(step.writes, program_.outputs);
    node.traits = step.traits;
    node.polls = step.polls;
    node.limit = step.count;
    node.parameters = step.parameters;
    node.planned = id;
    of_step_[id] = add(std::move(node));
  }

  [[nodiscard]] DeviceNode branch_node(BranchId id, const DeviceBody& body) const {
    const GraphBranch& branch = region_.branches[id];
    DeviceNode node;
    node.kind = DeviceNode::Kind::Branch;
    node.body = body;
    node.branch = {.kind = branch.kind,
                   .bodies = branch.alternatives,
                   .selector = branch.selector,
                   .limit = branch.limit,
                   .count = branch.count,
                   .first = branch.first,
                   .launch = branch.launch};
    if (branch.selector != kNone) {
      node.reads = {branch.selector};
      const std::optional<TensorSpec>& spec = region_.tensors[branch.selector].spec;
      node.branch.type = spec ? spec->type : node.branch.type;
    }
    node.planned = id;
    return node;
  }

  static std::vector<std::size_t> ports_of(const std::vector<BufferId>& used,
                                           const std::vector<BufferId>& ports) {
    std::vector<std::size_t> found;
    for (std::size_t port = 0; port < ports.size(); ++port) {
      if (std::ranges::find(used, ports[port]) != used.end()) {
        found.push_back(port);
      }
    }
    return found;
  }

  static DeviceNode copy_node(BufferId from, BufferId to) {
    DeviceNode node;
    node.kind = DeviceNode::Kind::Copy;
    node.reads = {from};
    node.writes = {to};
    return node;
  }

  void add_copy(TensorId id) {
    const GraphTensor& tensor = region_.tensors[id];
    const BranchId writer = launched_around(region_, region_.tensors[tensor.delays].producer);
    const BranchId reader = launched_around(region_, tensor.consumers.front());
    if (writer != kNone && writer != reader) {
      add_copy_out(id, writer);
      return;
    }
    DeviceNode copy = copy_behind_users(id);
    if (writer != reader) {
      copy.crosses = crossed(reader);
    }
    add(std::move(copy));
  }

  /// A tensor that a graph of its own has written is copied in it, for readers outside, behind
  /// which it runs.
  void add_copy_out(TensorId id, BranchId launched) {
    const GraphTensor& tensor = region_.tensors[id];
    const NodeId around = of_branch_[launched];
    DeviceNode copy = copy_node(tensor.delays, id);
    copy.body = {around, 0};
    copy.crosses = crossed(launched);
    copy.after.push_back(of_step_[region_.tensors[tensor.delays].producer]);
    for (const StepId reader : tensor.consumers) {
      at(around).after.push_back(in_iteration(reader));
    }
    add(std::move(copy));
  }

  [[nodiscard]] NodeId crossed(BranchId launched) const {
    return region_.branches[launched].launch == BranchLaunch::Sibling ? of_branch_[launched]
                                                                      : kNoNode;
  }
  /// A step, or the outermost branch around it.
  [[nodiscard]] NodeId in_iteration(StepId step) const {
    const std::vector<BranchPlace>& around = region_.steps[step].around;
    return around.empty() ? of_step_[step] : of_branch_[around.front().branch];
  }

  /// In the innermost body around all that write the one tensor or read the other, behind them.
  [[nodiscard]] DeviceNode copy_behind_users(TensorId id) const {
    const GraphTensor& from = region_.tensors[region_.tensors[id].delays];
    std::vector<StepId> users = region_.tensors[id].consumers;
    users.push_back(from.producer);
    for (const TensorWriter& other : from.in_turn) {
      users.push_back(other.step);
    }
    std::vector<BranchPlace> around = region_.steps[users.front()].around;
    for (const StepId user : users) {
      const std::vector<BranchPlace>& other = region_.steps[user].around;
      around.erase(std::ranges::mismatch(around, other).in1, around.end());
    }
    DeviceNode copy = copy_node(region_.tensors[id].delays, id);
    if (!around.empty()) {
      copy.body = {of_branch_[around.back().branch], around.back().alternative};
    }
    for (const StepId user : users) {
      const std::vector<BranchPlace>& places = region_.steps[user].around;
      copy.after.push_back(places.size() > around.size() ? of_branch_[places[around.size()].branch]
                                                         : of_step_[user]);
    }
    return copy;
  }

  /// A While is decided in its body, an Every by the number of the iteration.
  void put_behind_deciders(BranchId id, StepId first, std::size_t depth) {
    const GraphBranch& branch = region_.branches[id];
    if (!is_chosen(branch.kind)) {
      return;
    }
    const GraphTensor& selector = region_.tensors[branch.selector];
    put_behind(selector.producer, first, depth);
    for (const TensorWriter& writer : selector.in_turn) {
      put_behind(writer.step, first, depth);
    }
  }

  /// Of both, what stands in the innermost body around both, or around the `most` outermost
  /// branches of `then`.
  void put_behind(StepId before, StepId then, std::size_t most) {
    const std::vector<BranchPlace>& front = region_.steps[before].around;
    const std::vector<BranchPlace>& back = region_.steps[then].around;
    std::size_t depth = 0;
    while (depth < most && depth < front.size() && depth < back.size() &&
           front[depth] == back[depth]) {
      ++depth;
    }
    const NodeId first = depth < front.size() ? of_branch_[front[depth].branch] : of_step_[before];
    const NodeId second = depth < back.size() ? of_branch_[back[depth].branch] : of_step_[then];
    if (first != second) {  // else they never run in the same iteration
      at(second).after.push_back(first);
    }
  }

  void add_scratch() {
    for (const GraphScratch& scratch : region_.scratch) {
      DeviceBuffer buffer;
      buffer.bytes = scratch.bytes;
      buffer.offset = scratch.offset;
      at(of_step_[scratch.step]).scratch = add(buffer);
    }
  }

  /// Kernels that run beside iterations read a copy, which is made before their turn.
  void add_parameters() {
    for (StepId step = 0; step < region_.steps.size(); ++step) {
      const std::size_t bytes = region_.steps[step].parameters.size();
      if (bytes == 0) {
        continue;
      }
      DeviceBuffer buffer;
      buffer.bytes = bytes;
      buffer.place = DeviceBuffer::Place::Own;
      const NodeId id = of_step_[step];
      at(id).parameters_set = at(id).parameters_read = add(buffer);
      if (runs_beside(region_, step)) {
        at(id).parameters_read = add(buffer);
        DeviceNode copy = copy_node(at(id).parameters_set, at(id).parameters_read);
        copy.crosses = of_branch_[launched_around(region_, step)];
        add(std::move(copy));
      }
    }
  }

  const GraphRegion& region_;
  DeviceProgram program_;
  std::vector<NodeId> of_step_;
  std::vector<NodeId> of_branch_;
};

}  // namespace

DeviceProgram make_program(const GraphRegion& region) { return Maker(region).make(); }

std::vector<NodeId> nodes_of_steps(const DeviceProgram& program) {
  std::vector<NodeId> found;
  for (NodeId id = 0; id < program.nodes.size(); ++id) {
    if (program.nodes[id].kind == DeviceNode::Kind::Operator) {
      found.push_back(id);
    }
  }
  return found;
}

}  // namespace gxr
