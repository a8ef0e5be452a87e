#include "stream.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "device_guard.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

/// From so many recorded events on, those that have happened are found, to be used again.
constexpr std::size_t kFindFrom = 16;
/// So many are kept for work that is not done. A wait for work whose own event is given up
/// waits for the next one.
constexpr std::size_t kMost = 1024;

/// Between two polls of a thread that waits. CUDA's own calls would not return when a kernel
/// does not end.
class Patience {
 public:
  void wait() {
    const auto now = std::chrono::steady_clock::now();
    if (now - began_ > kLong) {
      std::this_thread::sleep_for(kPause);
    } else if (now - began_ > kShort) {
      std::this_thread::yield();
    }
    is_over_ = now - began_ > kHopeless;
  }
  /// So long that a device that was given up is not waited for.
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }

 private:
  static constexpr std::chrono::microseconds kShort{50};
  static constexpr std::chrono::milliseconds kLong{10};
  static constexpr std::chrono::microseconds kPause{50};
  static constexpr std::chrono::milliseconds kHopeless{100};

  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool is_over_ = false;
};

}  // namespace

RuntimeStream::RuntimeStream(OwnedStream stream, const StreamOptions& options)
    : DeviceStream(stream.get(), options.device,
                   options == StreamOptions{.device = options.device}),
      options_(options),
      stream_(std::move(stream)) {}

RuntimeStream::~RuntimeStream() = default;

std::size_t RuntimeStream::events() const {
  const std::lock_guard lock(mutex_);
  return points_.size() + spare_.size();
}

void RuntimeStream::record() {
  const std::lock_guard lock(mutex_);
  if (!retired_) {
    record_locked();
  }
}

RuntimeStream::Point& RuntimeStream::record_locked() {
  const std::uint64_t number = given();
  if (!points_.empty() && points_.back().number >= number) {
    return points_.back();
  }
  Event event = take_event();
  cuda_check("cudaEventRecord", cudaEventRecord(event.get(), stream_.get()));
  points_.push_back({number, std::move(event)});
  return points_.back();
}

/// An event that has happened, or a new one.
Event RuntimeStream::take_event() {
  if (points_.size() >= kFindFrom) {
    // Of the older half all have happened, or there is too much in flight to tell which.
    const auto middle = points_.begin() + static_cast<std::ptrdiff_t>(points_.size() / 2);
    const cudaError_t state = cudaEventQuery(middle->event.get());
    if (state == cudaSuccess) {
      set_done(middle->number);
      for (auto point = points_.begin(); point <= middle; ++point) {
        spare_.push_back(std::move(point->event));
      }
      points_.erase(points_.begin(), middle + 1);
    } else if (state != cudaErrorNotReady) {
      throw_cuda_error("cudaEventQuery", state);
    } else if (points_.size() >= kMost) {
      Event event = std::move(middle->event);
      points_.erase(middle);
      return event;
    }
  }
  if (!spare_.empty()) {
    Event event = std::move(spare_.back());
    spare_.pop_back();
    return event;
  }
  const DeviceGuard guard(device());
  return make_event();
}

RuntimeStream::Point& RuntimeStream::point_behind(std::uint64_t number) {
  const auto behind =
      std::lower_bound(points_.begin(), points_.end(), number,
                       [](const Point& point, std::uint64_t n) { return point.number < n; });
  return behind != points_.end() ? *behind : record_locked();
}

void RuntimeStream::wait_for(const DeviceWork& work) {
  if (!work || work.stream == this || work.stream->is_known_done(work.number)) {
    return;
  }
  auto& other = static_cast<RuntimeStream&>(*work.stream);
  const std::lock_guard lock(other.mutex_);
  if (!other.retired_ && !retired_) {
    const Point& point = other.point_behind(work.number);
    cuda_check("cudaStreamWaitEvent", cudaStreamWaitEvent(stream_.get(), point.event.get(), 0));
  }
}

void RuntimeStream::let_default_stream_wait(std::uint64_t number) {
  const DeviceGuard guard(device());
  const std::lock_guard lock(mutex_);
  if (!retired_) {
    cuda_check("cudaStreamWaitEvent",
               cudaStreamWaitEvent(cudaStreamLegacy, point_behind(number).event.get(), 0));
  }
}

bool RuntimeStream::is_done(std::uint64_t number) {
  if (is_known_done(number)) {
    return true;
  }
  const std::lock_guard lock(mutex_);
  if (retired_) {
    return true;
  }
  const Point& point = point_behind(number);
  const cudaError_t state = cudaEventQuery(point.event.get());
  if (state == cudaErrorNotReady) {
    return false;
  }
  cuda_check("cudaEventQuery", state);
  set_done(std::max(point.number, number));
  return true;
}

DeviceWork RuntimeStream::oldest_unfinished() {
  const std::lock_guard lock(mutex_);
  if (retired_) {
    return {};
  }
  cudaStreamCaptureStatus capture{};
  cuda_check("cudaStreamIsCapturing", cudaStreamIsCapturing(stream_.get(), &capture));
  if (capture != cudaStreamCaptureStatusNone) {
    return {};  // nothing of that runs, and asking would end the capture
  }
  for (const Point& point : points_) {
    if (is_known_done(point.number)) {
      continue;
    }
    const cudaError_t state = cudaEventQuery(point.event.get());
    if (state == cudaErrorNotReady) {
      return {this, point.number};
    }
    cuda_check("cudaEventQuery", state);
    set_done(point.number);
  }
  const cudaError_t state = cudaStreamQuery(stream_.get());
  if (state == cudaErrorNotReady) {  // with work that no event is behind
    static_cast<void>(mark());
    return {this, record_locked().number};
  }
  cuda_check("cudaStreamQuery", state);
  return {};
}

void RuntimeStream::wait_on_host(std::uint64_t number) {
  if (is_known_done(number)) {
    return;
  }
  EventRef event = nullptr;
  std::uint64_t reached = number;
  {
    const std::lock_guard lock(mutex_);
    if (retired_) {
      return;
    }
    const Point& point = point_behind(number);
    event = point.event.get();
    reached = point.number;
  }
  // Without the lock, so that the stream can be given work meanwhile. An event that is recorded
  // again meanwhile had happened, and the thread that found that out has said so; or there were too
  // many, and this waits for later work.
  for (Patience patience; !is_known_done(number); patience.wait()) {
    const cudaError_t state = cudaEventQuery(event);
    if (state == cudaSuccess) {
      set_done(std::max(reached, number));
    } else if (state != cudaErrorNotReady) {
      throw_cuda_error("cudaEventQuery", state);
    } else if (patience.is_over()) {
      runtime().in_flight().require_in_use(device());
    }
  }
}

/// False: it does not end.
bool RuntimeStream::finish() noexcept {
  for (Patience patience; cudaStreamQuery(stream_.get()) == cudaErrorNotReady; patience.wait()) {
    if (patience.is_over() && runtime().in_flight().is_given_up(device())) {
      return false;
    }
  }
  return true;
}

void RuntimeStream::retire() noexcept {
  if (is_retired() || !finish()) {
    return;  // work that does not end keeps its stream, for good
  }
  const std::lock_guard lock(mutex_);
  set_done(mark().number);
  stream_ = OwnedStream();
  retired_ = true;
}

void RuntimeStream::revive(OwnedStream stream, const StreamOptions& options) {
  const std::lock_guard lock(mutex_);
  points_.clear();
  spare_.clear();
  stream_ = std::move(stream);
  options_ = options;
  take_over(stream_.get());
  retired_ = false;
}

}  // namespace gxr::cuda
