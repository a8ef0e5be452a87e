#include "controller.hpp"

#include <utility>

namespace gxr::behavior_tree {
namespace {

constexpr unsigned kBehaviorBits = 8;

}  // namespace

void EntityCountFailureRepeatController::declare(Interface& interface) {
  interface
      .parameter(max_repeat_count_, "max_repeat_count", "Failures that are repeated",
                 "The failure after them ends the entity, without ending the application.")
      .unit("failures");
  interface
      .parameter(
          return_behavior_running_if_failure_repeat_, "return_behavior_running_if_failure_repeat",
          "Whether an entity whose failure is repeated is reported as running, else as failed")
      .default_value(false);
}

void EntityCountFailureRepeatController::initialize() {
  failures_ = 0;
  outcome_.store(0);
  set_children({});
  wake(nullptr);
}

EntityCountFailureRepeatController::Outcome EntityCountFailureRepeatController::outcome()
    const noexcept {
  const std::uint64_t packed = outcome_.load(std::memory_order_acquire);
  return {static_cast<std::uint32_t>(packed >> kBehaviorBits),
          static_cast<Behavior>(packed & ((1U << kBehaviorBits) - 1))};
}

void EntityCountFailureRepeatController::wake(BTSchedulingTerm* parent) {
  const std::lock_guard lock(mutex_);
  parent_ = parent;
}

Controller::Decision EntityCountFailureRepeatController::control(Result result) {
  switch (result) {
    case Result::Success:
      end_run(Behavior::Success);
      return {Behavior::Success, Action::Continue};
    case Result::NotFinished:
      return {Behavior::Running, Action::Continue};
    case Result::Failure:
      break;
  }
  return fail();
}

Controller::Decision EntityCountFailureRepeatController::fail() {
  ++failures_;
  if (failures_ > *max_repeat_count_) {
    end_run(Behavior::Failure);
    return {Behavior::Failure, Action::Deactivate};
  }
  return {*return_behavior_running_if_failure_repeat_ ? Behavior::Running : Behavior::Failure,
          Action::Repeat};
}

void EntityCountFailureRepeatController::end_run(Behavior behavior) {
  failures_ = 0;
  set_terms(ConditionType::Never);
  const std::lock_guard lock(mutex_);
  count_run(behavior);
  if (parent_ != nullptr) {
    parent_->set_condition(ConditionType::Ready);
  }
}

void EntityCountFailureRepeatController::set_children(std::vector<Child> children) {
  const std::lock_guard lock(mutex_);
  children_ = std::move(children);
}

void EntityCountFailureRepeatController::break_off() {
  const std::lock_guard lock(mutex_);
  parent_ = nullptr;
  count_run(Behavior::Unknown);  // before the terms, for a node that is just ticking
  set_terms(ConditionType::Never);
  for (const Child& child : children_) {
    if (child.controller != nullptr) {
      child.controller->break_off();
    } else {
      child.term->set_condition(ConditionType::Never);
    }
  }
}

void EntityCountFailureRepeatController::count_run(Behavior behavior) {
  const std::uint64_t runs = outcome().runs + std::uint64_t{1};
  outcome_.store((runs << kBehaviorBits) | static_cast<std::uint64_t>(behavior),
                 std::memory_order_release);
}

void EntityCountFailureRepeatController::set_terms(ConditionType condition) {
  for (Component* component : context().siblings(*this)) {
    if (auto* term = dynamic_cast<BTSchedulingTerm*>(component)) {
      term->set_condition(condition);
    }
  }
}

}  // namespace gxr::behavior_tree
