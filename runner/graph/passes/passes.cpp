#include "graph/passes/passes.hpp"

namespace gxr {
namespace {

constexpr Pass kPasses[] = {
    {"schedulers", passes::schedulers},
    {"clocks", passes::clocks},
    {"threads", passes::threads},
    {"never ticks", passes::never_ticks},
    {"cycles", passes::cycles},
    {"behavior trees", passes::behavior_trees},
    {"unconnected", passes::unconnected},
    {"outside queues", passes::outside_queues},
    {"not waited for", passes::not_waited_for},
    {"room not waited for", passes::room_not_waited_for},
    {"too many publishes", passes::too_many_publishes},
    {"policy without effect", passes::policy_without_effect},
    {"never read", passes::never_read},
    {"ports", passes::ports},
    {"duplicate components", passes::duplicate_components},
    {"placements", passes::placements},
};

}  // namespace

std::span<const Pass> validation_passes() { return kPasses; }

}  // namespace gxr
