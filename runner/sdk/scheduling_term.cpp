#include "gxr/scheduling_term.hpp"

#include <algorithm>

namespace gxr {

TermEvents::~TermEvents() = default;
SchedulingTerm::~SchedulingTerm() = default;

void SchedulingTerm::on_execute(std::int64_t) {}

TermQuestion SchedulingTerm::question() { return {}; }

std::string SchedulingTerm::explain() const { return "'" + full_name() + "' is not ready"; }

Condition both(const Condition& a, const Condition& b) noexcept {
  for (const ConditionType type :
       {ConditionType::Never, ConditionType::WaitEvent, ConditionType::Wait}) {
    if (a.type == type || b.type == type) {
      return {type, 0};
    }
  }
  if (a.type == b.type) {
    return {a.type, std::max(a.target, b.target)};
  }
  return a.type == ConditionType::WaitTime ? a : b;
}

}  // namespace gxr
