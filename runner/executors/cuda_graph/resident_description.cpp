// How the loop is described: its shape, ports and pieces.

#include <algorithm>
#include <string>

#include "executors/cuda_graph/resident_runner.hpp"
#include "gxr/error.hpp"
#include "plan/loop_round.hpp"
#include "plan/step_order.hpp"

namespace gxr {

/// What answers fastest to who drives the region.
GraphLoop ResidentRunner::loop_shape() {
  const GraphOptions& options = graph().options;
  bool may_repeat = true;
  for (StepId step = 0; step < graph().steps.size(); ++step) {
    may_repeat = may_repeat && operator_of(step).graph_traits().repeatable;
  }
  if (options.loop == GraphLoop::HeadTail && !may_repeat) {
    throw Error(ErrorCode::InvalidArgument,
                "region '" + region_name() +
                    "' asks for 'loop: head_tail', whose operators run once more when the loop is "
                    "told to end while it waits; not all of them say that they may "
                    "(GraphTraits::repeatable)");
  }
  if (options.loop != GraphLoop::Auto) {
    return options.loop;
  }
  if (launches_branches(graph())) {
    return GraphLoop::TailLaunch;
  }
  // What runs once more would change what is kept, which goes on when parameters have changed; and
  // a While may find no end in what nobody has written.
  may_repeat = may_repeat && std::ranges::none_of(graph().tensors, &GraphTensor::lasts) &&
               std::ranges::find(graph().branches, BranchKind::While, &GraphBranch::kind) ==
                   graph().branches.end();
  const bool waits_for_host = !inputs().empty() || options.host_driven;
  const bool has_one_body = options.unroll == 1 && options.instrument_every == 0;
  return may_repeat && waits_for_host && has_one_body && !is_driven_by_many(graph())
             ? GraphLoop::HeadTail
             : GraphLoop::ControlAtEnd;
}

DeviceLoopOptions ResidentRunner::loop_options() {
  const GraphOptions& options = graph().options;
  DeviceLoopOptions wanted;
  wanted.device = options.device;
  wanted.priority = options.priority;
  wanted.partition = partition();
  wanted.memory_sync_domain = options.memory_sync_domain;
  wanted.loop = loop_shape();
  wanted.may_launch_itself = options.loop == GraphLoop::Auto;
  const LoopRound round = round_of(graph());
  wanted.unroll = round.iterations;
  wanted.nodes_of_round = round.nodes;
  wanted.iteration_of_round = round.longest_iteration;
  wanted.slots = graph().options.slots;
  wanted.sleep_interval = options.sleep_interval;
  wanted.iteration_timeout = options.iteration_timeout;
  wanted.instrument_every = options.instrument_every;
  wanted.sync_with_host = options.sync_with_host;
  const auto port = [&](TensorId id) {
    return DeviceLoopPort{const_cast<void*>(tensor(id).pointer()), tensor(id).size()};
  };
  wanted.ready = takes_any() ? GraphReady::Any : GraphReady::All;
  wanted.doorbells = graph().handlers.size();
  wanted.parameters = parameter_ranges();
  for (const Input& input : inputs()) {
    wanted.inputs.push_back(port(input.tensor));
  }
  if (options.host_driven) {
    wanted.inputs.emplace_back();  // only counted
  }
  for (const Output& output : outputs()) {
    wanted.outputs.push_back(port(output.tensor));
  }
  return wanted;
}

void ResidentRunner::build_graph() {
  if (DeviceEngine::get().loads_kernels_late()) {
    log_warning(
        "CUDA loads kernels when they are first launched in this process, and may wait for "
        "the end of this loop then; start the program with CUDA_MODULE_LOADING=EAGER");
  }
  loop_ = DeviceEngine::get().make_loop(loop_options());
  const auto ports_of = [](const std::vector<TensorId>& used, const auto& ports) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (std::ranges::find(used, ports[i].tensor) != used.end()) {
        found.push_back(i);
      }
    }
    return found;
  };
  // What is added has the numbers of the items.
  for (const RegionItem& item : items()) {
    if (item.branch != kNone) {
      loop_->add_branch(device_branch(item), item.after, item.list);
      continue;
    }
    if (item.copied_to != kNone) {
      const auto [to, from, bytes] = copy_of(item);
      loop_->add_copy(to, from, bytes,
                      {.after = item.after, .list = item.list, .crosses = item.crosses});
      continue;
    }
    const GraphStep& step = graph().steps[item.step];
    DeviceLoopPiece piece;
    piece.after = item.after;
    piece.list = item.list;
    piece.inputs = ports_of(step.reads, inputs());
    piece.outputs = ports_of(step.writes, outputs());
    piece.traits = operator_of(item.step).graph_traits();
    piece.looks = step.looks;
    capture(item.step, [&](const std::function<void(CUstream_st*)>& work) {
      piece.kept_in_l2 = kept_in_l2(item.step);
      loop_->add(work, piece);
    });
  }
  add_copied_parameters();
  loop_->instantiate();
  if (!dot_file().empty()) {
    loop_->write_dot(dot_file());
  }
  open();
}

/// Of the branch around it that is a graph of its own; DeviceList::kNoBranch: there is none.
std::size_t ResidentRunner::item_of_launched(StepId step) const {
  const BranchId branch = launched_around(graph(), step);
  const auto found =
      branch == kNone ? items().end() : std::ranges::find(items(), branch, &RegionItem::branch);
  return found == items().end() ? DeviceList::kNoBranch
                                : static_cast<std::size_t>(found - items().begin());
}

const std::uint64_t* ResidentRunner::iteration_of(StepId step) {
  return loop_->iteration_in(item_of_launched(step));
}

/// Behind all items, whose numbers stay.
void ResidentRunner::add_copied_parameters() {
  for (StepId step = 0; step < graph().steps.size(); ++step) {
    if (const auto [to, from, bytes] = copied_parameters(step); bytes > 0) {
      DevicePiece piece;
      piece.crosses = item_of_launched(step);
      loop_->add_copy(to, from, bytes, piece);
    }
  }
}

}  // namespace gxr
