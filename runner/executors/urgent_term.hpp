#pragma once

#include "gxr/scheduling_term.hpp"

namespace gxr {

/// A scheduling term of a codelet that also has to act while other terms of its entity wait: to
/// tell a failure for which no message will ever come, or to end something.
class UrgentTerm : public SchedulingTerm {
 public:
  /// Has the codelet to tick at once, whatever the terms of its entity say? Such a tick takes no
  /// messages and publishes none, and counts for no term; the terms are asked again behind it. True
  /// until a tick has done what there is. Changes nothing, as check() does.
  [[nodiscard]] virtual bool is_urgent() = 0;
  /// The next tick is such a one, although the answer may be another by then. The executor says so
  /// right before the tick.
  virtual void announce_urgent_tick() {}
};

}  // namespace gxr
