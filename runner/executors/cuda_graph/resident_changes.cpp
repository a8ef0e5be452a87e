#include "executors/cuda_graph/resident_changes.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "executors/cuda_graph/resident_ending.hpp"
#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_measures.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "executors/cuda_graph/resident_watch.hpp"

namespace gxr {

/// Nothing is switched off in a loop but by another capture.
std::vector<NodeId> ResidentRunner::Changes::nodes_to_replace() const {
  return runner_.program().nodes_to_replace([](NodeId /*node*/) { return false; });
}

bool ResidentRunner::Changes::has_new() const {
  return runner_.session_.accepts() &&
         (runner_.program().has_news() || runner_.program().may_have_edits());
}

void ResidentRunner::Changes::take() {
  if (!has_new()) {
    return;
  }
  RegionProgram& program = runner_.program();
  program.want(program.take());
  if (nodes_to_replace().empty()) {
    const bool sets = program.has_new_parameters();
    if (sets) {
      runner_.loop_->set_parameters(RegionBuffers::parameters_of(program.wanted()));
      ++parameter_sets_;
    }
    runner_.tell_edits(to_text(sets ? EditCost::Parameters : EditCost::Nothing));
    program.applied();
    return;
  }
  runner_.session_.on(SessionEvent::ChangeAsked);
  change_at_ = last_iteration();
  runner_.news_.concern_from(std::min(change_at_, runner_.news_.concerns_from()));
}

/// The iterations behind which nodes are replaced.
std::uint64_t ResidentRunner::Changes::last_iteration() {
  const InputAccount& given = runner_.inlets_->account();
  if (!runner_.inputs().empty() || runner_.graph().options.host_driven) {
    return std::min(given.limit(), given.iterations_told());
  }
  // It works on without anybody: soon an iteration is the last one.
  runner_.loop_->set_limit(0);
  runner_.ending_->require_end();
  return runner_.loop_->finished();
}

std::uint64_t ResidentRunner::Changes::stands_at() const noexcept {
  return runner_.session_.changes() ? change_at_ : kEndless;
}

bool ResidentRunner::Changes::can_go_on(std::uint64_t finished) const noexcept {
  return finished >= stands_at() && runner_.outlets_->account().has_all(finished);
}

/// All that it was given has been worked on and published. Nobody else may tell the loop anything
/// meanwhile.
void ResidentRunner::Changes::go_on() {
  DeviceLoop& loop = *runner_.loop_;
  loop.set_limit(change_at_);
  runner_.ending_->require_end();
  runner_.session_.on(SessionEvent::LoopEnded);
  runner_.finish_copies();
  RegionProgram& program = runner_.program();
  program.want(program.take());
  for (const NodeId node : nodes_to_replace()) {
    runner_.replace(node, program.wanted().nodes[node].enabled, loop);
  }
  const std::uint64_t done = loop.finished();
  const bool goes_on = done < runner_.inlets_->account().limit();
  runner_.tell_edits(goes_on ? to_text(EditCost::Restart) + " at iteration " + std::to_string(done)
                             : to_text(EditCost::Nothing) + ", that was the last iteration");
  program.applied();
  const std::uint64_t limit = runner_.inlets_->account().limit();
  if (done >= limit) {
    runner_.session_.on(SessionEvent::LimitReached);
    return;
  }
  ++instantiations_;
  runner_.measures_->keep();
  runner_.buffers().write_parameters(program.running());
  loop.instantiate();
  loop.launch_from(done, limit);
  runner_.session_.on(SessionEvent::Launched);
  if (runner_.graph().options.host_driven) {
    runner_.inlets_->give_rings();
  }
  runner_.watch_->go_on();
  runner_.news_.concern_from(runner_.inlets_->first_news());
}

}  // namespace gxr
