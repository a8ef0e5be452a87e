#include "executors/cuda_graph/region_exchanges.hpp"

#include <optional>

#include "gxr/device_runtime.hpp"
#include "runtime/instance.hpp"

namespace gxr {

RegionExchanges::RegionExchanges(const GraphRegion& region, RegionOperators& operators,
                                 RegionProgram& program)
    : region_(region), operators_(operators), program_(program) {}

bool RegionExchanges::run(const std::function<void()>& apply) {
  bool is_applied = false;
  DeviceRuntime::get().use_device(region_.options.device);
  for (const RegionProgram::Task& each : program_.take_tasks()) {
    LiveEntity member;
    member.id = region_.steps[each.step].entity;
    member.graph = &operators_.graph().entities[member.id];
    member.codelets = {static_cast<Codelet*>(&operators_.codelet(each.step))};
    Turn turn{member, {}};
    std::optional<RegionProgram::Wish> before;
    turn.adapt = [&] {
      is_applied = false;
      operators_.refresh(each.step);
      if (before) {
        program_.want_again(*before, each.step);
      } else {
        before = program_.wish();
        program_.want_exchanged(each.step);
      }
      apply();
      is_applied = true;
    };
    each.task->run(turn);
    if (member.broken) {
      throw ComponentFailure(*member.broken);
    }
  }
  return is_applied;
}

void RegionExchanges::refuse() {
  for (const RegionProgram::Task& each : program_.take_tasks()) {
    LiveEntity member;
    member.id = region_.steps[each.step].entity;
    member.graph = &operators_.graph().entities[member.id];
    Turn turn{member, {}, true};
    each.task->run(turn);
  }
}

}  // namespace gxr
