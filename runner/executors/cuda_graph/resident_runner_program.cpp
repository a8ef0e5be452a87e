// What a program that embeds the application does with a loop; see ResidentGraph.

#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "executors/cuda_graph/resident_runner.hpp"
#include "gxr/error.hpp"
#include "observe/chaos.hpp"

namespace gxr {

bool ResidentRunner::is_launched() {
  const std::lock_guard guard(mutex_);
  return runs_ && !is_over_;
}

void ResidentRunner::require_running() {
  if (!runs_ || is_over_) {
    throw Error(ErrorCode::InvalidState, "region '" + region_name() + "' " +
                                             (torn_down_ ? "was torn down" : "has ended") +
                                             ", and was not launched again");
  }
}

void ResidentRunner::require_open() const {
  if (control_->is_closing()) {
    throw Error(ErrorCode::InvalidState,
                "region '" + region_name() + "' ends: its application does");
  }
}

void ResidentRunner::ring() {
  if (!graph().options.host_driven) {
    throw Error(ErrorCode::InvalidState,
                "region '" + region_name() +
                    "' begins its iterations by itself; 'host_driven: true' lets a program do it");
  }
  const std::lock_guard guard(mutex_);
  require_running();
  if (!changing_) {
    loop_->put(0, nullptr, true, in_stream_->get());
    ++put_;
  }
  chaos();
  ++rung_;
  expects_.store(true, std::memory_order_release);  // so that a failure is noticed
  if (!outputs().empty()) {
    wake_entity();  // results are to be published
  }
}

bool ResidentRunner::has_all_results() {
  const std::lock_guard guard(mutex_);
  if (!torn_down_) {
    require_running();
  }
  return loop_->finished() >= rung_;
}

std::uint64_t ResidentRunner::results() {
  const std::lock_guard guard(mutex_);
  return loop_->finished();
}

void ResidentRunner::tear_down(GraphStop how) {
  std::unique_lock guard(mutex_);
  require_running();
  is_over_ = true;
  torn_down_ = true;
  changing_ = false;
  end_loop(how);
  if (!wait_for_end(&guard, kPatience, true)) {  // while results are published
    require_open();
    throw_does_not_end("a kernel of it hangs, or nobody takes its results", kPatience);
  }
}

/// What was worked on before a tear_down() is passed on before anything else is; `lock` is open
/// meanwhile.
void ResidentRunner::wait_for_results(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t finished = loop_->finished();
  std::uint64_t seen = published_;
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (!outputs().empty() && published_ < finished) {
    if (published_ != seen) {
      seen = published_;
      end = std::chrono::steady_clock::now() + kPatience;
    }
    require_open();
    if (std::chrono::steady_clock::now() > end) {
      throw Error(ErrorCode::InvalidState,
                  "region '" + region_name() + "' is not launched again: nobody takes " +
                      std::to_string(finished - published_) + " results of before");
    }
    lock.unlock();
    wake_entity();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    lock.lock();
  }
}

void ResidentRunner::launch_again() {
  {
    std::unique_lock guard(mutex_);
    if (!torn_down_ || runs_) {
      throw Error(ErrorCode::InvalidState, "region '" + region_name() + "' was not torn down");
    }
    wait_for_results(guard);
    launch();
  }
  wake_entity();
}

void ResidentRunner::set_timeout(std::chrono::nanoseconds timeout) {
  const std::lock_guard guard(mutex_);
  timeout_ = timeout;
  has_deadline_.store(timeout.count() > 0, std::memory_order_release);
}

void ResidentRunner::set_sleep_interval(std::chrono::nanoseconds interval) {
  const std::lock_guard guard(mutex_);
  loop_->set_sleep_interval(interval);
}

}  // namespace gxr
