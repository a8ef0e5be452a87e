#pragma once

#include <functional>
#include <vector>

/// What a stream of the simulated GPU is while it is captured: functions that a loop calls in each
/// iteration, in this order.
struct CUstream_st {
  std::vector<std::function<void()>> calls;
};
