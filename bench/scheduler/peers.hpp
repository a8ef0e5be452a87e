#pragma once

#include <cstdint>

namespace gxr::bench {

/// The least that passing messages along can cost: `forwards` + 1 queues of one pointer each,
/// scanned in order by one loop without any framework. Returns seconds for `messages` messages.
double ring_floor_seconds(int forwards, std::int64_t messages);

/// The same chain as oneTBB flow-graph nodes, one token in flight per node. Returns seconds, or a
/// negative number when built without TBB.
double tbb_chain_seconds(int forwards, std::int64_t messages);

}  // namespace gxr::bench
