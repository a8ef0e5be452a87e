#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "gxr/controller.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/gxr.hpp"

namespace gxr::behavior_tree {

/// Repeats its entity's failures some times before one counts, and says how its runs ended: a run
/// lasts from the first tick after its start to the tick that neither goes on nor is repeated. Then
/// the BTSchedulingTerms of the entity are set NEVER, and READY the term that waits for the end.
class EntityCountFailureRepeatController final : public Controller {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  Decision control(Result result) override;

  /// Runs that are over, and how the last one ended; Unknown when it was broken off. Callable from
  /// any thread.
  struct Outcome {
    std::uint32_t runs = 0;
    Behavior last = Behavior::Initial;
  };
  [[nodiscard]] Outcome outcome() const noexcept;
  /// Sets the term of the parent, which is READY again when a run ends; nullptr for none, and
  /// when the call has returned, the term before is left alone. Callable from any thread.
  void wake(BTSchedulingTerm* parent);

  /// A node that this one runs.
  struct Child {
    BTSchedulingTerm* term;
    EntityCountFailureRepeatController* controller;  // nullptr: one of another type
  };
  /// Says which nodes are broken off with this one.
  void set_children(std::vector<Child> children);
  /// Ends the run that goes on without a result, and those of all nodes below. Callable from any
  /// thread.
  void break_off();

 private:
  Decision fail();
  void end_run(Behavior behavior);
  void count_run(Behavior behavior);
  void set_terms(ConditionType condition);

  Parameter<std::size_t> max_repeat_count_;
  Parameter<bool> return_behavior_running_if_failure_repeat_;

  std::size_t failures_ = 0;               // of the run that goes on
  std::atomic<std::uint64_t> outcome_{0};  // runs x 2^8 + Behavior
  std::mutex
      mutex_;  // guards the members below, and who writes outcome_; parents' before children's
  BTSchedulingTerm* parent_ = nullptr;
  std::vector<Child> children_;
};

}  // namespace gxr::behavior_tree
