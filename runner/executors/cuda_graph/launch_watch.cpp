#include "executors/cuda_graph/launch_watch.hpp"

#include <utility>

#include "gxr/error.hpp"

namespace gxr {

DeviceWork LaunchProgress::poll(Clock::time_point now) {
  const std::uint64_t newest = newest_.load(std::memory_order_acquire);
  if (newest == 0) {
    return {};
  }
  DeviceStream& stream = *stream_.load(std::memory_order_relaxed);
  if (const std::uint64_t done = stream.known_done(); awaited_ <= done) {
    awaited_ = done + 1;
    stands_since_.reset();
  }
  if (awaited_ > newest || stream.is_done(awaited_)) {
    stands_since_.reset();
    return {};
  }
  if (!stands_since_) {
    stands_since_ = now;
  }
  return now - *stands_since_ < longest_ ? DeviceWork{} : DeviceWork{&stream, awaited_};
}

LaunchWatch::LaunchWatch(Poller& poller, const Component& component,
                         std::chrono::nanoseconds longest, Actions actions)
    : poller_(poller), component_(component), progress_(longest), actions_(std::move(actions)) {
  poller_.add(*this);
}

LaunchWatch::~LaunchWatch() { poller_.remove(*this); }

void LaunchWatch::remind() noexcept {
  if (has_tripped()) {
    return;
  }
  try {
    const DeviceWork work = progress_.poll(LaunchProgress::Clock::now());
    if (work) {
      actions_.note();
      tripped_.store(true, std::memory_order_release);
      component_.context().notify(component_);
      actions_.give_up(work);
    }
  } catch (const Error&) {
    return;  // the device has failed: those that wait for the work are told
  }
}

}  // namespace gxr
