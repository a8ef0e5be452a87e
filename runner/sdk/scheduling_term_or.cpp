#include <algorithm>

#include "gxr/scheduling_term.hpp"

namespace gxr {

SchedulingTermCombiner::~SchedulingTermCombiner() = default;
OrSchedulingTermCombiner::~OrSchedulingTermCombiner() = default;

void OrSchedulingTermCombiner::declare(Interface& interface) {
  interface.parameter(terms_, "terms", "Terms of this entity, one of which is enough",
                      "They no longer count on their own.");
}

std::vector<SchedulingTerm*> OrSchedulingTermCombiner::terms() const {
  std::vector<SchedulingTerm*> terms;
  for (const Handle<SchedulingTerm>& term : terms_.get()) {
    if (term.get() != nullptr) {
      terms.push_back(term.get());
    }
  }
  return terms;
}

Condition OrSchedulingTermCombiner::combine(const Condition& a, const Condition& b) const {
  for (const ConditionType type : {ConditionType::Ready, ConditionType::WaitTime}) {
    if (a.type == type && b.type == type) {
      return {type, std::min(a.target, b.target)};
    }
    if (a.type == type || b.type == type) {
      return a.type == type ? a : b;
    }
  }
  for (const ConditionType type : {ConditionType::WaitEvent, ConditionType::Wait}) {
    if (a.type == type || b.type == type) {
      return {type, 0};
    }
  }
  return {ConditionType::Never, 0};
}

}  // namespace gxr
