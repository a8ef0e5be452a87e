// Behaviour trees: GXF's nodes under this project's names and GXF's, with GXF's ids.

#include <string>
#include <string_view>

#include "composites.hpp"
#include "controller.hpp"
#include "gxr/gxr.hpp"
#include "leaves.hpp"

namespace {

using namespace gxr;
using namespace gxr::behavior_tree;

template <class T, class Base>
void add(Extension& extension, TypeId id, std::string_view headline) {
  constexpr std::string_view own = "gxr::behavior_tree::";
  extension.add<T, Base>(headline)
      .alias("nvidia::gxf::" + std::string(type_name<T>().substr(own.size())))
      .id(id.hash1, id.hash2);
}

}  // namespace

extern "C" void gxr_extension(gxr::Extension& e) {
  add<EntityCountFailureRepeatController, Controller>(e, {0x1f68ff76e5b8414f, 0xab5c8cef935d81c7},
                                                      "Repeats failures of a node some times");
  add<SequenceBehavior, Codelet>(e, {0x9e610c81e3074654, 0x8d73c3405050cea7},
                                 "Runs nodes one after the other until one fails");
  add<SelectorBehavior, Codelet>(e, {0x1f5efe9768a54a91, 0x899037c0a222646f},
                                 "Runs nodes one after the other until one succeeds");
  add<ParallelBehavior, Codelet>(e, {0xdc48e75e5c7648a1, 0xb22bc2b81d83a7b6},
                                 "Runs nodes at once until enough have succeeded or failed");
  add<SwitchBehavior, Codelet>(e, {0xfbaafbf2644c4f49, 0xa398463215f54474},
                               "Runs one of several nodes");
  add<RepeatBehavior, Codelet>(e, {0x9d035af9a33e447c, 0xa6ddc67b1d8ce687},
                               "Runs a node again and again");
  add<ConstantBehavior, Codelet>(e, {0x11ae05e575a54246, 0x8a04ef37d45419ab},
                                 "Ends at once, always in the same way");
  add<TimerBehavior, Codelet>(e, {0x23cc558577084b93, 0x83798b46c3ab56d5},
                              "Runs for some time, then ends as told");
}
