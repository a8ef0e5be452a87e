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
  interface.switches_ticks("enable_tick");
}

void BooleanSchedulingTerm::initialize() {
  told_ = *enable_tick_;
  if (!decided_.load(std::memory_order_acquire)) {
    enabled_.store(*enable_tick_, std::memory_order_release);
  }
}

Condition BooleanSchedulingTerm::check(std::int64_t now) {
  if (told_ != *enable_tick_) {  // the program has set the parameter
    told_ = *enable_tick_;
    target_.store(kAtOnce, std::memory_order_release);
    enabled_.store(told_, std::memory_order_release);
  }
  if (!tick_enabled()) {
    return {ConditionType::Never, 0};
  }
  const std::int64_t target = target_.load(std::memory_order_acquire);
  if (target > now) {
    return {ConditionType::WaitTime, target};
  }
  return {ConditionType::Ready, 0};
}

void BooleanSchedulingTerm::events(TermEvents& events) { events.notification(); }

void BooleanSchedulingTerm::set(bool enabled, std::int64_t target) {
  decided_.store(true, std::memory_order_release);
  target_.store(target, std::memory_order_release);
  enabled_.store(enabled, std::memory_order_release);
  context().notify(*this);
}

void BooleanSchedulingTerm::enable_tick() { set(true, kAtOnce); }
void BooleanSchedulingTerm::disable_tick() { set(false, kAtOnce); }
void BooleanSchedulingTerm::enable_tick_at(std::int64_t target) { set(true, target); }

}  // namespace gxr
