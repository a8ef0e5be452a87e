#include "executors/cuda_graph/region_operators.hpp"

#include "gxr/codelet.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

RegionOperators::RegionOperators(const GraphRegion& region, Instance& instance)
    : region_(region), instance_(instance) {
  for (const GraphStep& step : region.steps) {
    Component& codelet = instance.component(step.codelet);
    codelets_.push_back(&codelet);
    operators_.push_back(&dynamic_cast<GraphOperator&>(codelet));
  }
}

void RegionOperators::refresh(StepId step) {
  codelets_[step] = &instance_.component(region_.steps[step].codelet);
  operators_[step] = &dynamic_cast<GraphOperator&>(*codelets_[step]);
}

const std::string& RegionOperators::entity(StepId step) const {
  return instance_.graph().entities[region_.steps[step].entity].name;
}

void RegionOperators::start(std::int64_t now) {
  for (StepId step = 0; step < count(); ++step) {
    auto& codelet = dynamic_cast<Codelet&>(this->codelet(step));
    EngineAccess::begin_transition(codelet, now);
    guarded(site(step, "start"), [&] { codelet.start(); });
    ++started_;
  }
}

void RegionOperators::stop(std::int64_t now, std::vector<Failure>& failures) {
  while (started_ > 0) {
    const auto step = static_cast<StepId>(--started_);
    auto& codelet = dynamic_cast<Codelet&>(this->codelet(step));
    EngineAccess::begin_transition(codelet, now);
    attempt_stop(site(step, "stop"), failures, [&] { codelet.stop(); });
  }
}

}  // namespace gxr
