#include "executors/cuda_graph/launches_in_flight.hpp"

#include <chrono>
#include <thread>

namespace gxr {

void LaunchesInFlight::wait_for_room() const {
  const DeviceWork& oldest = last_[count_ % last_.size()];
  if (!oldest) {
    return;
  }
  // The others keep the GPU busy meanwhile.
  constexpr std::chrono::microseconds kPause{20};
  constexpr int kMostPauses = 1000;
  for (int i = 0; i < kMostPauses && !oldest.stream->is_done(oldest.number); ++i) {
    std::this_thread::sleep_for(kPause);
  }
  oldest.stream->wait_on_host(oldest.number);
}

void LaunchesInFlight::clear() noexcept {
  begin_graph();
  count_ = 0;
}

}  // namespace gxr
