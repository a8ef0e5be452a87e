#include "interrupt_timer.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>

namespace gxr::sample {
namespace {

/// Keeps the end of the wait far from that of the steady clock.
constexpr std::int64_t kLongestWait = std::int64_t{1000} * 3600 * 24 * 365 * 100;

}  // namespace

void InterruptTimer::start(Context& context, std::int64_t milliseconds) {
  if (thread_.joinable()) {
    return;
  }
  cancelled_ = false;
  try {
    thread_ = std::thread([this, &context, milliseconds] { run(context, milliseconds); });
  } catch (const std::exception& error) {
    throw Error(ErrorCode::OutOfMemory,
                std::string("the thread that asks the application to stop cannot be started: ") +
                    error.what());
  }
}

void InterruptTimer::run(Context& context, std::int64_t milliseconds) {
  const std::chrono::milliseconds wait(std::clamp<std::int64_t>(milliseconds, 0, kLongestWait));
  {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, wait, [this] { return cancelled_; })) {
      return;
    }
  }
  context.interrupt();
}

void InterruptTimer::cancel() {
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
}

}  // namespace gxr::sample
