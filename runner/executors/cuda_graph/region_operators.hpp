#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gxr/graph_operator.hpp"
#include "gxr/report.hpp"
#include "plan/plan.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// The operators of a region, by StepId: finds, starts and stops them. An exception of an operator
/// is passed on as its ComponentFailure.
class RegionOperators {
 public:
  /// Both must outlive it; the region may get other values in the same place.
  RegionOperators(const GraphRegion& region, Instance& instance);

  [[nodiscard]] std::size_t count() const noexcept { return operators_.size(); }
  [[nodiscard]] GraphOperator& at(StepId step) const { return *operators_[step]; }
  [[nodiscard]] Component& codelet(StepId step) const { return *codelets_[step]; }
  [[nodiscard]] CallSite site(StepId step, std::string_view method) const {
    return instance_.site(codelet(step), method);
  }
  [[nodiscard]] const Graph& graph() const noexcept { return instance_.graph(); }
  /// Another codelet is in the place of a step's.
  void refresh(StepId step);
  /// Entities of the steps.
  [[nodiscard]] const std::string& entity(StepId step) const;

  void start(std::int64_t now);
  /// Those that have started, in reverse order; all are tried.
  void stop(std::int64_t now, std::vector<Failure>& failures);
  /// Those that have started are never stopped: the GPU may still use what they have.
  void leave() noexcept { started_ = 0; }

 private:
  const GraphRegion& region_;
  Instance& instance_;
  std::vector<Component*> codelets_;
  std::vector<GraphOperator*> operators_;
  std::size_t started_ = 0;
};

/// Calls and adds what was thrown to `failures`.
void attempt_stop(const CallSite& site, std::vector<Failure>& failures, const auto& call) {
  try {
    guarded(site, call);
  } catch (const ComponentFailure& failure) {
    failures.push_back(failure.failure());
  }
}

}  // namespace gxr
