#pragma once

#include "executors/parallel/parallel_jobs.hpp"

namespace gxr {

/// Would its messages find a queue full that another job is about to empty? An entity without a
/// term for the room behind it would lose them only because of the order in which jobs are run.
/// Where a fault is what follows it also waits for the consumer's tick. A message is held back for
/// a second at most, since a consumer may wait for something else.
[[nodiscard]] bool gives_way(ParallelJob& job);

}  // namespace gxr
