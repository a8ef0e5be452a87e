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
constexpr std::int64_t kAnchorRetry = 10'000'000;
constexpr std::int64_t kAnchorExact = 20'000;
constexpr int kAnchorTries = 5;

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
    static_cast<void>(cudaGetLastError());
    return std::nullopt;
  }
  return static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6);
}

}  // namespace

/// Records an event on a stream that nobody else uses and polls until it has happened; the best of
/// some tries. Without success an older anchor goes on.
void StreamSpans::renew_anchor() {
  auto best = std::make_shared<Anchor>();
  std::int64_t shortest = kAnchorPatience;
  const LeasedStream stream({.device = device_});
  for (int i = 0; i < kAnchorTries && shortest > kAnchorExact; ++i) {
    Event event = make_timed_event();
    const std::int64_t before = steady_now();
    cuda_check("cudaEventRecord", cudaEventRecord(event.get(), stream.get().handle()));
    cudaError_t state = cudaErrorNotReady;
    std::int64_t took = 0;
    while (state == cudaErrorNotReady && took < kAnchorPatience) {
      state = cudaEventQuery(event.get());
      took = steady_now() - before;
    }
    if (state == cudaSuccess && took < shortest) {
      shortest = took;
      best->event = std::move(event);
      best->ns = before + took / 2;
    }
  }
  const bool has_found = shortest < kAnchorPatience;
  if (has_found) {
    anchor_ = std::move(best);
  }
  anchor_due_ = steady_now() + (has_found || anchor_ != nullptr ? kAnchorHolds : kAnchorRetry);
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
  open_.device = device_;
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
    static_cast<void>(cudaGetLastError());  // the tick meets an error of the device itself
    stream_ = nullptr;
  }
}

void StreamSpans::end() noexcept {
  if (stream_ == nullptr) {
    return;
  }
  try {
    cuda_check("cudaEventRecord", cudaEventRecord(open_.end.get(), stream_->handle()));
    pending_.push_back(std::move(open_));
  } catch (const std::exception&) {
    static_cast<void>(cudaGetLastError());  // the span is left out
  }
  stream_ = nullptr;
}

void StreamSpans::take_ended(const std::function<void(const DeviceSpan&)>& take) {
  while (!pending_.empty()) {
    const cudaError_t state = cudaEventQuery(pending_.front().end.get());
    if (state == cudaErrorNotReady) {
      return;
    }
    if (state != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      pending_.clear();  // the device has failed
      return;
    }
    Span span = std::move(pending_.front());
    pending_.pop_front();
    const auto begin = nanoseconds_between(span.anchor->event, span.begin);
    const auto length = nanoseconds_between(span.begin, span.end);
    if (begin && length) {
      const std::int64_t at = span.anchor->ns + *begin;
      take({at, at + *length, span.number, span.device});
    }
    if (span.device == device_) {
      spare_.push_back(std::move(span));
    }
  }
}

}  // namespace gxr::cuda
