#include "executors/cuda_graph/poller.hpp"

#include <algorithm>

#include <sys/prctl.h>

#include "observe/chaos.hpp"
#include "observe/own_thread.hpp"

namespace gxr {
namespace {

using namespace std::chrono_literals;

/// So long the thread polls without a pause after something happened; after that it sleeps.
constexpr auto kSpin = 50us;
constexpr auto kShortPause = 10us;
constexpr auto kLongPause = 500us;
/// So long a scheduler polls that has nothing else to do.
constexpr auto kIdleSpin = 1ms;
constexpr auto kReminder = 50ms;
/// The poll interval of the thread while news is expected, for reminders that become due sooner.
constexpr auto kAsksAgain = 1ms;

}  // namespace

Poller::~Poller() {
  ending_.store(true, std::memory_order_release);
  changed_.release();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Poller::add(Polled& polled) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) {
    thread_ = start_thread("the thread that polls GPUs", [this] { run(); });
  }
  polled_.push_back(&polled);
}

void Poller::remove(const Polled& polled) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(polled_, &polled);
}

void Poller::hand_over() noexcept {
  if (!has_job_.exchange(true, std::memory_order_acq_rel)) {
    changed_.release();
  }
}

/// Call with mutex_ held.
bool Poller::poll_once() {
  bool found = false;
  for (Polled* polled : polled_) {
    if (polled->has_news()) {
      polled->component().context().notify(polled->component());
      found = true;
    }
  }
  return found;
}

bool Poller::expects_news() {
  return std::ranges::any_of(polled_, [](const Polled* each) { return each->expects_news(); });
}

bool Poller::poll() {
  has_job_.store(false, std::memory_order_release);
  chaos();
  const auto end = Clock::now() + kIdleSpin;
  bool found = false;
  bool expected = true;
  while (!found && expected && Clock::now() < end) {
    const std::lock_guard lock(mutex_);
    found = poll_once();
    expected = expects_news();
  }
  return found;
}

void Poller::remind() {
  const std::lock_guard lock(mutex_);
  for (Polled* polled : polled_) {
    polled->remind();
  }
}

Poller::Clock::time_point Poller::next_reminder(Clock::time_point last) {
  const std::lock_guard lock(mutex_);
  Clock::time_point next = last + kReminder;
  for (const Polled* polled : polled_) {
    next = std::min(next, polled->reminds_at());
  }
  return next;
}

/// Is the thread to poll again at once? Not when nothing happened, or is expected.
bool Poller::poll_for_thread(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (poll_once()) {
    last_news_ = now;
    if (is_polled_.load(std::memory_order_acquire)) {
      has_job_.store(false, std::memory_order_release);  // the scheduler goes on
    }
    return true;
  }
  if (!expects_news()) {
    chaos();
    has_job_.store(false, std::memory_order_seq_cst);
    chaos();
    if (expects_news()) {  // another thread may have said so before the mark
      has_job_.store(true, std::memory_order_release);
    }
  }
  return false;
}

void Poller::run() {
  // Else pauses would be 50 us longer than asked for.
  static_cast<void>(::prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL));
  auto last_reminder = Clock::now();
  auto asked = last_reminder;
  auto next = next_reminder(last_reminder);
  while (!ending_.load(std::memory_order_acquire)) {
    const auto now = Clock::now();
    if (now - asked >= kAsksAgain) {
      asked = now;
      next = next_reminder(last_reminder);
    }
    if (now >= next) {
      last_reminder = now;
      remind();
      next = std::max(next_reminder(last_reminder), now + kAsksAgain);
    }
    if (!has_job_.load(std::memory_order_acquire)) {
      next = std::max(next_reminder(last_reminder), last_reminder + kAsksAgain);
      static_cast<void>(changed_.try_acquire_until(next));
      last_news_ = Clock::now();
      continue;
    }
    if (poll_for_thread(now)) {
      continue;
    }
    const auto quiet = now - last_news_;
    if (quiet < kSpin) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::clamp<Clock::duration>(quiet / 16, kShortPause, kLongPause));
    }
  }
}

}  // namespace gxr
