#include "leaves.hpp"

#include <limits>

namespace gxr::behavior_tree {
namespace {

constexpr std::size_t kSuccess = 0;
constexpr std::size_t kRunning = 2;

/// Seconds as ns, saturated.
std::int64_t nanoseconds(double seconds) noexcept {
  const double ns = seconds * 1e9;
  return ns >= 9.2e18 ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(ns);
}

std::int64_t later(std::int64_t time, std::int64_t duration) noexcept {
  std::int64_t sum = 0;
  return __builtin_add_overflow(time, duration, &sum) ? std::numeric_limits<std::int64_t>::max()
                                                      : sum;
}

}  // namespace

void ConstantBehavior::declare(Interface& interface) {
  interface.parameter(s_term_, "s_term", "BTSchedulingTerm of the node's own entity");
  interface.parameter(constant_status_, "constant_status", "How the node ends",
                      "0: it succeeds. Any other number: it fails.");
}

void ConstantBehavior::tick() {
  if (*constant_status_ != kSuccess) {
    throw Error("fails, as its parameter 'constant_status' says");
  }
  s_term_->set_condition(ConditionType::Never);
}

void TimerBehavior::declare(Interface& interface) {
  interface.parameter(s_term_, "s_term", "BTSchedulingTerm of the node's own entity");
  interface.parameter(clock_, "clock", "Clock that measures the time");
  interface.parameter(switch_status_, "switch_status", "How the node ends when the time is over",
                      "0: it succeeds. 1: it fails. 2: it does not end. Any other number: it "
                      "fails.");
  interface.parameter(delay_, "delay", "How long it runs").minimum(0).unit("s");
}

void TimerBehavior::start() {
  own_.attach(*this);
  end_.reset();
}

void TimerBehavior::tick() {
  if (own_.is_new()) {
    end_.reset();  // the run before was broken off
  }
  const std::int64_t left = remaining();
  if (left <= 0) {
    end();
    return;
  }
  s_term_->set_condition(ConditionType::WaitTime, later(context().clock_time(), left));
  if (own_.is_broken_off()) {
    s_term_->set_condition(ConditionType::Never);
  }
  throw Error(ErrorCode::NotFinished, "its time is not over");
}

std::int64_t TimerBehavior::remaining() {
  const std::int64_t now = clock_->timestamp();
  if (!end_) {
    end_ = later(now, nanoseconds(*delay_));
  }
  return *end_ - now;
}

void TimerBehavior::end() {
  if (*switch_status_ == kRunning) {
    s_term_->set_condition(ConditionType::Wait);
    throw Error(ErrorCode::NotFinished, "runs for ever, as its parameter 'switch_status' says");
  }
  end_.reset();
  if (*switch_status_ != kSuccess) {
    s_term_->set_condition(ConditionType::Ready);  // the controller may want a repetition
    throw Error("fails, as its parameter 'switch_status' says");
  }
  s_term_->set_condition(ConditionType::Never);
}

}  // namespace gxr::behavior_tree
