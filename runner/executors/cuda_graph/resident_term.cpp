#include "executors/cuda_graph/resident_term.hpp"

#include "executors/cuda_graph/resident_changes.hpp"
#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_lateness.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "executors/cuda_graph/resident_watch.hpp"
#include "observe/chaos.hpp"

namespace gxr {

bool ResidentRunner::Term::is_urgent() {
  const std::lock_guard guard(runner_.mutex_);
  return runner_.loop_ != nullptr && has_to_act(runner_.loop_->control().finished());
}

void ResidentRunner::Term::announce_urgent_tick() {
  const std::lock_guard guard(runner_.mutex_);
  runner_.acts_ = true;
}

Condition ResidentRunner::Term::check(std::int64_t /*now*/) {
  const std::lock_guard guard(runner_.mutex_);
  if (runner_.loop_ == nullptr) {
    return {runner_.inlets_->has_first() ? ConditionType::Ready : ConditionType::Wait, 0};
  }
  // Read once: the poller tells what happens from now on.
  const std::uint64_t finished = runner_.loop_->control().finished();
  chaos();
  if (has_to_act(finished) || has_to_pass(finished)) {
    return {ConditionType::Ready, 0};
  }
  const bool is_over = finished >= runner_.inlets_->account().limit();
  if (is_over && !runner_.session_.was_torn_down()) {
    return {ConditionType::Never, 0};
  }
  return {awaits_outside(finished) ? ConditionType::WaitEvent : ConditionType::Wait, 0};
}

bool ResidentRunner::Term::has_to_act(std::uint64_t finished) const {
  return runner_.news_.is_reminded() || runner_.changes_->has_new() ||
         runner_.changes_->can_go_on(finished) || runner_.lateness_->must_update(finished);
}

/// Is a message to be given to the loop, or a result to be published?
bool ResidentRunner::Term::has_to_pass(std::uint64_t finished) const {
  return runner_.inlets_->can_accept(finished) ||
         runner_.outlets_->account().can_publish(finished) ||
         runner_.lateness_->can_do_without(finished);
}

/// May something happen that no message tells?
bool ResidentRunner::Term::awaits_outside(std::uint64_t finished) const {
  const ResidentSession& session = runner_.session_;
  return finished < runner_.busy_until(finished) || runner_.region().options().host_driven ||
         session.was_torn_down() || session.was_told_to_end() ||
         (runner_.watch_->has_timeout() && session.runs()) || runner_.lateness_->have_time();
}

void ResidentRunner::Term::events(TermEvents& events) {
  for (Receiver* receiver : runner_.region().ports.receivers()) {
    events.message(*receiver);
  }
  events.notification();
}

std::string ResidentRunner::Term::explain() const {
  for (const Receiver* receiver : runner_.region().ports.receivers()) {
    if (receiver->size() + receiver->back_size() == 0) {
      return "waits for 1 message on '" + receiver->full_name() + "' (has 0)";
    }
  }
  return "waits for the GPU";
}

}  // namespace gxr
