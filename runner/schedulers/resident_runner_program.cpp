// What a program that embeds the application does with a loop; see ResidentGraph.

#include <chrono>

#include "gxr/error.hpp"
#include "observe/chaos.hpp"
#include "schedulers/resident_runner.hpp"

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
  if (!wait_for_end(&guard)) {  // while results are published
    throw_does_not_end("a kernel of it hangs, or nobody takes its results");
  }
}

void ResidentRunner::launch_again() {
  {
    const std::lock_guard guard(mutex_);
    if (!torn_down_ || runs_) {
      throw Error(ErrorCode::InvalidState, "region '" + region_name() + "' was not torn down");
    }
    warn_of_lost_results(loop_->finished());
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
