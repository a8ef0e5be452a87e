#include "executors/cuda_graph/resident_watch.hpp"

#include <string>
#include <utility>

#include "executors/cuda_graph/resident_ending.hpp"
#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_measures.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "gxr/error.hpp"

namespace gxr {

ResidentRunner::Watch::Watch(ResidentRunner& runner)
    : runner_(runner), watchdog_(runner.region().options().watchdog) {}

void ResidentRunner::Watch::open() { timeout_ = runner_.region().options().timeout; }

void ResidentRunner::Watch::launch() {
  began_ = std::chrono::steady_clock::now();
  watchdog_.restart();
  runner_.news_.set_deadline(has_timeout());
}

void ResidentRunner::Watch::set_timeout(std::chrono::nanoseconds timeout) noexcept {
  timeout_ = timeout;
  runner_.news_.set_deadline(has_timeout());
}

void ResidentRunner::Watch::poll() {
  // CUDA takes microseconds to say what a loop that goes on shows by itself.
  const std::uint64_t finished = runner_.loop_->control().finished();
  const bool goes_on = std::exchange(polled_at_, finished) != finished;
  if (runner_.session_.runs() && !goes_on && !runner_.ending_->is_running() &&
      !runner_.session_.changes()) {
    runner_.ending_->note_end();
  }
  end_in_time();
  require_progress();
}

void ResidentRunner::Watch::end_in_time() {
  if (runner_.session_.is_open() && has_timeout() &&
      std::chrono::steady_clock::now() - began_ >= timeout_) {
    runner_.log_info("region '" + runner_.region().name() + "' has run for its timeout and ends");
    runner_.session_.on(SessionEvent::EndAsked);
    runner_.ending_->tell(runner_.region().options().on_stop);
  }
}

/// An iteration that takes too long fails the run.
void ResidentRunner::Watch::require_progress() {
  if (runner_.session_.is(SessionState::Stalled)) {
    return;  // that was said
  }
  const std::uint64_t finished = runner_.loop_->control().finished();
  const bool polls = !runner_.region().graph().handlers.empty();
  const bool trips =
      watchdog_.poll({finished, polls ? runner_.loop_->control().heartbeat() : 0},
                     finished < runner_.busy_until(finished), LoopWatchdog::Clock::now(),
                     [&] { return waits_for_others(finished); });
  if (trips) {
    runner_.session_.on(SessionEvent::WatchdogTripped);
    const std::string text = runner_.region().hang_text() + runner_.measures_->place_of_failure();
    runner_.control_->fail(text);
    throw Error(ErrorCode::Device, text);
  }
}

/// Does the loop stand since work of others on the GPU is not done?
bool ResidentRunner::Watch::waits_for_others(std::uint64_t finished) {
  if (!runner_.region().graph().handlers.empty()) {
    return false;  // it would poll meanwhile
  }
  try {
    return runner_.inlets_->awaits_copies(finished) || runner_.outlets_->awaits_room(finished);
  } catch (const Error& error) {
    runner_.ending_->fail(error);
  }
}

}  // namespace gxr
