#include "executors/parallel/hold_back.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

using State = ParallelJob::State;

/// Will the job, being due, take in what is in its inboxes before it does anything else?
bool is_about_to_take_in(const ParallelJob& job) noexcept {
  const State now = job.state.load();
  return now == State::Queued || (now != State::Idle && !job.took_in.load());
}

bool will_make_room(const ParallelJob::Unguarded& behind) noexcept {
  return behind.may_drop ? is_about_to_take_in(*behind.consumer)
                         : behind.consumer->state.load() != State::Idle;
}

/// One that is about to empty a queue in which this entity's messages would find no room.
const ParallelJob* consumer_to_wait_for(const ParallelJob& job) noexcept {
  for (const ParallelJob::Unguarded& behind : job.unguarded) {
    if (behind.inbox->total() >= behind.full_at && will_make_room(behind)) {
      return behind.consumer;
    }
  }
  return nullptr;
}

/// Jobs that wait for each other in a circle must not.
bool waits_in_turn(const ParallelJob& consumer, const ParallelJob& job) noexcept {
  constexpr int kLongestChain = 64;  // others change meanwhile, so that it may not end
  const ParallelJob* next = &consumer;
  for (int i = 0; i < kLongestChain && next != nullptr; ++i) {
    next = next->waits_for.load(std::memory_order_acquire);
    if (next == &job) {
      return true;
    }
  }
  return false;
}

/// The longer a job has been held back, the longer nobody needs to look again.
void pause_for(std::int64_t held) {
  constexpr std::int64_t kShort = 100'000;
  constexpr std::int64_t kLongest = 1'000'000;
  if (held < kShort) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(held / 4, kLongest)));
  }
}

}  // namespace

bool gives_way(ParallelJob& job) {
  constexpr std::int64_t kPatience = 1'000'000'000;
  const ParallelJob* consumer = consumer_to_wait_for(job);
  job.waits_for.store(consumer, std::memory_order_release);
  if (consumer == nullptr || waits_in_turn(*consumer, job)) {
    job.held_back_since = 0;
    return false;
  }
  const std::int64_t now = steady_now();
  if (job.held_back_since == 0) {
    job.held_back_since = now;
  }
  const std::int64_t held = now - job.held_back_since;
  if (held > kPatience) {
    job.held_back_since = 0;
    job.waits_for.store(nullptr, std::memory_order_release);
    return false;
  }
  pause_for(held);
  return true;
}

}  // namespace gxr
