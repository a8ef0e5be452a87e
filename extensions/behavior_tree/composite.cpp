#include "composite.hpp"

#include <utility>

namespace gxr::behavior_tree {

void Composite::declare(Interface& interface) {
  interface.parameter(child_terms_, "children",
                      "BTSchedulingTerms of the entities that the node runs");
  interface.parameter(s_term_, "s_term", "BTSchedulingTerm of the node's own entity");
}

void Composite::start() {
  children_.clear();
  for (const Handle<BTSchedulingTerm>& term : *child_terms_) {
    if (term) {
      children_.push_back(make_child(*term));
    }
  }
  own_.attach(*this);
  if (EntityCountFailureRepeatController* own = own_.controller()) {
    std::vector<EntityCountFailureRepeatController::Child> below;
    for (const Child& child : children_) {
      below.push_back({child.term, child.controller});
    }
    own->set_children(std::move(below));
  }
  begun_ = false;
}

Composite::Child Composite::make_child(BTSchedulingTerm& term) const {
  Child child{&term, find_sibling<EntityCountFailureRepeatController>(term), 0, false};
  if (child.controller == nullptr && find_sibling<Controller>(term) == nullptr) {
    throw Error(ErrorCode::InvalidParameter,
                "entity '" + term.entity_name() +
                    "' is a node of a behaviour tree but has no Controller, so that its end would "
                    "not be known: add a gxr::behavior_tree::EntityCountFailureRepeatController");
  }
  return child;
}

void Composite::tick() {
  if (own_.is_new()) {
    end_run();  // the one before was broken off
  }
  const Behavior behavior = run();
  if (own_.is_broken_off()) {
    end_run();
    s_term_->set_condition(ConditionType::Never);
    throw Error(ErrorCode::NotFinished, "its parent has finished it");
  }
  switch (behavior) {
    case Behavior::Success:
      end_run();
      s_term_->set_condition(ConditionType::Never);
      return;
    case Behavior::Failure:
      end_run();
      s_term_->set_condition(ConditionType::Ready);  // the controller may want a repetition
      throw Error("its behaviour failed");
    default:
      throw Error(ErrorCode::NotFinished, "its behaviour is running");
  }
}

Behavior Composite::run() {
  // Before the children are looked at: one that ends from here on sets it READY again. Only the
  // usual controller does so; with others the node asks again and again.
  bool is_woken = true;
  for (const Child& child : children_) {
    is_woken = is_woken && child.controller != nullptr;
  }
  s_term_->set_condition(is_woken ? ConditionType::Wait : ConditionType::Ready);
  try {
    if (!begun_) {
      begun_ = true;
      begin();
    }
    return proceed();
  } catch (...) {
    end_run();
    s_term_->set_condition(ConditionType::Ready);
    throw;
  }
}

void Composite::stop() { end_run(); }

void Composite::start_child(std::size_t index) {
  Child& child = children_[index];
  if (child.controller != nullptr) {
    child.controller->wake(s_term_.get().get());
    child.runs = child.controller->outcome().runs;
  }
  child.started = true;
  child.term->set_condition(ConditionType::Ready);
}

Behavior Composite::result(std::size_t index) const {
  const Child& child = children_[index];
  Behavior behavior = Behavior::Running;
  if (child.controller == nullptr) {
    behavior = context().behavior(child.term->entity_id());
  } else if (const auto outcome = child.controller->outcome(); outcome.runs != child.runs) {
    behavior = outcome.last;
  }
  return behavior == Behavior::Success || behavior == Behavior::Failure ? behavior
                                                                        : Behavior::Running;
}

void Composite::finish(const Child& child) {
  if (child.controller != nullptr) {
    child.controller->break_off();
  } else {
    child.term->set_condition(ConditionType::Never);
  }
}

void Composite::end_run() {
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    if (!child.started) {
      continue;
    }
    if (child.controller != nullptr) {
      child.controller->wake(nullptr);  // so that nobody starts this node again
    }
    if (result(i) == Behavior::Running) {
      finish(child);
    }
    child.started = false;
  }
  begun_ = false;
}

}  // namespace gxr::behavior_tree
