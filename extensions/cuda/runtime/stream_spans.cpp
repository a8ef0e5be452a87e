#include "stream_spans.hpp"

#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "device_guard.hpp"
#include "gxr/device_runtime.hpp"
#include "steady_time.hpp"

namespace gxr::cuda {
namespace {

/// Spans whose work has not ended. Further ones are left out.
constexpr std::size_t kMostPending = 1024;
/// CUDA gives the time between two events as a float of milliseconds: exact to 60 ns for a second.
constexpr std::int64_t kAnchorHolds = 1'000'000'000;
constexpr std::int64_t kAnchorPatience = 1'000'000;

/// An event of the current device.
Event make_timed_event() {
  EventRef event = nullptr;
  cuda_check("cudaEventCreate", cudaEventCreate(&event));
  return Event(event);
}

/// Between two events that have happened; nothing after the device has failed.
std::optional<std::int64_t> nanoseconds_between(const Event& first, const Event& second) {
  float milliseconds = 0;
  if (cudaEventElapsedTime(&milliseconds, first.get(), second.get()) != cudaSuccess) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6);
}

}  // namespace

/// Records an event on a stream without work and polls until it has happened. Without success the
/// old anchor goes on.
void StreamSpans::renew_anchor() {
  const std::int64_t before = steady_now();
  anchor_due_ = before + kAnchorHolds;
  auto made = std::make_shared<Anchor>();
  made->event = make_timed_event();
  const LeasedStream stream({.device = device_});
  cuda_check("cudaEventRecord", cudaEventRecord(made->event.get(), stream.get().handle()));
  cudaError_t state = cudaErrorNotReady;
  std::int64_t after = before;
  while (state == cudaErrorNotReady && after < before + kAnchorPatience) {
    state = cudaEventQuery(made->event.get());
    after = steady_now();
  }
  if (state == cudaSuccess) {
    made->ns = before + (after - before) / 2;
    anchor_ = std::move(made);
  }
}

StreamSpans::Span StreamSpans::take_spare() {
  if (spare_.empty()) {
    Span span;
    span.begin = make_timed_event();
    span.end = make_timed_event();
    return span;
  }
  Span span = std::move(spare_.back());
  spare_.pop_back();
  return span;
}

void StreamSpans::begin_on(DeviceStream& stream) {
  const DeviceGuard guard(stream.device());
  if (device_ != stream.device()) {
    device_ = stream.device();
    anchor_.reset();
    anchor_due_ = 0;
    spare_.clear();
  }
  if (steady_now() >= anchor_due_) {
    renew_anchor();
  }
  if (anchor_ == nullptr) {
    return;
  }
  open_ = take_spare();
  open_.anchor = anchor_;
  open_.number = number;
  cuda_check("cudaEventRecord", cudaEventRecord(open_.begin.get(), stream.handle()));
  stream_ = &stream;
}

void StreamSpans::begin(DeviceStream& stream) noexcept {
  stream_ = nullptr;
  if (pending_.size() >= kMostPending) {
    return;
  }
  try {
    begin_on(stream);
  } catch (const std::exception&) {
    stream_ = nullptr;  // the tick meets the error itself, if it is one of the device
  }
}

void StreamSpans::end() noexcept {
  if (stream_ == nullptr) {
    return;
  }
  try {
    if (cudaEventRecord(open_.end.get(), stream_->handle()) == cudaSuccess) {
      pending_.push_back(std::move(open_));
    }
  } catch (const std::exception&) {
    // no memory for one more: it is left out
  }
  stream_ = nullptr;
}

void StreamSpans::take_ended(const std::function<void(const DeviceSpan&)>& take) {
  while (!pending_.empty()) {
    const Span& oldest = pending_.front();
    const cudaError_t state = cudaEventQuery(oldest.end.get());
    if (state == cudaErrorNotReady) {
      return;
    }
    if (state != cudaSuccess) {
      pending_.clear();  // the device has failed
      return;
    }
    const auto begin = nanoseconds_between(oldest.anchor->event, oldest.begin);
    const auto length = nanoseconds_between(oldest.begin, oldest.end);
    if (begin && length) {
      const std::int64_t at = oldest.anchor->ns + *begin;
      take({at, at + *length, oldest.number, device_});
    }
    spare_.push_back(std::move(pending_.front()));
    pending_.pop_front();
  }
}

}  // namespace gxr::cuda
