#pragma once

#include <cstdint>
#include <vector>

#include "gxr/queue.hpp"
#include "internal_api.hpp"
#include "ranks/rank_plan.hpp"

namespace gxr {

/// The way of messages from the transmitters of one rank to a receiver of another one: a queue on
/// each side, and a credit for each message that the receiving side takes without asking.
struct RankChannel {
  Rank from = 0;
  Rank to = 0;
  std::vector<ComponentId> transmitters;          ///< of the whole application's graph
  ComponentId receiver = kNone;                   ///< likewise
  std::uint64_t credits = 1;                      ///< the receiver's capacity
  OverflowPolicy policy = OverflowPolicy::Fault;  ///< of the queue on the sending side
};

/// All of an application, in an order that is the same on all ranks: the index in it is a channel's
/// number.
GXR_INTERNAL_API std::vector<RankChannel> rank_channels(const RankPlan& plan,
                                                        const TypeCatalog& catalog);

}  // namespace gxr
