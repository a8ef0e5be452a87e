#include "executors/cuda_graph/resident_embedding.hpp"

#include <string>
#include <thread>

#include "executors/cuda_graph/resident_changes.hpp"
#include "executors/cuda_graph/resident_ending.hpp"
#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"
#include "executors/cuda_graph/resident_watch.hpp"
#include "gxr/error.hpp"
#include "observe/chaos.hpp"

namespace gxr {

bool ResidentRunner::Embedding::is_launched() {
  const std::lock_guard guard(runner_.mutex_);
  return runner_.session_.is_open();
}

void ResidentRunner::Embedding::require_running() const {
  if (!runner_.session_.is_open()) {
    throw Error(ErrorCode::InvalidState,
                "region '" + runner_.region().name() + "' " +
                    (runner_.session_.was_torn_down() ? "was torn down" : "has ended") +
                    ", and was not launched again");
  }
}

void ResidentRunner::Embedding::require_torn_down() const {
  if (!runner_.session_.is(SessionState::TornDown)) {
    throw Error(ErrorCode::InvalidState,
                "region '" + runner_.region().name() + "' was not torn down");
  }
}

void ResidentRunner::Embedding::require_open() const {
  if (runner_.control_->is_closing()) {
    throw Error(ErrorCode::InvalidState,
                "region '" + runner_.region().name() + "' ends: its application does");
  }
}

void ResidentRunner::Embedding::ring() {
  if (!runner_.region().options().host_driven) {
    throw Error(ErrorCode::InvalidState,
                "region '" + runner_.region().name() +
                    "' begins its iterations by itself; 'host_driven: true' lets a program do it");
  }
  const std::lock_guard guard(runner_.mutex_);
  require_running();
  if (!runner_.session_.changes()) {
    runner_.inlets_->give_ring();
  }
  chaos();
  runner_.inlets_->account().ring();
  // So that a failure is noticed. The poller need not hurry: no thread waits for it.
  runner_.news_.expect_until(runner_.busy_until(runner_.loop_->control().finished()));
  if (runner_.outlets_->account().has_any()) {
    runner_.news_.notify();  // results are to be published
  }
}

bool ResidentRunner::Embedding::has_all_results() {
  const std::lock_guard guard(runner_.mutex_);
  if (!runner_.session_.was_torn_down()) {
    require_running();
  }
  return runner_.loop_->control().finished() >= runner_.inlets_->account().rung();
}

std::uint64_t ResidentRunner::Embedding::results() {
  const std::lock_guard guard(runner_.mutex_);
  return runner_.loop_->control().finished();
}

void ResidentRunner::Embedding::tear_down(GraphStop how) {
  std::unique_lock lock(runner_.mutex_);
  require_running();
  runner_.session_.on(SessionEvent::TearDownAsked);
  runner_.ending_->tell(how);
  if (!runner_.ending_->wait(&lock, kPatience, true)) {  // while results are published
    require_open();
    const bool has_stalled = runner_.session_.is(SessionState::Stalled);
    runner_.ending_->throw_does_not_end("a kernel of it hangs, or nobody takes its results",
                                        has_stalled ? std::chrono::nanoseconds(0) : kPatience);
  }
  runner_.ending_->note_end();
}

/// Results of before a tear_down() are passed on before anything else is; `lock` is open
/// meanwhile.
void ResidentRunner::Embedding::wait_for_results(std::unique_lock<std::mutex>& lock) {
  const ResultAccount& results = runner_.outlets_->account();
  const std::uint64_t finished = runner_.loop_->control().finished();
  std::uint64_t seen = results.published();
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (results.unpublished(finished) > 0) {
    if (results.published() != seen) {
      seen = results.published();
      end = std::chrono::steady_clock::now() + kPatience;
    }
    require_open();
    if (std::chrono::steady_clock::now() > end) {
      throw Error(ErrorCode::InvalidState,
                  "region '" + runner_.region().name() + "' is not launched again: nobody takes " +
                      std::to_string(results.unpublished(finished)) + " results of before");
    }
    lock.unlock();
    runner_.news_.notify();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    lock.lock();
  }
}

void ResidentRunner::Embedding::launch_again() {
  {
    std::unique_lock lock(runner_.mutex_);
    require_torn_down();
    wait_for_results(lock);
    require_torn_down();  // another thread may have launched it meanwhile
    runner_.launch();
  }
  runner_.news_.wake();
}

void ResidentRunner::Embedding::set_timeout(std::chrono::nanoseconds timeout) {
  const std::lock_guard guard(runner_.mutex_);
  runner_.watch_->set_timeout(timeout);
}

void ResidentRunner::Embedding::set_sleep_interval(std::chrono::nanoseconds interval) {
  const std::lock_guard guard(runner_.mutex_);
  runner_.sleep_interval_ = interval;
  runner_.loop_->control().set_sleep_interval(interval);
}

}  // namespace gxr
