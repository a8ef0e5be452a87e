#include "executors/cuda_graph/resident_ending.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

#include "executors/cuda_graph/resident_inlets.hpp"
#include "executors/cuda_graph/resident_lateness.hpp"
#include "executors/cuda_graph/resident_measures.hpp"
#include "executors/cuda_graph/resident_outlets.hpp"

namespace gxr {
namespace {

/// How long the end of a loop is awaited that has stalled before.
constexpr std::chrono::nanoseconds kShortPatience = std::chrono::milliseconds(100);

/// `lock`, if there is one, is open for a moment.
void pause_with_open(std::unique_lock<std::mutex>* lock) {
  if (lock != nullptr) {
    lock->unlock();
  }
  std::this_thread::sleep_for(std::chrono::microseconds(20));
  if (lock != nullptr) {
    lock->lock();
  }
}

std::string in_milliseconds(std::chrono::nanoseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) +
         " ms";
}

}  // namespace

void ResidentRunner::Ending::tell(GraphStop how) {
  DeviceLoop& loop = *runner_.loop_;
  Inlets& inlets = *runner_.inlets_;
  const bool drains = how == GraphStop::Drain;
  if (drains && runner_.region().options().host_driven) {
    inlets.give_rings();
  }
  if (drains && (runner_.takes_any() || !runner_.region().graph().handlers.empty())) {
    try {
      inlets.finish();  // inputs that are still being copied count, too
    } catch (const Error&) {
      loop.control().set_limit(0);  // it never will be
      throw;
    }
    loop.control().drain();
    return;
  }
  const InputAccount& given = inlets.account();
  loop.control().set_limit(drains ? std::min(given.limit(), given.iterations_given()) : 0);
}

bool ResidentRunner::Ending::is_running() {
  try {
    return runner_.loop_->is_running();
  } catch (const Error& error) {
    fail(error);
  }
}

void ResidentRunner::Ending::note_end() {
  if (!runner_.session_.runs()) {
    return;  // another thread has noted it
  }
  runner_.session_.on(SessionEvent::LoopEnded);
  if (runner_.session_.is(SessionState::Ended)) {
    runner_.inlets_->account().end_at(runner_.loop_->control().finished());
  }
}

void ResidentRunner::Ending::fail(const Error& error) {
  runner_.session_.on(SessionEvent::DeviceFailed);
  // With the operator it was in, if that is known.
  const std::string text = "region '" + runner_.region().name() + "': " + error.message() +
                           runner_.measures_->place_of_failure();
  runner_.control_->fail(text);
  throw Error(error.code(), text);
}

bool ResidentRunner::Ending::wait(Lock* lock, std::chrono::nanoseconds patience,
                                  bool is_for_program) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto has_stalled = [this] { return runner_.session_.is(SessionState::Stalled); };
  patience = has_stalled() ? kShortPatience : patience;
  auto end = now() + patience;
  bool for_siblings = false;
  std::uint64_t seen = runner_.loop_->control().finished();
  while (is_running()) {
    pause_with_open(lock);
    if (const std::uint64_t finished = runner_.loop_->control().finished(); finished != seen) {
      seen = finished;
      end = now() + patience;
    }
    if (!for_siblings && !has_stalled() && runner_.loop_->waits_for_siblings()) {
      // A sibling may take long: the watchdog's time says how long.
      for_siblings = true;
      patience = runner_.region().options().watchdog;
      end = now() + patience;
    }
    if ((now() > end && patience.count() > 0) ||
        (is_for_program && runner_.control_->is_closing())) {
      return false;
    }
  }
  return true;
}

void ResidentRunner::Ending::require_end() {
  if (!wait(nullptr, kPatience)) {
    const bool has_stalled = runner_.session_.is(SessionState::Stalled);
    throw_does_not_end("a kernel of it hangs",
                       has_stalled ? std::chrono::nanoseconds(0) : kPatience);
  }
}

void ResidentRunner::Ending::throw_does_not_end(const char* why,
                                                std::chrono::nanoseconds patience) const {
  const std::string what = "region '" + runner_.region().name() + "' does not end: ";
  if (runner_.loop_->waits_for_siblings()) {
    throw Error(ErrorCode::Device,
                what + "what it launched beside it ('launch: sibling') still " + "runs after " +
                    in_milliseconds(runner_.region().options().watchdog) + " ('watchdog_ms')");
  }
  const std::string seen = patience.count() == 0 || runner_.region().is_given_up()
                               ? std::string()
                               : "nothing has happened for " + in_milliseconds(patience) + "; ";
  throw Error(ErrorCode::Device, what + seen + why);
}

void ResidentRunner::Ending::end_for_good() {
  runner_.control_->detach();
  if (runner_.loop_ == nullptr) {
    return;
  }
  runner_.poller_.remove(runner_.news_);
  Lock lock(runner_.mutex_);
  runner_.lateness_->forget();
  runner_.outlets_->forget();
  if (!runner_.session_.runs()) {
    return;
  }
  // First what others still write of the same words.
  if (!runner_.outlets_->finish_on_host()) {
    runner_.log_warning("region '" + runner_.region().name() + "': results are still being copied");
  }
  runner_.loop_->ports().drop_results();
  end_running(lock);
}

/// `lock` is open while it waits.
void ResidentRunner::Ending::end_running(Lock& lock) {
  const bool has_stalled = runner_.session_.is(SessionState::Stalled);
  const std::chrono::nanoseconds patience = runner_.settings().end_patience;
  runner_.session_.on(SessionEvent::EndAsked);
  try {
    tell(runner_.region().options().on_stop);
  } catch (const Error&) {
    if (runner_.region().is_given_up()) {
      runner_.session_.on(SessionEvent::GaveUp);
    }
    if (wait(&lock, patience)) {
      note_end();
    }
    throw;
  }
  if (wait(&lock, patience)) {
    note_end();
    return;
  }
  runner_.session_.on(SessionEvent::GaveUp);
  give_up(lock, patience, has_stalled);
}

/// Says why it does not end.
void ResidentRunner::Ending::give_up(Lock& lock, std::chrono::nanoseconds patience,
                                     bool has_stalled) {
  const auto said = has_stalled ? std::chrono::nanoseconds(0) : patience;
  if (runner_.inlets_->awaits_copies(runner_.loop_->control().finished())) {
    runner_.loop_->control().set_limit(0);  // it has nothing else to wait for
    static_cast<void>(wait(&lock, has_stalled ? kShortPatience : patience));
    throw_does_not_end("the work on the GPU that makes its input does not end", said);
  }
  throw_does_not_end("a kernel of it hangs", said);
}

void ResidentRunner::Ending::end() noexcept {
  try {
    end_for_good();
  } catch (...) {
    failure_ = std::current_exception();  // for finish()
  }
}

void ResidentRunner::Ending::finish() {
  if (!failure_) {
    end();
  }
  if (runner_.loop_ != nullptr && !runner_.hangs()) {
    const std::lock_guard guard(runner_.mutex_);
    runner_.measures_->report();
  }
  if (failure_) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

}  // namespace gxr
