#include "executors/cuda_graph/resident_changes.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "executors/cuda_graph/resident_ending.hpp"
#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_measures.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "executors/cuda_graph/resident_watch.hpp"

namespace gxr {

/// Nothing is switched off in a loop but by another capture.
std::vector<NodeId> ResidentRunner::Changes::nodes_to_replace() const {
  return runner_.region().program.nodes_to_replace([](NodeId /*node*/) { return false; });
}

bool ResidentRunner::Changes::has_new() const {
  return runner_.session_.accepts() &&
         (runner_.region().program.has_news() || runner_.region().program.may_have_edits() ||
          runner_.region().exchanges.is_due());
}

bool ResidentRunner::Changes::must_end() const {
  return runner_.region().exchanges.is_due() || runner_.region().program.must_rebuild() ||
         !nodes_to_replace().empty();
}

void ResidentRunner::Changes::take() {
  if (!has_new()) {
    return;
  }
  RegionProgram& program = runner_.region().program;
  program.want(program.take());
  if (must_end()) {
    ask();
    return;
  }
  const bool sets = program.has_new_parameters();
  if (sets) {
    runner_.loop_->control().set_parameters(RegionBuffers::parameters_of(program.wanted()));
    ++parameter_sets_;
  }
  runner_.tell_edits(runner_.region().program.edits_text(),
                     to_text(sets ? EditCost::Parameters : EditCost::Nothing));
  runner_.settle();
}

void ResidentRunner::Changes::take_shapes(const std::vector<Message>& messages) {
  RegionProgram& program = runner_.region().program;
  runner_.region().shapes.want(messages, program.take(), program);
  ask();
}

void ResidentRunner::Changes::ask() {
  runner_.session_.on(SessionEvent::ChangeAsked);
  change_at_ = last_iteration();
  runner_.news_.concern_from(std::min(change_at_, runner_.news_.concerns_from()));
}

/// The iterations behind which nodes are replaced.
std::uint64_t ResidentRunner::Changes::last_iteration() {
  const InputAccount& given = runner_.inlets_->account();
  if (!runner_.region().ports.inputs().empty() || runner_.region().options().host_driven) {
    return std::min(given.limit(), given.iterations_told());
  }
  // It works on by itself: soon an iteration is the last one.
  runner_.loop_->control().set_limit(0);
  runner_.ending_->require_end();
  return runner_.loop_->control().finished();
}

std::uint64_t ResidentRunner::Changes::stands_at() const noexcept {
  return runner_.session_.changes() ? change_at_ : kEndless;
}

bool ResidentRunner::Changes::can_go_on(std::uint64_t finished) const noexcept {
  return finished >= stands_at() && runner_.outlets_->account().has_all(finished);
}

/// All that it was given has been worked on and published. No other thread may tell the loop
/// anything meanwhile.
void ResidentRunner::Changes::go_on() {
  DeviceLoop& loop = *runner_.loop_;
  loop.control().set_limit(change_at_);
  runner_.ending_->require_end();
  runner_.session_.on(SessionEvent::LoopEnded);
  runner_.finish_copies();
  runner_.hide();
  RegionProgram& program = runner_.region().program;
  program.want(program.take());
  const std::uint64_t done = loop.control().finished();
  const std::uint64_t limit = runner_.inlets_->account().limit();
  if (done >= limit) {
    runner_.tell_edits(program.edits_text(),
                       to_text(EditCost::Nothing) + ", that was the last iteration");
    runner_.session_.on(SessionEvent::LimitReached);
    runner_.region().exchanges.refuse();
    return;
  }
  has_measures_ = true;
  if (!runner_.region().exchanges.run([&] { apply(done); })) {
    apply(done);
  }
  runner_.loop_->launch_from(done, limit);
  runner_.show_loop();
  runner_.session_.on(SessionEvent::Launched);
  runner_.inlets_->give_held();
  if (runner_.region().options().host_driven) {
    runner_.inlets_->give_rings();
  }
  runner_.watch_->go_on();
  runner_.news_.concern_from(runner_.inlets_->first_news());
}

/// The loop does not run, with so many iterations done.
void ResidentRunner::Changes::apply(std::uint64_t done) {
  RegionProgram& program = runner_.region().program;
  const std::string edits = program.edits_text();
  ++instantiations_;
  if (program.must_rebuild()) {
    try {
      runner_.rebuild();
    } catch (...) {
      runner_.next_loop_.reset();  // what there is of it
      throw;
    }
    keep_measures();
    runner_.replace_loop();
  } else {
    replace_nodes();
  }
  runner_.settle();
  runner_.tell_edits(edits, to_text(EditCost::Restart) + " at iteration " + std::to_string(done));
}

/// Those of the launch that has ended, before its loop or the nodes in it go.
void ResidentRunner::Changes::keep_measures() {
  if (std::exchange(has_measures_, false)) {
    runner_.measures_->keep();
  }
}

void ResidentRunner::Changes::replace_nodes() {
  DeviceLoop& loop = *runner_.loop_;
  const RegionProgram& program = runner_.region().program;
  for (const NodeId node : nodes_to_replace()) {
    runner_.region().capture.replace(node, program.wanted().nodes[node].enabled, loop);
  }
  keep_measures();
  runner_.region().buffers.write_parameters(program.wanted());
  loop.instantiate();
}

}  // namespace gxr
