#include "executors/cuda_graph/late_inputs.hpp"

namespace gxr {

/// Does the time run while no input has a message? A loop that makes messages of nothing would
/// never end.
bool LateInputs::counts_without_any() const noexcept {
  return policy_ == MissingData::Wait || policy_ == MissingData::Fault;
}

LateInputs::State LateInputs::after(const Seen& seen, Clock::time_point now) const noexcept {
  State next = state_;
  const bool has_some = seen.with > 0;
  const bool has_nothing_to_hold = has_some && policy_ == MissingData::Hold && !has_given_;
  if (!seen.has_room || seen.with == seen.inputs || has_nothing_to_hold) {
    next.since = kNever;
    next.has_some = false;
  } else if (has_some && !state_.has_some) {
    next.since = now;
    next.has_some = true;
  } else if (!has_some && counts_without_any() && state_.since == kNever) {
    next.since = now;
  }
  const bool was_all = state_.was_counted && policy_ == MissingData::Wait;
  next.due_at = next.since == kNever || was_all ? kNever : next.since + timeout_;
  next.was_counted = state_.was_counted || now >= next.due_at;
  return next;
}

bool LateInputs::would_change(const Seen& seen, Clock::time_point now) const noexcept {
  return after(seen, now) != state_;
}

bool LateInputs::is_late(const Seen& seen, Clock::time_point now) const noexcept {
  return policy_ != MissingData::Wait && now >= after(seen, now).due_at;
}

void LateInputs::update(const Seen& seen, Clock::time_point now) noexcept {
  const State next = after(seen, now);
  times_ += next.was_counted && !state_.was_counted ? 1 : 0;
  state_ = next;
}

void LateInputs::given(Clock::time_point now) noexcept {
  has_given_ = true;
  state_.has_some = false;
  state_.was_counted = false;
  state_.since = counts_without_any() ? now : kNever;
}

}  // namespace gxr
