#include "composites.hpp"

#include <string>

namespace gxr::behavior_tree {

void SequenceBehavior::begin() {
  current_ = 0;
  if (size() > 0) {
    start_child(0);
  }
}

Behavior SequenceBehavior::proceed() {
  while (current_ < size()) {
    const Behavior behavior = result(current_);
    if (behavior != Behavior::Success) {
      return behavior;
    }
    if (++current_ < size()) {
      start_child(current_);
    }
  }
  return Behavior::Success;
}

void SelectorBehavior::begin() {
  current_ = 0;
  if (size() > 0) {
    start_child(0);
  }
}

Behavior SelectorBehavior::proceed() {
  while (current_ < size()) {
    const Behavior behavior = result(current_);
    if (behavior != Behavior::Failure) {
      return behavior;
    }
    if (++current_ < size()) {
      start_child(current_);
    }
  }
  return Behavior::Failure;
}

void ParallelBehavior::declare(Interface& interface) {
  Composite::declare(interface);
  interface
      .parameter(success_threshold_, "success_threshold",
                 "Children that must succeed for the node to succeed", "-1: all.")
      .minimum(-1)
      .unit("children");
  interface
      .parameter(failure_threshold_, "failure_threshold",
                 "Children that must fail for the node to fail",
                 "-1: all. When all have ended and neither number is reached, the node fails too.")
      .minimum(-1)
      .unit("children");
}

std::size_t ParallelBehavior::threshold(std::int64_t parameter) const noexcept {
  return parameter < 0 ? size() : static_cast<std::size_t>(parameter);
}

void ParallelBehavior::begin() {
  for (std::size_t i = 0; i < size(); ++i) {
    start_child(i);
  }
}

Behavior ParallelBehavior::proceed() {
  std::size_t successes = 0;
  std::size_t failures = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const Behavior behavior = result(i);
    successes += behavior == Behavior::Success ? 1U : 0U;
    failures += behavior == Behavior::Failure ? 1U : 0U;
  }
  if (size() == 0 || successes >= threshold(*success_threshold_)) {
    return Behavior::Success;
  }
  if (failures >= threshold(*failure_threshold_) || successes + failures == size()) {
    return Behavior::Failure;
  }
  return Behavior::Running;
}

void SwitchBehavior::declare(Interface& interface) {
  Composite::declare(interface);
  interface
      .parameter(desired_behavior_, "desired_behavior", "Number of the child to run, from 0",
                 "Read when the node starts.")
      .dynamic();
}

void SwitchBehavior::begin() {
  chosen_ = *desired_behavior_;
  if (chosen_ >= size()) {
    throw Error(ErrorCode::OutOfRange, "desired_behavior is " + std::to_string(chosen_) +
                                           ", but there are only " + std::to_string(size()) +
                                           " children, counted from 0");
  }
  start_child(chosen_);
}

Behavior SwitchBehavior::proceed() { return result(chosen_); }

void RepeatBehavior::declare(Interface& interface) {
  Composite::declare(interface);
  interface.parameter(repeat_after_failure_, "repeat_after_failure",
                      "Whether the child is started again when it failed, not only when it "
                      "succeeded");
}

void RepeatBehavior::begin() {
  if (size() == 1) {
    start_child(0);
  }
}

Behavior RepeatBehavior::proceed() {
  if (size() != 1) {
    return Behavior::Success;
  }
  const Behavior behavior = result(0);
  if (behavior == Behavior::Failure && !*repeat_after_failure_) {
    return Behavior::Failure;
  }
  if (behavior != Behavior::Running) {
    start_child(0);
  }
  return Behavior::Running;
}

}  // namespace gxr::behavior_tree
