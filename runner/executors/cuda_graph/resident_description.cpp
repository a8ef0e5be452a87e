// How the loop is described: its shape, ports and pieces.

#include <algorithm>
#include <string>

#include "executors/cuda_graph/resident_runner.hpp"
#include "gxr/error.hpp"
#include "plan/loop_round.hpp"
#include "plan/step_order.hpp"

namespace gxr {

/// The shape of loop that answers fastest, by the source of its iterations.
GraphLoop ResidentRunner::loop_shape() {
  const GraphOptions& options = region().options();
  bool may_repeat = true;
  for (const DeviceNode& node : region().program.running().nodes) {
    may_repeat = may_repeat && (node.kind != DeviceNode::Kind::Operator || node.traits.repeatable);
  }
  if (options.loop == GraphLoop::HeadTail && !may_repeat) {
    throw Error(ErrorCode::InvalidArgument,
                "region '" + region().name() +
                    "' asks for 'loop: head_tail', whose operators run once more when the loop is "
                    "told to end while it waits; not all of them say that they may "
                    "(GraphTraits::repeatable)");
  }
  if (options.loop != GraphLoop::Auto) {
    return options.loop;
  }
  if (launches_branches(region().graph())) {
    return GraphLoop::TailLaunch;
  }
  // Another run would change values that are kept, which go on when parameters have changed; and a
  // While may find no end in values that no operator has written.
  may_repeat = may_repeat && std::ranges::none_of(region().graph().tensors, &GraphTensor::lasts) &&
               std::ranges::find(region().graph().branches, BranchKind::While,
                                 &GraphBranch::kind) == region().graph().branches.end();
  const bool waits_for_host = !region().ports.inputs().empty() || options.host_driven;
  const bool has_one_body = options.unroll == 1 && options.instrument_every == 0;
  return may_repeat && waits_for_host && has_one_body && !is_driven_by_many(region().graph())
             ? GraphLoop::HeadTail
             : GraphLoop::ControlAtEnd;
}

DeviceLoopOptions ResidentRunner::loop_options() {
  const GraphOptions& options = region().options();
  DeviceLoopOptions wanted;
  wanted.device = options.device;
  wanted.priority = options.priority;
  wanted.partition = region().partition();
  wanted.memory_sync_domain = options.memory_sync_domain;
  wanted.loop = loop_shape();
  wanted.may_launch_itself = options.loop == GraphLoop::Auto;
  const LoopRound round = round_of(region().graph());
  wanted.unroll = round.iterations;
  wanted.nodes_of_round = round.nodes;
  wanted.iteration_of_round = round.longest_iteration;
  wanted.slots = region().options().slots;
  wanted.sleep_interval = sleep_interval_.value_or(options.sleep_interval);
  wanted.pause = options.pause;
  wanted.iteration_timeout = options.iteration_timeout;
  wanted.instrument_every = options.instrument_every;
  wanted.sync_with_host = options.sync_with_host;
  const auto port = [&](BufferId id) {
    return DeviceLoopPort{region().buffers.at(id).begin, region().buffers.at(id).bytes};
  };
  wanted.ready = takes_any() ? GraphReady::Any : GraphReady::All;
  wanted.doorbells = region().graph().handlers.size();
  wanted.parameters = region().buffers.parameter_ranges(region().program.running());
  for (const BufferId input : region().program.running().inputs) {
    wanted.inputs.push_back(port(input));
  }
  if (options.host_driven) {
    wanted.inputs.emplace_back();  // only counted
  }
  for (const BufferId output : region().program.running().outputs) {
    wanted.outputs.push_back(port(output));
  }
  return wanted;
}

void ResidentRunner::make_graph() {
  if (DeviceEngine::get().tools().loads_kernels_late()) {
    log_warning(
        "CUDA loads kernels when they are first launched in this process, and may wait for "
        "the end of this loop then; start the program with CUDA_MODULE_LOADING=EAGER");
  }
  next_loop_ = DeviceEngine::get().make_loop(loop_options());
  region().capture.add_all(*next_loop_);
  const std::vector<DeviceNode>& wanted = region().program.wanted().nodes;
  for (NodeId node = 0; node < wanted.size(); ++node) {
    if (!wanted[node].enabled) {
      region().capture.replace(node, false, *next_loop_);
    }
  }
  next_loop_->instantiate();
  if (!settings().dot_file.empty()) {
    next_loop_->write_dot(settings().dot_file);
  }
}

}  // namespace gxr
