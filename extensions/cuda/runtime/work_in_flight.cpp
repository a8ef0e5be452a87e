#include "work_in_flight.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <cuda_runtime_api.h>

#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

/// While it lives, calls of this thread do not end captures of other threads.
class AnyCaptureGoesOn {
 public:
  AnyCaptureGoesOn() { exchange(); }
  AnyCaptureGoesOn(const AnyCaptureGoesOn&) = delete;
  AnyCaptureGoesOn& operator=(const AnyCaptureGoesOn&) = delete;
  ~AnyCaptureGoesOn() { exchange(); }

 private:
  void exchange() noexcept { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

WorkInFlight::WorkInFlight(const Devices& devices, StreamTable& streams)
    : devices_(devices), streams_(streams) {}

std::vector<UnfinishedWork> WorkInFlight::unfinished(UnfinishedWork::Scope scope) {
  using Of = UnfinishedWork::Of;
  const AnyCaptureGoesOn captures;
  std::vector<UnfinishedWork> unfinished;
  for (RuntimeStream* const stream : streams_.all()) {
    if (const DeviceWork work = stream->oldest_unfinished()) {
      unfinished.push_back({Of::Stream, stream->device(), work, 0});
    }
  }
  if (!add_loops(unfinished) || scope == UnfinishedWork::Scope::Streams) {
    return unfinished;
  }
  for (const int device : devices_.used()) {
    if (const std::optional<std::uint64_t> mark = marks_.unpassed(device)) {
      unfinished.push_back({Of::Device, device, {}, *mark});
    }
  }
  return unfinished;
}

/// False: there are loops, or there may be. While memory is given back, which may take as long as
/// work on the device, no loop runs.
bool WorkInFlight::add_loops(std::vector<UnfinishedWork>& unfinished) {
  const std::unique_lock lock(loops_mutex_, std::try_to_lock);
  if (!lock) {
    return false;
  }
  for (const RunningLoop& each : loops_) {
    const DeviceLoopControl* const loop = each.loop;
    unfinished.push_back({UnfinishedWork::Of::Loop,
                          each.device,
                          {},
                          loop != nullptr ? loop->finished() + loop->heartbeat() : 0});
  }
  return loops_.empty();
}

/// Call with loops_mutex_ held.
bool WorkInFlight::may_wait_for_devices() const noexcept {
  return loops_.empty() && holds_ == 0 && !any_given_up_.load(std::memory_order_acquire);
}

void WorkInFlight::when_may_wait(std::function<void()> call) noexcept {
  forget_what_has_ended();
  const std::lock_guard lock(loops_mutex_);
  if (may_wait_for_devices()) {
    call();
  } else {
    postponed_.push_back(std::move(call));
  }
}

bool WorkInFlight::has_running_loops() const noexcept {
  const std::lock_guard lock(loops_mutex_);
  return !loops_.empty();
}

bool WorkInFlight::has_running_loops_on(int device) const noexcept {
  const std::lock_guard lock(loops_mutex_);
  return std::ranges::any_of(loops_,
                             [&](const RunningLoop& each) { return each.device == device; });
}

void WorkInFlight::loop_began(const DeviceLoopControl& loop, int device) noexcept {
  const std::lock_guard lock(loops_mutex_);
  loops_.push_back({&loop, device});
}

void WorkInFlight::loop_ended(const DeviceLoopControl& loop) noexcept {
  const std::lock_guard lock(loops_mutex_);
  std::erase_if(loops_, [&](const RunningLoop& each) { return each.loop == &loop; });
  catch_up();
}

void WorkInFlight::loop_left(const DeviceLoopControl& loop) noexcept {
  const std::lock_guard lock(loops_mutex_);
  for (RunningLoop& each : loops_) {
    if (each.loop == &loop) {
      each.loop = nullptr;
    }
  }
}

void WorkInFlight::let_frees_go() noexcept {
  forget_what_has_ended();
  const std::lock_guard lock(loops_mutex_);
  --holds_;
  catch_up();
}

/// Call with loops_mutex_ held.
void WorkInFlight::catch_up() noexcept {
  if (!may_wait_for_devices()) {
    return;
  }
  for (const auto& call : postponed_) {
    call();
  }
  postponed_.clear();
}

void WorkInFlight::give_up(const UnfinishedWork& work, const std::string& why) {
  const std::lock_guard lock(given_up_mutex_);
  given_up_.push_back({work, why});
  any_given_up_.store(true, std::memory_order_release);
}

/// Done, or never any more, since its device has failed.
bool WorkInFlight::has_ended(const UnfinishedWork& work) noexcept {
  if (work.of != UnfinishedWork::Of::Stream) {
    return marks_.is_passed(work.device, work.number);
  }
  try {
    return work.work.stream->is_done(work.work.number);
  } catch (const std::exception&) {
    return true;
  }
}

/// When all has, the calls that were put off for it are made.
void WorkInFlight::forget_what_has_ended() noexcept {
  if (!any_given_up_.load(std::memory_order_acquire)) {
    return;
  }
  {
    const std::lock_guard lock(given_up_mutex_);
    std::erase_if(given_up_, [this](const GivenUp& each) { return has_ended(each.work); });
    if (!given_up_.empty()) {
      return;
    }
    any_given_up_.store(false, std::memory_order_release);
  }
  const std::lock_guard lock(loops_mutex_);
  catch_up();
}

/// The text of the first that has not ended; empty: there is none.
std::string WorkInFlight::why_given_up(int device) {
  forget_what_has_ended();
  const std::lock_guard lock(given_up_mutex_);
  const auto found = std::ranges::find_if(
      given_up_, [device](const GivenUp& each) { return each.work.device == device; });
  return found == given_up_.end() ? std::string() : found->why;
}

bool WorkInFlight::is_given_up(int device) noexcept {
  forget_what_has_ended();
  if (!any_given_up_.load(std::memory_order_acquire)) {
    return false;
  }
  const std::lock_guard lock(given_up_mutex_);
  return std::ranges::any_of(given_up_,
                             [device](const GivenUp& each) { return each.work.device == device; });
}

void WorkInFlight::require_in_use(int device) {
  if (any_given_up_.load(std::memory_order_acquire)) {
    if (const std::string why = why_given_up(device); !why.empty()) {
      throw Error(ErrorCode::Device, why);
    }
  }
}

}  // namespace gxr::cuda
