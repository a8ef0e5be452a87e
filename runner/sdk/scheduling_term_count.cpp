#include <limits>

#include "gxr/scheduling_term.hpp"

namespace gxr {

CountSchedulingTerm::~CountSchedulingTerm() = default;

void CountSchedulingTerm::declare(Interface& interface) {
  interface
      .parameter(count_, "count", "Ticks after which the entity has finished",
                 "0: the codelets are started and stopped, but never ticked. Negative: no end.")
      .unit("ticks");
  interface.limits_ticks("count");
}

void CountSchedulingTerm::initialize() {
  remaining_ = *count_ < 0 ? std::numeric_limits<std::int64_t>::max() : *count_;
}

Condition CountSchedulingTerm::check(std::int64_t) {
  return {remaining_ > 0 ? ConditionType::Ready : ConditionType::Never, 0};
}

void CountSchedulingTerm::events(TermEvents&) {}

TermQuestion CountSchedulingTerm::question() { return {.ticks_left = &remaining_}; }

}  // namespace gxr
