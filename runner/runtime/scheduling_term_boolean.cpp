#include "gxr/scheduling_term.hpp"

namespace gxr {

BooleanSchedulingTerm::~BooleanSchedulingTerm() = default;

void BooleanSchedulingTerm::declare(Interface& interface) {
  interface
      .parameter(enable_tick_, "enable_tick", "Whether the entity may tick",
                 "Switched off, the entity has finished; a component can switch it on and off while "
                 "the application runs.")
      .default_value(true)
      .dynamic();
}

void BooleanSchedulingTerm::initialize() {
  enabled_.store(*enable_tick_, std::memory_order_release);
}

Condition BooleanSchedulingTerm::check(std::int64_t) {
  return {tick_enabled() ? ConditionType::Ready : ConditionType::Never, 0};
}

void BooleanSchedulingTerm::events(TermEvents& events) { events.notification(); }

void BooleanSchedulingTerm::enable_tick() {
  enabled_.store(true, std::memory_order_release);
  context().notify(*this);
}

void BooleanSchedulingTerm::disable_tick() {
  enabled_.store(false, std::memory_order_release);
  context().notify(*this);
}

}  // namespace gxr
