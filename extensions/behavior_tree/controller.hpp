#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

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

  /// Runs that have ended, and how the last one did. Callable from any thread.
  struct Outcome {
    std::uint32_t runs = 0;
    Behavior last = Behavior::Initial;
  };
  [[nodiscard]] Outcome outcome() const noexcept;
  /// Sets the term of the parent, which is READY again when a run ends; nullptr for none, and
  /// when the call has returned, the term before is left alone. Callable from any thread.
  void wake(BTSchedulingTerm* parent);

 private:
  Decision fail();
  void end_run(Behavior behavior);

  Parameter<std::size_t> max_repeat_count_;
  Parameter<bool> return_behavior_running_if_failure_repeat_;

  std::size_t failures_ = 0;               // of the run that goes on
  std::atomic<std::uint64_t> outcome_{0};  // runs x 2^8 + Behavior
  std::mutex mutex_;                       // guards parent_, and its use
  BTSchedulingTerm* parent_ = nullptr;
};

}  // namespace gxr::behavior_tree
