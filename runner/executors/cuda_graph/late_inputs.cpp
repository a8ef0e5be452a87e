#include "executors/cuda_graph/late_inputs.hpp"

namespace gxr {

/// Does the time run while no input has a message? Whoever makes messages of nothing would never
/// end.
bool LateInputs::counts_without_any() const noexcept {
  return policy_ == MissingData::Wait || policy_ == MissingData::Fault;
}

bool LateInputs::look(bool has_room, std::size_t with, std::size_t inputs, Clock::time_point now) {
  const bool has_some = with > 0;
  if (!has_room || with == inputs || (has_some && policy_ == MissingData::Hold && !has_given_)) {
    since_ = kNever;
    has_some_ = false;
  } else if (has_some && !has_some_) {
    since_ = now;
    has_some_ = true;
  } else if (!has_some && counts_without_any() && since_ == kNever) {
    since_ = now;
  }
  const bool was_all = was_counted_ && policy_ == MissingData::Wait;
  due_at_ = since_ == kNever || was_all ? kNever : since_ + timeout_;
  if (now < due_at_) {
    return false;
  }
  times_ += was_counted_ ? 0 : 1;
  was_counted_ = true;
  return policy_ != MissingData::Wait;
}

void LateInputs::given(Clock::time_point now) {
  has_given_ = true;
  has_some_ = false;
  was_counted_ = false;
  since_ = counts_without_any() ? now : kNever;
}

}  // namespace gxr
